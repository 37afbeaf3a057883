import { createPrivateKey, X509Certificate } from 'node:crypto';
import { invalid } from '../../api-error.ts';

export interface CertificatePair {
  certificate: string;
  privateKey: string;
  /** DNS names of the subject alternative name extension, else the common name, lower-case. */
  domains: string[];
  issuer: string;
  /** SHA-256 in upper-case hex with colons. */
  fingerprint: string;
  notBefore: Date;
  notAfter: Date;
}

/** Reads a PEM pair. Field errors: not a certificate, not a key, or a key of another certificate. */
export function readCertificatePair(certificate: string, privateKey: string): CertificatePair {
  const leaf = readCertificate(certificate);
  const key = readKey(privateKey);
  if (!leaf.checkPrivateKey(key)) throw invalid('private_key', 'private_key_mismatch');
  return {
    certificate: `${certificate.trim()}\n`,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    domains: domainsOf(leaf),
    issuer: /(?:^|\n)(?:O|CN)=([^\n]+)/.exec(leaf.issuer)?.[1] ?? leaf.issuer,
    fingerprint: leaf.fingerprint256,
    notBefore: new Date(leaf.validFrom),
    notAfter: new Date(leaf.validTo),
  };
}

/** The certificates of a PEM text, one each. */
export const blocksOf = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];

function readCertificate(pem: string): X509Certificate {
  try {
    const [leaf] = blocksOf(pem).map((block) => new X509Certificate(block));
    if (leaf) return leaf;
  } catch {
    // Said below.
  }
  throw invalid('certificate', 'certificate_invalid');
}

function readKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    throw invalid('private_key', 'private_key_invalid');
  }
}

function domainsOf(leaf: X509Certificate): string[] {
  const names = [...(leaf.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map((match) =>
    match[1]!.toLowerCase(),
  );
  if (names.length > 0) return [...new Set(names)];
  const common = /(?:^|\n)CN=([^\n]+)/.exec(leaf.subject)?.[1];
  return common === undefined ? [] : [common.toLowerCase()];
}
