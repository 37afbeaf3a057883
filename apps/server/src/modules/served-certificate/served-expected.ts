import { certificateCovers } from '@breakwater/policy/http/host';
import { X509Certificate } from 'node:crypto';

/** A certificate of a site, in the order in which the site names them. */
export interface SiteCertificate {
  domains: string[];
  /** In PEM, the certificate itself first. */
  pem: string;
}

export interface Expected {
  keyType: 'rsa' | 'ec';
  serial: string;
  /** Fingerprints. */
  chain: string[];
  /** It names a responder over HTTP, and its issuer, which the question needs, is there. */
  canStaple: boolean;
}

interface Read extends Expected {
  domains: string[];
}

export const readCertificates = (certificates: readonly SiteCertificate[]): Read[] =>
  certificates.map(({ domains, pem }) => {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    const chain = blocks.map((block) => new X509Certificate(block));
    return {
      domains,
      keyType: chain[0]?.publicKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec',
      serial: chain[0]?.serialNumber ?? '',
      chain: chain.map(({ fingerprint256 }) => fingerprint256),
      canStaple: chain.length > 1 && (chain[0]!.infoAccess?.includes('OCSP - URI:http://') ?? false),
    };
  });

/** What nodes serve a host: the first that covers it for each kind of key (`packages/edge/lua/tls/tls.ts`). */
export function expectedFor(host: string, certificates: readonly Read[]): Expected[] {
  const covering = certificates.filter(({ domains }) =>
    domains.some((name) => certificateCovers(name, host)),
  );
  return covering.filter(
    ({ keyType }, index) => covering.findIndex((other) => other.keyType === keyType) === index,
  );
}

/** A host that a domain stands for. */
export const hostOf = (domain: string): string =>
  domain.startsWith('*.') ? `breakwater-check${domain.slice(1)}` : domain;
