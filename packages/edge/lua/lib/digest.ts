import type { Digests } from '@breakwater/policy/origin/sigv4';
import * as ffi from 'ffi';

ffi.cdef(`unsigned char *SHA256(const unsigned char *data, size_t length, unsigned char *digest);
const void *EVP_sha256(void);
void *HMAC_CTX_new(void);
int HMAC_Init_ex(void *context, const char *key, int key_length, const void *kind, void *engine);
int HMAC_Update(void *context, const char *data, size_t length);
int HMAC_Final(void *context, unsigned char *digest, unsigned int *digest_length);
unsigned char *ngx_hex_dump(unsigned char *to, const unsigned char *from, size_t length);`);
const digest = ffi.new('unsigned char[32]');
const sha256 = ffi.C.EVP_sha256();
const dumpedMax = 64;
const dumped = ffi.new(`unsigned char[${2 * dumpedMax}]`);

export function toHex(bytes: string): string {
  if (bytes.length > dumpedMax)
    return toHex(string.sub(bytes, 1, dumpedMax)) + toHex(string.sub(bytes, dumpedMax + 1));
  ffi.C.ngx_hex_dump(dumped, bytes, bytes.length);
  return ffi.string(dumped, 2 * bytes.length);
}

export function sha256Hex(text: string): string {
  ffi.C.SHA256(text, text.length, digest);
  return toHex(ffi.string(digest, 32));
}

const context = ffi.C.HMAC_CTX_new();
/** Whose key the context has: to make another ready takes longer than to sign with it. */
let keyOfContext: string | undefined;

/** Into `digest`. */
function sign(key: string, text: string): void {
  if (key === keyOfContext) ffi.C.HMAC_Init_ex(context, undefined, 0, undefined, undefined);
  else ffi.C.HMAC_Init_ex(context, key, key.length, sha256, undefined);
  keyOfContext = key;
  ffi.C.HMAC_Update(context, text, text.length);
  ffi.C.HMAC_Final(context, digest, undefined);
}

function hmac(key: string, text: string): string {
  sign(key, text);
  return ffi.string(digest, 32);
}

/** Of a signature its first half: 128 bits. No string is made but the one that is wanted. */
export function shortHmacHex(key: string, text: string): string {
  sign(key, text);
  ffi.C.ngx_hex_dump(dumped, digest, 16);
  return ffi.string(dumped, 32);
}

export const hmacHex = (key: string, text: string): string => toHex(hmac(key, text));

export const md5Hex = (text: string): string => toHex(ngx.md5_bin(text));

export const digests: Digests = { sha256Hex, hmac, toHex, md5Hex };
