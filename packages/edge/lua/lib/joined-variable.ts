import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

/**
 * Sets a variable to texts that follow each other, without a string of Lua's of them all: one that no other request has would be
 * compared with others of its length before LuaJIT keeps it.
 */

const bytesMax = 65_536;
const nameBytesMax = 64;
const joined = ffi.new(`unsigned char[${bytesMax}]`);
const lowered = ffi.new(`unsigned char[${nameBytesMax}]`);
const complaint = ffi.new('unsigned char[256]');
const complaintLength = ffi.new('size_t[1]');

/** `name`: one that the configuration sets. False: they are too long, and nothing is set. */
export function putJoined(name: string, parts: string[]): boolean {
  const length = join(parts, 0, 0);
  if (length < 0) return false;
  complaintLength[0] = 256;
  return (
    ffi.C.ngx_http_lua_ffi_var_set(
      get_request(),
      name,
      name.length,
      lowered,
      joined,
      length,
      complaint,
      complaintLength,
    ) === 0
  );
}

/** The parts from `index` on, behind `length` bytes; how many bytes there are then, -1: too many. No loop, for LuaJIT's sake. */
function join(parts: string[], index: number, length: number): number {
  const part = parts[index];
  if (part === undefined) return length;
  const next = length + part.length;
  if (next > bytesMax) return -1;
  ffi.copy(plus(joined, length), part, part.length);
  return join(parts, index + 1, next);
}
