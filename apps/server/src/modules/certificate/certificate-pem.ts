import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { invalid } from '../../api-error.ts';
import { chainOf, checkChain } from './certificate-chain.ts';

export interface CertificatePair {
  /** In PEM, each certificate before the one that issued it. */
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

/**
 * Reads a chain and its key from PEM. Both texts may hold anything of both, in any order, and more besides: the certificate is
 * the one that the key belongs to, its chain what leads on from it; the rest is left out. Field errors: what cannot be read,
 * does not belong together, or is refused by nodes or browsers.
 */
export function readCertificatePair(certificate: string, privateKey: string): CertificatePair {
  const blocks = [...blocksIn(certificate), ...blocksIn(privateKey)];
  const certificates = readCertificates(blocks);
  const keys = readKeys(blocks);
  const leaf = newest(certificates.filter((one) => keys.some((key) => one.checkPrivateKey(key))));
  if (!leaf) throw invalid('private_key', 'private_key_mismatch');
  const key = keys.find((one) => leaf.checkPrivateKey(one))!;
  const chain = chainOf(leaf, certificates);
  checkChain(chain);
  const domains = domainsOf(leaf);
  if (domains.length === 0) throw invalid('certificate', 'certificate_no_names');
  return {
    certificate: chain.map((one) => one.toString()).join(''),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    domains,
    issuer: issuerName(leaf),
    fingerprint: leaf.fingerprint256,
    notBefore: new Date(leaf.validFrom),
    notAfter: new Date(leaf.validTo),
  };
}

/** The certificates of a PEM text, one each. */
export const blocksOf = (pem: string): string[] =>
  blocksIn(pem).flatMap(({ label, text }) => (label === 'CERTIFICATE' ? [text] : []));

interface Block {
  label: string;
  text: string;
}

/** Everything of a PEM text, in its order. Each text is gone through once, however many beginnings without an end it has. */
export function blocksIn(pem: string): Block[] {
  const blocks: Block[] = [];
  const endless = new Set<string>();
  const begin = /-----BEGIN ([A-Z0-9 ]+)-----/g;
  for (let found = begin.exec(pem); found; found = begin.exec(pem)) {
    const label = found[1]!;
    const mark = `-----END ${label}-----`;
    const end = endless.has(label) ? -1 : pem.indexOf(mark, begin.lastIndex);
    if (end < 0) {
      endless.add(label);
      continue;
    }
    begin.lastIndex = end + mark.length;
    // An older name for the same (RFC 7468 §4).
    const text = pem.slice(found.index, begin.lastIndex).replaceAll('X509 CERTIFICATE', 'CERTIFICATE');
    blocks.push({ label: label === 'X509 CERTIFICATE' ? 'CERTIFICATE' : label, text });
  }
  return blocks;
}

function readCertificates(blocks: readonly Block[]): X509Certificate[] {
  const found = blocks.filter(({ label }) => label === 'CERTIFICATE');
  if (found.length === 0) throw invalid('certificate', 'certificate_invalid');
  try {
    return found.map(({ text }) => new X509Certificate(text));
  } catch {
    throw invalid('certificate', 'certificate_invalid');
  }
}

function readKeys(blocks: readonly Block[]): KeyObject[] {
  const found = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  if (found.length === 0) throw invalid('private_key', 'private_key_invalid');
  // As OpenSSL writes them today, and as it wrote them before (RFC 1421 §4.6.1.1).
  if (found.some(({ label, text }) => label.startsWith('ENCRYPTED') || text.includes('4,ENCRYPTED')))
    throw invalid('private_key', 'private_key_encrypted');
  try {
    return found.map(({ text }) => createPrivateKey(text));
  } catch {
    throw invalid('private_key', 'private_key_invalid');
  }
}

/** Of those that one key has had, the last to end. */
const newest = (certificates: readonly X509Certificate[]): X509Certificate | undefined =>
  certificates.toSorted((one, other) => Date.parse(other.validTo) - Date.parse(one.validTo))[0];

const issuerName = ({ issuer }: X509Certificate): string =>
  /(?:^|\n)(?:O|CN)=([^\n]+)/.exec(issuer)?.[1] ?? issuer;

function domainsOf(leaf: X509Certificate): string[] {
  const names = namesOf(leaf);
  if (names.length > 0) return [...new Set(names)];
  const common = /(?:^|\n)CN=([^\n]+)/.exec(leaf.subject)?.[1];
  return common === undefined ? [] : [common.toLowerCase()];
}

/** DNS names of the subject alternative name extension. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map((match) => match[1]!.toLowerCase());
