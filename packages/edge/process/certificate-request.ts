import { generateKeyPairSync, sign } from 'node:crypto';
import { der, ecdsaWithSha256, pem, publicKeyInfo, sequence } from './der.ts';

/** A new P-256 key and a request to have it certified (PKCS #10, RFC 2986), in PEM. It names nobody: who signs knows who asks. */
export function makeCertificateRequest(): { request: string; key: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = sequence(
    der(0x02, Buffer.from([0])),
    sequence(),
    publicKeyInfo(privateKey),
    der(0xa0, Buffer.alloc(0)),
  );
  const signature = sign('sha256', content, privateKey);
  return {
    request: pem(
      'CERTIFICATE REQUEST',
      sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature)),
    ),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
