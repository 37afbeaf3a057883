import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A text that was sealed, as tables hold it. */
export type Sealed = string & { readonly sealed: unique symbol };

/** Keys of this installation: for values encrypted in the database, for session tokens, for links that nodes answer. */
export interface Secrets {
  /** AES-256-GCM; answers `v2.<id of the key>.<base64url of iv, tag and text>`. */
  encrypt(text: string): Sealed;
  /** Throws when the value was written with a key that is not here. Values from before keys had ids are `v1.<base64url>`. */
  decrypt(value: string): string;
  /** The id of the key that a value was written with; undefined where it is none of these, or no sealed value. */
  keyOf(value: string): string | undefined;
  /** Ids of the keys for values, that which seals first. */
  readonly encryptionIds: readonly string[];
  /** Ids of the keys for sessions, that which signs first. The others sign nothing and are believed nothing. */
  readonly sessionIds: readonly string[];
  readonly sessionKey: Uint8Array;
  /** Nodes know it, so nothing else is signed with it. */
  readonly linkKey: string;
  /** What nodes of a line group seal TLS tickets with in a period, as nginx takes it: 80 bytes, AES-256 and HMAC. */
  ticketKey(lineGroupId: number, period: number): Buffer;
  /** What they sign browsers' passes with in a period. */
  passKey(lineGroupId: number, period: number): Buffer;
}

/** Of 32 bytes each. The first of each is used; the others are those that were used before, or will be. */
export interface Keys {
  encryption: readonly Buffer[];
  session: readonly Buffer[];
}

export const newKey = (): Buffer => randomBytes(32);

/** Says nothing of the key: it can be shown, logged and stored beside what the key has sealed. */
export const keyId = (key: Uint8Array): string =>
  createHmac('sha256', key).update('id of a key of Breakwater').digest('hex').slice(0, 12);

const sealedForm = /^v(?:1|2\.(?<id>[0-9a-f]{12}))\.(?<bytes>[\w-]{38,})$/;

/** By its form alone. */
export const isSealed = (text: string): boolean => sealedForm.test(text);

export function makeSecrets({ encryption, session }: Keys): Secrets {
  const keys = new Map(encryption.map((key) => [keyId(key), key]));
  const [sealing] = keys.keys();
  const [sessionKey] = session;
  if (sealing === undefined || sessionKey === undefined) throw new Error('there is no key');
  const open = (id: string, head: string, bytes: Buffer) => decipher(keys.get(id)!, head, bytes);
  return {
    encryptionIds: [...keys.keys()],
    sessionIds: session.map(keyId),
    sessionKey,
    linkKey: createHmac('sha256', sessionKey).update('links that nodes answer').digest('hex'),
    ticketKey: (lineGroupId, period) =>
      Buffer.from(hkdfSync('sha256', sessionKey, '', `TLS tickets ${lineGroupId} ${period}`, 80)),
    passKey: (lineGroupId, period) =>
      Buffer.from(hkdfSync('sha256', sessionKey, '', `browser passes ${lineGroupId} ${period}`, 32)),
    encrypt(text) {
      const head = `v2.${sealing}`;
      return `${head}.${encipher(keys.get(sealing)!, head, text).toString('base64url')}` as Sealed;
    },
    decrypt(value) {
      const { id, bytes } = partsOf(value);
      if (id !== undefined && !keys.has(id))
        throw new Error(`a value was sealed with the key ${id}, which this server does not have`);
      const found = id ?? keyOfFirstForm(keys, bytes);
      if (found === undefined)
        throw new Error('a value was sealed with a key that this server does not have');
      return open(found, id === undefined ? '' : `v2.${id}`, bytes);
    },
    keyOf(value) {
      if (!isSealed(value)) return undefined;
      const { id, bytes } = partsOf(value);
      if (id === undefined) return keyOfFirstForm(keys, bytes);
      return keys.has(id) && opens(keys.get(id)!, `v2.${id}`, bytes) ? id : undefined;
    },
  };
}

function partsOf(value: string) {
  const { id, bytes } = sealedForm.exec(value)?.groups ?? {};
  if (bytes === undefined) throw new Error('not an encrypted value');
  return { id, bytes: Buffer.from(bytes, 'base64url') };
}

/** The first form names no key: it is the one that opens it. */
function keyOfFirstForm(keys: ReadonlyMap<string, Buffer>, bytes: Buffer): string | undefined {
  for (const [id, key] of keys) if (opens(key, '', bytes)) return id;
  return undefined;
}

function encipher(key: Buffer, head: string, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(head));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function decipher(key: Buffer, head: string, bytes: Buffer): string {
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(head));
  cipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
}

function opens(key: Buffer, head: string, bytes: Buffer): boolean {
  try {
    decipher(key, head, bytes);
    return true;
  } catch {
    return false;
  }
}
