import { createPublicKey, type KeyObject } from 'node:crypto';

/** The little of DER (X.690) that certificates of ours need. */

export function publicKeyInfo(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}

/** One element of DER: tag, length, content. */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

export function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** UTCTime, which stands for the years up to 2049. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

export const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
