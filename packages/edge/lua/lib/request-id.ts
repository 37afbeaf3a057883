import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

ffi.cdef('int RAND_bytes(unsigned char *bytes, int count);');

/**
 * Names requests. nginx's own `$request_id` has OpenSSL draw 16 random bytes for each, which costs a hit as much as all of the
 * edge's Lua does. Drawn for many at once they are as random, and cost next to nothing.
 */

const name = 'edge_request_id';
const bytesEach = 16;
const digitsEach = 2 * bytesEach;
const atOnce = 256;
const random = ffi.new(`unsigned char[${atOnce * bytesEach}]`);
const digits = ffi.new(`unsigned char[${atOnce * digitsEach}]`);
const lowered = ffi.new('unsigned char[64]');
const complaint = ffi.new('unsigned char[256]');
const complaintLength = ffi.new('size_t[1]');
/** Of each worker: the master names none, so no two workers go on with the same. */
let used = atOnce;

/** Sets `$edge_request_id`, which else is nginx's own: for requests that are too broken to get here. */
export function nameRequest(): void {
  if (used === atOnce && !draw()) return;
  complaintLength[0] = 256;
  ffi.C.ngx_http_lua_ffi_var_set(
    get_request(),
    name,
    name.length,
    lowered,
    plus(digits, used * digitsEach),
    digitsEach,
    complaint,
    complaintLength,
  );
  used += 1;
}

/** False: OpenSSL has none. */
function draw(): boolean {
  if (ffi.C.RAND_bytes(random, atOnce * bytesEach) !== 1) return false;
  ffi.C.ngx_hex_dump(digits, random, atOnce * bytesEach);
  used = 0;
  return true;
}
