import type { BasicAuth } from '@breakwater/contract/site-config/basic-auth';
import { decodeBase64 } from '../lib/base64.ts';
import { lowerAscii } from '../lib/text.ts';

/** Whether a visitor has given a name and a password that a site knows (RFC 7617). */

/** HMAC-SHA256 of a text under a key, in lower-case hexadecimal. */
export type HmacHex = (this: void, key: string, text: string) => string;

export type AuthState = 'missing' | 'bad' | 'good';

/** `field`: what came as `Authorization`. In several lines it is nobody's word. */
export function checkBasicAuth(
  users: BasicAuth['users'],
  field: string | undefined,
  hmacHex: HmacHex,
): AuthState {
  const given = credentialsOf(field);
  if (given === undefined) return field === undefined || field === '' ? 'missing' : 'bad';
  let isGood = false;
  for (const { name, password } of users) {
    const isTheirs =
      name === given.name && password !== undefined && isOfPassword(password, given.password, hmacHex);
    if (isTheirs) isGood = true;
  }
  return isGood ? 'good' : 'bad';
}

interface Credentials {
  name: string;
  password: string;
}

const fieldBytesMax = 1000;

function credentialsOf(field: string | undefined): Credentials | undefined {
  if (field === undefined || field.length > fieldBytesMax) return undefined;
  if (lowerAscii(field.substring(0, 6)) !== 'basic ') return undefined;
  let start = 6;
  while (field.charCodeAt(start) === 32) start += 1;
  const text = decodeBase64(field.substring(start));
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { name: text.substring(0, colon), password: text.substring(colon + 1) };
}

/** `h1.SALT.HMAC`, as it is kept. */
function isOfPassword(kept: string, password: string, hmacHex: HmacHex): boolean {
  const parts = kept.split('.');
  if (parts.length !== 3 || parts[0] !== 'h1' || parts[2]!.length !== 64) return false;
  return isSame(hmacHex(parts[1]!, password), parts[2]!);
}

/** In the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    if (one.charCodeAt(index) !== other.charCodeAt(index)) difference += 1;
  return difference === 0;
}
