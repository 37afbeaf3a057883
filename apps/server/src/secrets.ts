import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keys of this installation: for values encrypted in the database, for session tokens, for links that nodes answer. */
export interface Secrets {
  /** AES-256-GCM; answers `v1.<base64url of iv, tag and text>`. */
  encrypt(text: string): string;
  /** Throws when the value was not written with this key. */
  decrypt(value: string): string;
  readonly sessionKey: Uint8Array;
  /** Nodes know it, so nothing else is signed with it. */
  readonly linkKey: string;
}

/**
 * Reads `keys/secrets.json` of the data folder and makes it on first start. Several servers on one database share the
 * file; without it node secrets and private keys in the database cannot be read.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const folder = join(dataDir, 'keys');
  const file = join(folder, 'secrets.json');
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  const fresh = {
    encryption: randomBytes(32).toString('base64'),
    session: randomBytes(32).toString('base64'),
  };
  try {
    await writeFile(file, JSON.stringify(fresh), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stored = JSON.parse(await readFile(file, 'utf8')) as typeof fresh;
  return makeSecrets(Buffer.from(stored.encryption, 'base64'), Buffer.from(stored.session, 'base64'));
}

export function makeSecrets(encryptionKey: Buffer, sessionKey: Buffer): Secrets {
  return {
    sessionKey,
    linkKey: createHmac('sha256', sessionKey).update('links that nodes answer').digest('hex'),
    encrypt(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    decrypt(value) {
      if (!value.startsWith('v1.')) throw new Error('not an encrypted value');
      const bytes = Buffer.from(value.slice(3), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
