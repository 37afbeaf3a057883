import { chmod, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { newKey, type Keys } from '../secrets.ts';

/** Where the keys of this server come from: two variables of the environment, or `keys/secrets.json` of the data folder. */

export const keyVariables = 'ENCRYPTION_KEYS and SESSION_KEYS';
export const keyFileOf = (dataDir: string): string => join(dataDir, 'keys', 'secrets.json');

/** Where they come from, for whoever reads it. */
export const placeOfKeys = (config: KeyConfig): string =>
  config.encryptionKeys.length > 0 ? keyVariables : keyFileOf(config.dataDir);

export type KeyConfig = Pick<Config, 'dataDir' | 'encryptionKeys' | 'sessionKeys'>;

const key = z.base64().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 32) return bytes;
  context.issues.push({ code: 'custom', message: 'a key has 32 bytes', input: text });
  return z.NEVER;
});
/** One key in files of earlier versions. */
const keyList = z.union([z.array(key).min(1), key.transform((one) => [one])]);
const keyFile = z.object({ encryption: keyList, session: keyList });

/** Makes the file where there is none. */
export async function loadKeys(config: KeyConfig): Promise<Keys> {
  await makeFolder(config.dataDir);
  if (config.encryptionKeys.length > 0)
    return { encryption: config.encryptionKeys, session: config.sessionKeys };
  const file = keyFileOf(config.dataDir);
  const fresh = textOf({ encryption: [newKey()], session: [newKey()] });
  try {
    await writeFile(file, fresh, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readKeyFile(file);
}

/** Throws where it holds no keys. */
async function readKeyFile(file: string): Promise<Keys> {
  const text = await readFile(file, 'utf8');
  try {
    return keyFile.parse(JSON.parse(text));
  } catch {
    // Neither the text nor what a parser says of it: both hold keys.
    throw new Error(`${file} holds no keys. Put back the copy that you kept of it.`);
  }
}

/** Replaces the file. It is on the disk before it takes the place of the old one, which nothing could bring back. */
export async function writeKeyFile(file: string, keys: Keys): Promise<void> {
  const aside = `${file}.new`;
  await writeFile(aside, textOf(keys), { mode: 0o600 });
  const handle = await open(aside, 'r');
  await handle.sync();
  await handle.close();
  await rename(aside, file);
}

const textOf = ({ encryption, session }: Keys): string => {
  const inText = (keys: readonly Buffer[]) => keys.map((each) => each.toString('base64'));
  return `${JSON.stringify({ encryption: inText(encryption), session: inText(session) })}\n`;
};

/** First passwords lie in it too. */
async function makeFolder(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'keys');
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
}
