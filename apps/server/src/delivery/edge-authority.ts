import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import { invalid } from '../api-error.ts';
import type { Db } from '../db/database.ts';
import { edgeAuthority } from '../db/schema.ts';
import type { Secrets } from '../secrets.ts';

/** The authority that nodes know each other by (docs/origin-shield.md): nothing else trusts it, and it signs nothing else. */

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMilliseconds = 86_400_000;
const authorityDays = 20 * 365;
const nodeDays = 7;
/** Clocks of nodes are off by less. */
const earlierMilliseconds = dayMilliseconds / 24;
// Node's own types of the same objects differ from the browser's, which the library names.
const crypto = webcrypto as never;

export interface EdgeAuthority {
  /** In PEM. */
  certificate: string;
  privateKey: string;
}

async function readAuthority(db: Db, secrets: Secrets): Promise<EdgeAuthority | undefined> {
  const [row] = await db.select().from(edgeAuthority);
  return row && { certificate: row.certificate, privateKey: secrets.decrypt(row.privateKey) };
}

/** Made where there is none. Of servers that make one at once, the first has its way. */
export async function ensureAuthority(db: Db, secrets: Secrets): Promise<EdgeAuthority> {
  const found = await readAuthority(db, secrets);
  if (found) return found;
  const { certificate, privateKey } = await makeAuthority();
  await db
    .insert(edgeAuthority)
    .values({ certificate, privateKey: secrets.encrypt(privateKey) })
    .onConflictDoNothing();
  return (await readAuthority(db, secrets))!;
}

async function makeAuthority(): Promise<EdgeAuthority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerial(),
      name: 'CN=Breakwater nodes',
      ...validity(authorityDays, Date.now()),
      signingAlgorithm: algorithm,
      keys: keys as never,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey as never, false, crypto),
      ],
    },
    crypto,
  );
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The name that a node is known by to others (`nameOfNode` of the edge). */
const nameOfNode = (id: number): string => `node-${id}.shield.internal`;

/** A certificate for the key of a request; whose it is the caller knows, whatever the request says. */
export async function issueForNode(
  authority: EdgeAuthority,
  nodeId: number,
  request: string,
  now = Date.now(),
): Promise<string> {
  const publicKey = await keyOfRequest(request);
  const bytes = createPrivateKey(authority.privateKey).export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
  const issuer = new X509Certificate(authority.certificate);
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerial(),
      subject: `CN=node-${nodeId}`,
      issuer: issuer.subject,
      ...validity(nodeDays, now),
      signingAlgorithm: algorithm,
      publicKey: publicKey as never,
      signingKey: signingKey as never,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: nameOfNode(nodeId) }]),
        await AuthorityKeyIdentifierExtension.create(issuer, false, crypto),
      ],
    },
    crypto,
  );
  return `${certificate.toString('pem')}\n`;
}

/** Of a request that is signed with it: who sent it has the key. */
async function keyOfRequest(pem: string): Promise<webcrypto.CryptoKey> {
  try {
    const request = new Pkcs10CertificateRequest(pem);
    if (!(await request.verify(crypto))) throw new Error('the signature is another');
    return await webcrypto.subtle.importKey('spki', request.publicKey.rawData, algorithm, true, ['verify']);
  } catch {
    throw invalid('request', 'certificate_request_invalid');
  }
}

function validity(days: number, now: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - earlierMilliseconds), notAfter: new Date(now + days * dayMilliseconds) };
}

/** Positive, of 16 bytes (RFC 5280 §4.1.2.2). */
function newSerial(): string {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return serial.toString('hex');
}
