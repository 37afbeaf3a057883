import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from '@peculiar/x509';
import { createPrivateKey, createPublicKey, generateKeyPair, webcrypto, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { CertificateKeyType } from '@breakwater/contract';

/** Keys of certificates, what is sent to have one signed, and by what an authority knows one that it issued. */

const generate = promisify(generateKeyPair);

/** In PEM (PKCS #8). */
export async function newCertificateKey(type: CertificateKeyType): Promise<string> {
  const { privateKey } =
    type === 'rsa_2048' || type === 'rsa_4096'
      ? await generate('rsa', { modulusLength: type === 'rsa_2048' ? 2048 : 4096 })
      : await generate('ec', { namedCurve: type === 'ecdsa_p256' ? 'P-256' : 'P-384' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The type of a key that is there; undefined for one that is made otherwise. */
export function typeOfKey(pem: string): CertificateKeyType | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
  if (asymmetricKeyType === 'rsa')
    return asymmetricKeyDetails?.modulusLength === 2048
      ? 'rsa_2048'
      : asymmetricKeyDetails?.modulusLength === 4096
        ? 'rsa_4096'
        : undefined;
  if (asymmetricKeyType !== 'ec') return undefined;
  return asymmetricKeyDetails?.namedCurve === 'prime256v1'
    ? 'ecdsa_p256'
    : asymmetricKeyDetails?.namedCurve === 'secp384r1'
      ? 'ecdsa_p384'
      : undefined;
}

function algorithmOf(key: KeyObject) {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const isSmall = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return {
    name: 'ECDSA',
    namedCurve: isSmall ? 'P-256' : 'P-384',
    hash: isSmall ? 'SHA-256' : 'SHA-384',
  };
}

/** A request for a certificate of these names, in DER (RFC 2986). It names no subject: names stand in the extension alone. */
export async function certificateRequest(pem: string, names: readonly string[]): Promise<Buffer> {
  const key = createPrivateKey(pem);
  const algorithm = algorithmOf(key);
  const bytes = key.export({ type: 'pkcs8', format: 'der' });
  const privateKey = await webcrypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
  const open = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const publicKey = await webcrypto.subtle.importKey('spki', open, algorithm, true, ['verify']);
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      // Node's own types of the same objects differ from the browser's, which the library names.
      keys: { privateKey, publicKey } as never,
      signingAlgorithm: algorithm,
      extensions: [
        new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
      ],
    },
    webcrypto as never,
  );
  return Buffer.from(request.rawData);
}

/** What renewal information is asked by (RFC 9773 §4.1); undefined of a certificate that names no key of its authority. */
export function renewalId(pem: string): string | undefined {
  const certificate = new X509Certificate(pem);
  const authority = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (authority === undefined) return undefined;
  // As the certificate has it in DER: a positive number whose first bit is set has a zero before it.
  const serial = Buffer.from(certificate.serialNumber, 'hex');
  const number = serial[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), serial]) : serial;
  return `${Buffer.from(authority, 'hex').toString('base64url')}.${number.toString('base64url')}`;
}

export const derOf = (pem: string): Buffer => Buffer.from(new X509Certificate(pem).rawData);
