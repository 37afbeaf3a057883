import * as z from 'zod';
import { id, port, siteDomain, inputText } from '../common.ts';
import { condition } from '../condition.ts';

export const httpsRedirectStatuses = [301, 302, 307, 308] as const;
/** As nginx and OpenSSL spell them, oldest first. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];
export const cipherLevels = ['modern', 'compatible', 'old'] as const;
export type CipherLevel = (typeof cipherLevels)[number];
export const clientCertificateModes = ['off', 'optional', 'require'] as const;

const domainList = z.array(siteDomain).max(1000).default([]);

/** Plain HTTP is answered with a redirect. Challenges of ACME (RFC 8555 §8.3) never are. */
const forceHttps = z.strictObject({
  enabled: z.boolean().default(false),
  status: z.literal(httpsRedirectStatuses).default(301),
  /** Where visitors reach HTTPS; 443 is left out of the address. */
  port: port.default(443),
  /** Only these domains of the site; none: all. */
  only_domains: domainList,
  except_domains: domainList,
  /** Only requests that suit it; absent: all. */
  condition: condition.optional(),
});
export type ForceHttps = z.infer<typeof forceHttps>;

/** Strict-Transport-Security (RFC 6797), sent over HTTPS only, in place of the origin's. */
const hsts = z
  .strictObject({
    enabled: z.boolean().default(false),
    max_age_seconds: z.int().min(0).max(63_072_000).default(31_536_000),
    include_subdomains: z.boolean().default(false),
    preload: z.boolean().default(false),
  })
  .check((context) => {
    const { preload, include_subdomains, max_age_seconds } = context.value;
    // What browsers' preload lists ask for (hstspreload.org).
    if (preload && !(include_subdomains && max_age_seconds >= 31_536_000))
      context.issues.push({ code: 'custom', path: ['preload'], message: 'hsts_preload', input: preload });
  });
export type Hsts = z.infer<typeof hsts>;

/** Certificates of visitors, checked against the authorities in `ca` (PEM). */
const clientCertificate = z
  .strictObject({
    mode: z.enum(clientCertificateModes).default('off'),
    ca: inputText().trim().max(100_000).default(''),
    /** Certificates between the visitor's and the authority's. */
    depth: z.int().min(1).max(10).default(3),
    /** Tells the origin whose it was, in fields that no visitor can set; such requests go around the cache. */
    pass_to_origin: z.boolean().default(false),
  })
  .check((context) => {
    const { mode, ca } = context.value;
    if (mode !== 'off' && !ca.includes('-----BEGIN CERTIFICATE-----'))
      context.issues.push({ code: 'custom', path: ['ca'], message: 'certificate_invalid', input: ca });
  });
export type ClientCertificate = z.infer<typeof clientCertificate>;

export const certificatesPerSite = 50;

export const certificateSettings = z
  .strictObject({
    /** Chosen by SNI among these, one for each kind of key; none: the node's default certificate. */
    certificate_ids: z.array(id).max(certificatesPerSite).default([]),
    /** Verified domains that none of its certificates covers get one by themselves. */
    auto_certificate: z.boolean().default(false),
    /** Null: the platform's accounts by their priority. */
    auto_acme_account_id: id.nullable().default(null),
    /** Where records are written for wildcards, which are left out without; null: none. */
    auto_dns_account_id: id.nullable().default(null),
    force_https: forceHttps.prefault({}),
    hsts: hsts.prefault({}),
    min_version: z.enum(tlsVersions).default('TLSv1.2'),
    max_version: z.enum(tlsVersions).default('TLSv1.3'),
    cipher_level: z.enum(cipherLevels).default('compatible'),
    /** Hands the visitor what the authority says of the certificate, where the certificate names a responder. */
    ocsp_stapling: z.boolean().default(false),
    client_certificate: clientCertificate.prefault({}),
  })
  .check((context) => {
    const { min_version, max_version, cipher_level } = context.value;
    const refuse = (field: string, message: string, input: unknown) =>
      context.issues.push({ code: 'custom', path: [field], message, input });
    if (tlsVersions.indexOf(min_version) > tlsVersions.indexOf(max_version))
      refuse('max_version', 'tls_versions_reversed', max_version);
    // OpenSSL 3 speaks TLS before 1.2 with the old ciphers only.
    if (tlsVersions.indexOf(min_version) < tlsVersions.indexOf('TLSv1.2') && cipher_level !== 'old')
      refuse('cipher_level', 'tls_version_needs_old', cipher_level);
  });
export type CertificateSettings = z.infer<typeof certificateSettings>;
