import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

/**
 * How variables and the clock are read, in place of lua-resty-core's own functions. Those end in tail calls, of which LuaJIT
 * follows a few in one piece and then gives up, and on which it cannot begin one: after some tries it leaves both the
 * function and whoever calls it to its interpreter, for as long as the worker lives.
 */

const nameBytesMax = 128;
const lowered = ffi.new(`unsigned char[${nameBytesMax}]`);
const value = ffi.new('unsigned char *[1]');
const length = ffi.new('size_t[1]');
const complaint = ffi.new('char *[1]');
const found = 0;
const unset = -5;

interface Variables {
  __index: (this: void, all: unknown, name: unknown) => string | undefined;
}
const variables = getmetatable(ngx.var) as unknown as Variables;
const readByResty = variables.__index;

function readVariable(this: void, all: unknown, name: unknown): string | undefined {
  const request = get_request();
  if (request !== undefined && type(name) === 'string' && (name as string).length <= nameBytesMax) {
    const bytes = name as string;
    const result = ffi.C.ngx_http_lua_ffi_var_get(
      request,
      bytes,
      bytes.length,
      lowered,
      0,
      value,
      length,
      complaint,
    );
    if (result === unset) return undefined;
    if (result === found) {
      const text = ffi.string(value[0] as unknown as ffi.Pointer, length[0]);
      return text;
    }
  }
  // What cannot be read, it complains of.
  return readByResty(all, name);
}

interface Clock {
  now: (this: void) => number;
  time: (this: void) => number;
}

function now(this: void): number {
  const seconds = tonumber(ffi.C.ngx_http_lua_ffi_now())!;
  return seconds;
}

function time(this: void): number {
  const seconds = tonumber(ffi.C.ngx_http_lua_ffi_time())!;
  return seconds;
}

/** In the master, whose workers inherit it. */
export function replaceReads(): void {
  variables.__index = readVariable;
  const clock = ngx as unknown as Clock;
  clock.now = now;
  clock.time = time;
}
