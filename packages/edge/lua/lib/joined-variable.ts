import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

/**
 * Sets a variable to texts that follow each other, without a string of Lua's of them all: one that no other request has would be
 * compared with others of its length before LuaJIT keeps it, and collected soon after. `joinNothing`, `join` for each text, and then
 * `putJoined`, with nothing between them that yields.
 */

const bytesMax = 65_536;
const nameBytesMax = 64;
const joined = ffi.new(`unsigned char[${bytesMax}]`);
const lowered = ffi.new(`unsigned char[${nameBytesMax}]`);
const complaint = ffi.new('unsigned char[256]');
const complaintLength = ffi.new('size_t[1]');

let bytes = 0;

export function joinNothing(): void {
  bytes = 0;
}

/** What is too long is told by the end. */
export function join(text: string): void {
  const end = bytes + text.length;
  if (end <= bytesMax) ffi.copy(plus(joined, bytes), text, text.length);
  bytes = end;
}

/** `name`: one that the configuration uses. False: the texts are too long, and nothing is set. */
export function putJoined(name: string): boolean {
  if (bytes > bytesMax) return false;
  complaintLength[0] = 256;
  return (
    ffi.C.ngx_http_lua_ffi_var_set(
      get_request(),
      name,
      name.length,
      lowered,
      joined,
      bytes,
      complaint,
      complaintLength,
    ) === 0
  );
}
