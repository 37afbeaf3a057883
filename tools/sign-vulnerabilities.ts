import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  keyBytesOf,
  keyIdOf,
  signEdition,
  tryEdition,
} from '../apps/server/src/modules/known-vulnerability/edition-check.ts';

/**
 * `npm run sign-vulnerabilities -- new-key KEY.pem` makes a key and prints the public half;
 * `npm run sign-vulnerabilities -- KEY.pem EDITION.json [OUT.json]` tries an edition of the rules and signs it.
 */

function main([first = '', second = '', third = second]: string[]): void {
  if (first === '' || second === '') throw new Error('Name a key and a file; docs/detection.md says how.');
  if (first === 'new-key') makeKey(second);
  else sign(first, second, third);
}

function makeKey(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  const bytes = keyBytesOf(privateKey);
  console.log(`${bytes}\nis the public key, which files name ${keyIdOf(bytes)}`);
}

/** The edition may stand in a file that was signed before. */
function sign(keyPath: string, path: string, to: string): void {
  const read = JSON.parse(readFileSync(path, 'utf8')) as { edition?: unknown };
  const edition = read.edition ?? read;
  const { version, rules } = tryEdition(edition);
  const key = createPrivateKey(readFileSync(keyPath));
  if (createPublicKey(key).asymmetricKeyType !== 'ed25519') throw new Error('The key is not one of Ed25519.');
  writeFileSync(to, `${JSON.stringify(signEdition(edition, key), null, 2)}\n`);
  console.log(`${to}: version ${version}, ${rules.length} rules`);
}

main(process.argv.slice(2));
