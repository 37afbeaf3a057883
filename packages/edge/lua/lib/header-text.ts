import type { HeaderText } from '@breakwater/policy/detect/harmless';
import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

/** The header of a request, read where it lies: `ngx.req.get_headers` makes a text of each of its names and values. */

const linesMax = 50;
const bytesMax = 4096;
const lines = ffi.new(`ngx_http_lua_ffi_table_elt_t[${linesMax}]`) as unknown as Lines;
const joined = ffi.new(`unsigned char[${bytesMax}]`);
const isMore = ffi.new('int[1]');
const colon = 58;
const newline = 10;

/** `ngx_http_lua_ffi_str_t` */
interface Text {
  data: ffi.Pointer;
  len: number;
}
type Lines = LuaTable<number, { key: Text; value: Text }> & ffi.Pointer;

const names: string[] = [];

/**
 * The names of a request's lines, in lower case. `count`: how many there are, in a list that the next call overwrites; nothing where
 * there are more than browsers send.
 */
export function headerNames(): { names: string[]; count: number } | undefined {
  const request = get_request();
  const count = ffi.C.ngx_http_lua_ffi_req_get_headers_count(request, linesMax, isMore);
  if (count < 0 || isMore[0] !== 0) return undefined;
  if (count > 0 && ffi.C.ngx_http_lua_ffi_req_get_headers(request, lines, count, 0) !== 0) return undefined;
  for (let index = 0; index < count; index++) {
    const { key } = lines.get(index);
    const name = ffi.string(key.data, key.len);
    names[index] = name;
  }
  return { names, count };
}

const header: HeaderText = { shared: '', cookie: undefined, referer: undefined };

/**
 * What a visitor sends alike with each request, and the lines that differ from one to the next by themselves. Nothing where
 * there is more of it than browsers send. The same object each time: whoever asks next overwrites it.
 */
export function headerText(): HeaderText | undefined {
  const request = get_request();
  const count = ffi.C.ngx_http_lua_ffi_req_get_headers_count(request, linesMax, isMore);
  if (count <= 0 || isMore[0] !== 0) return undefined;
  if (ffi.C.ngx_http_lua_ffi_req_get_headers(request, lines, count, 0) !== 0) return undefined;
  header.cookie = undefined;
  header.referer = undefined;
  let at = 0;
  for (let index = 0; index < count; index++) {
    const { key, value } = lines.get(index);
    if (isApart(key, value)) continue;
    if (at + key.len + value.len + 2 > bytesMax) return undefined;
    ffi.copy(plus(joined, at), key.data, key.len);
    at += key.len;
    joined.set(at, colon);
    ffi.copy(plus(joined, at + 1), value.data, value.len);
    at += 1 + value.len;
    joined.set(at, newline);
    at += 1;
  }
  header.shared = ffi.string(joined, at);
  return header;
}

/** A second line of the name is among the shared ones. */
function isApart(key: Text, value: Text): boolean {
  if (key.len !== 6 && key.len !== 7) return false;
  const name = ffi.string(key.data, key.len);
  if (name === 'cookie' && header.cookie === undefined) {
    header.cookie = ffi.string(value.data, value.len);
    return true;
  }
  if (name !== 'referer' || header.referer !== undefined) return false;
  header.referer = ffi.string(value.data, value.len);
  return true;
}
