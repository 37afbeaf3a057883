import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPattern } from '@breakwater/contract/pattern-find';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { toByteString } from '../lib/bytes.ts';
import { runVector, type Vector } from './vectors.ts';

const folder = new URL('../../vectors/', import.meta.url);
const matchRegex = (subject: string, pattern: string, insensitive: boolean) =>
  matchPattern(subject, pattern, insensitive);

const bytes = (text: string) => Buffer.from(text, 'latin1');
const digests = {
  sha256Hex: (text: string) => createHash('sha256').update(bytes(text)).digest('hex'),
  hmac: (key: string, text: string) =>
    createHmac('sha256', bytes(key)).update(bytes(text)).digest().toString('latin1'),
  toHex: (text: string) => bytes(text).toString('hex'),
  md5Hex: (text: string) => createHash('md5').update(bytes(text)).digest('hex'),
};

/** All text in a value as byte strings, as nginx has them. */
function inBytes(value: unknown): unknown {
  if (typeof value === 'string') return toByteString(value);
  if (Array.isArray(value)) return value.map(inBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [toByteString(name), inBytes(part)]));
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const decision = file.replace('.json', '');
  describe(`${decision} vectors`, () => {
    const vectors = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Vector[];
    it.each(vectors)('$about', ({ input, expect: wanted }) => {
      expect(
        runVector(decision, inBytes(input) as Record<string, unknown>, matchRegex, digests, findPattern),
      ).toEqual(inBytes(wanted));
    });
  });
}
