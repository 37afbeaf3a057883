import { findPattern } from '@breakwater/contract/pattern-find';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { toByteString } from '@breakwater/policy/lib/bytes';
import { runVector, type Vector } from '@breakwater/policy/vectors/vectors';

/** What `policy.test.ts` loads into a browser: the policy, and the vectors of one decision answered by it. */

/** Digests are the surroundings' affair, in nginx OpenSSL's. Bytes go as hexadecimal. */
function digest(...parts: string[]): string {
  const request = new XMLHttpRequest();
  request.open('POST', '/digest', false);
  request.send(JSON.stringify(parts.map(toHex)));
  return request.responseText;
}

const toHex = (text: string) =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const fromHex = (hex: string) =>
  (hex.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');

const digests = {
  sha256Hex: (text: string) => digest(text),
  hmac: (key: string, text: string) => fromHex(digest(key, text)),
  toHex,
  md5Hex: (text: string) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/md5', false);
    request.send(JSON.stringify([toHex(text)]));
    return request.responseText;
  },
};

function inBytes(value: unknown): unknown {
  if (typeof value === 'string') return toByteString(value);
  if (Array.isArray(value)) return value.map(inBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [toByteString(name), inBytes(part)]));
}

export type RunVectors = (decision: string, vectors: Vector[]) => { answers: unknown[]; wanted: unknown[] };

const run: RunVectors = (decision, vectors) => ({
  answers: vectors.map(({ input }) =>
    runVector(decision, inBytes(input) as Record<string, unknown>, matchPattern, digests, findPattern),
  ),
  wanted: vectors.map((vector) => inBytes(vector.expect)),
});
Object.assign(globalThis, { runVectors: run });
