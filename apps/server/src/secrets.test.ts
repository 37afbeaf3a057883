import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { isSealed, keyId, makeSecrets, newKey } from './secrets.ts';

const session = [newKey()];
const [old, current] = [newKey(), newKey()];
const one = makeSecrets({ encryption: [old], session });
const both = makeSecrets({ encryption: [current, old], session });
const other = makeSecrets({ encryption: [newKey()], session });

/** As versions before keys had ids wrote it. */
function firstForm(key: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

it('a sealed value names its key, and is opened by whoever has it', () => {
  const sealed = one.encrypt('a secret');
  expect(sealed).toMatch(new RegExp(`^v2\\.${keyId(old)}\\.[\\w-]+$`));
  expect(isSealed(sealed)).toBe(true);
  expect([one, both].map((secrets) => secrets.decrypt(sealed))).toEqual(['a secret', 'a secret']);
  expect(both.keyOf(sealed)).toBe(keyId(old));
  expect(both.encrypt('x')).toContain(keyId(current));
  expect(() => other.decrypt(sealed)).toThrow(keyId(old));
  expect(other.keyOf(sealed)).toBeUndefined();
});

it('values of the first form are read', () => {
  const stored = firstForm(old, 'from before');
  expect(isSealed(stored)).toBe(true);
  expect(both.decrypt(stored)).toBe('from before');
  expect(both.keyOf(stored)).toBe(keyId(old));
  expect(() => other.decrypt(stored)).toThrow('a key that this server does not have');
});

it('an empty text is sealed as well', () => {
  expect(isSealed(one.encrypt(''))).toBe(true);
  expect(one.decrypt(one.encrypt(''))).toBe('');
});

it('what was changed, or moved under another name of a key, is not opened', () => {
  const sealed = one.encrypt('a secret');
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  expect(() => one.decrypt(changed)).toThrow('unable to authenticate data');
  expect(() => both.decrypt(sealed.replace(keyId(old), keyId(current)))).toThrow(
    'unable to authenticate data',
  );
  expect(() => one.decrypt(sealed.replace(/^v2\.\w+/, 'v1'))).toThrow('does not have');
  expect(() => one.decrypt('plain')).toThrow('not an encrypted value');
  expect(one.keyOf(changed)).toBeUndefined();
});
