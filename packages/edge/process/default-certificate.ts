import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { der, ecdsaWithSha256, objectId, pem, publicKeyInfo, sequence, time } from './der.ts';

const years = 20;

/** The pair shown to visitors whose host has no certificate. No browser trusts it; it only lets TLS come about. */
export async function ensureDefaultCertificate(folder: string): Promise<void> {
  const certificatePath = join(folder, 'default.crt');
  const keyPath = join(folder, 'default.key');
  if (existsSync(certificatePath) && existsSync(keyPath)) return;
  const { certificate, key } = makeSelfSigned('edge.invalid');
  await writeFile(`${keyPath}.new`, key, { mode: 0o600 });
  await writeFile(certificatePath, certificate);
  await rename(`${keyPath}.new`, keyPath);
}

/** A self-signed P-256 certificate for one name, and its key, in PEM (RFC 5280 §4.1). */
export function makeSelfSigned(name: string): { certificate: string; key: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const validFrom = Date.now() - 86_400_000;
  const alternativeName = sequence(objectId('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    names,
    sequence(time(validFrom), time(validFrom + years * 365 * 86_400_000)),
    names,
    publicKeyInfo(privateKey),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
