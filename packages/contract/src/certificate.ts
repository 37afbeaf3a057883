import * as z from 'zod';
import {
  count,
  dateTime,
  id,
  idParams,
  idsText,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  inputText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { fileAnswer } from './file.ts';
import { secret } from './secret.ts';
import { documentDelivery } from './site.ts';
import { certificatesPerSite } from './site-config/certificate-settings.ts';

/** A certificate that ends within so many days expires soon. */
export const certificateSoonDays = 30;
export const certificateStatuses = ['valid', 'expires_soon', 'expired'] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

/** What nodes can serve with; `other`: what they cannot. */
export const certificateKeyKinds = ['rsa', 'ecdsa', 'other'] as const;
export const certificateKey = z.strictObject({ key_type: z.enum(certificateKeyKinds), key_bits: z.int() });
export type CertificateKey = z.infer<typeof certificateKey>;

const pemText = inputText().trim().max(100_000);
const pfxText = inputText()
  .max(200_000)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: 'pfx_invalid' });

/** What certificates are sorted by, in whatever way suits their owner; empty: in none. */
export const certificateGroupName = inputText().trim().max(60);

/**
 * A certificate and its key. Both texts may hold whatever files of certificates do, in any order: the key, its certificate, the
 * intermediate ones and more. Nothing of a key is ever given back.
 */
const pairInput = {
  certificate: pemText.optional(),
  private_key: secret(pemText.clone()).optional(),
  /** In the place of both: a PKCS#12 file, in base64. */
  pfx: secret(pfxText.clone()).optional(),
  pfx_password: secret(inputText().max(500)).optional(),
};
const isThere = (text: string | undefined): boolean => text !== undefined && text !== '';

/** `client_id` is for administrators, whose certificate is the platform's own without; a customer's is their own. */
export const certificateInput = z
  .strictObject({
    name,
    ...pairInput,
    group_name: certificateGroupName.default(''),
    client_id: id.optional(),
  })
  .check((context) => {
    const { certificate, pfx } = context.value;
    if (!isThere(certificate) && !isThere(pfx))
      context.issues.push({ code: 'custom', path: ['certificate'], message: 'required', input: certificate });
  });

/** A name, and what the certificate is replaced with; every site that uses it follows. Without that it stays. */
export const certificateChange = z
  .strictObject({
    name,
    ...pairInput,
    /** Absent: it stays in the group it is in. */
    group_name: certificateGroupName.optional(),
    /** Replaced even where domains of sites lose their certificate by it. */
    allow_uncovered: z.boolean().default(false),
  })
  .check((context) => {
    const { certificate, private_key: key, pfx } = context.value;
    if (isThere(key) && !isThere(certificate) && !isThere(pfx))
      context.issues.push({ code: 'custom', path: ['certificate'], message: 'required', input: certificate });
  });

export const certificate = z.strictObject({
  id,
  /** Null: the platform's own. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  name: z.string(),
  group_name: z.string(),
  domains: z.array(z.string()),
  issuer: z.string(),
  fingerprint: z.string(),
  not_before: dateTime,
  not_after: dateTime,
  status: z.enum(certificateStatuses),
  site_count: z.int(),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type Certificate = z.infer<typeof certificate>;

/** One of a chain. */
const chainPart = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  /** In hex, as browsers show it. */
  serial: z.string(),
  fingerprint: z.string(),
  /** As OpenSSL calls it: `ecdsa-with-SHA256`. */
  signature: z.string(),
  ...certificateKey.shape,
  not_before: dateTime,
  not_after: dateTime,
});

/** A site that uses a certificate. */
export const certificateUser = z.strictObject({
  id,
  domain: z.string(),
  /** Those of its domains that the certificate covers. */
  covered: z.array(z.string()),
  /** Those that no certificate of the site covers. */
  uncovered: z.array(z.string()),
});

/** So many of the sites that use one are listed. */
export const certificateUsersMax = 200;

export const certificateDetail = certificate.extend({
  /** The certificate itself first. */
  chain: z.array(chainPart),
  /** What visitors may stumble over, in the reader's language. */
  warnings: z.array(z.string()),
  sites: z.array(certificateUser),
  /** Null while no node has to have it. */
  delivery: documentDelivery.nullable(),
});
export type CertificateDetail = z.infer<typeof certificateDetail>;

/** So many names of one certificate are looked up. */
export const caaDomainsMax = 20;
/** Which authorities a domain lets issue certificates for it (RFC 8659), as the DNS has it now. */
const domainCaa = z.strictObject({
  domain: z.string(),
  /** Where the records stand: the domain, or one above it; empty where there are none. */
  found_at: z.string(),
  /** As a zone file has them: `0 issue "letsencrypt.org"`. */
  records: z.array(z.string()),
  /** The DNS gave no answer. */
  failed: z.boolean(),
});
export type DomainCaa = z.infer<typeof domainCaa>;

const certificateFilters = {
  name: optionalText,
  domain: optionalText,
  /** A part of its name, of its group or of a domain. */
  keyword: optionalText,
  /** The whole name of a group. */
  group_name: optionalText,
  status: z.enum(certificateStatuses).optional(),
  /** Whether a site uses it. */
  used: z.enum(['yes', 'no']).optional(),
  client_id: optionalIdText,
  /** `platform`: those that are no customer's. */
  owner: z.enum(['platform']).optional(),
};

/** One call removes so many. */
export const certificatesRemovedMax = 1000;

/** Certificates by their ids, or by what the list is narrowed to and how many that were. Exactly one of both. */
const certificateSelection = z
  .strictObject({
    certificate_ids: z.array(id).min(1).max(certificatesRemovedMax).optional(),
    filter: z.strictObject(certificateFilters).optional(),
    /** With a filter: how many its list counted. Where there are more or fewer by now, nothing is done. */
    expected_total: count.optional(),
  })
  .check((context) => {
    const { certificate_ids: ids, filter, expected_total: expected } = context.value;
    if ((ids === undefined) === (filter === undefined))
      context.issues.push({ code: 'custom', path: ['certificate_ids'], message: 'required', input: ids });
    else if (filter !== undefined && expected === undefined)
      context.issues.push({ code: 'custom', path: ['expected_total'], message: 'required', input: expected });
  });
export type CertificateSelection = z.output<typeof certificateSelection>;

/** One of the files of an upload of many, whatever it holds: a certificate, a key, a chain, all of it. */
export const certificateFile = z
  .strictObject({
    name: inputText().trim().min(1).max(200),
    pem: secret(pemText.clone()).optional(),
    /** In the place of that: a PKCS#12 file, in base64. */
    pfx: secret(pfxText.clone()).optional(),
  })
  .check((context) => {
    const { pem, pfx } = context.value;
    if (isThere(pem) === isThere(pfx))
      context.issues.push({ code: 'custom', path: ['pem'], message: 'required', input: pem });
  });

export type CertificateFileInput = z.output<typeof certificateFile>;

const bodyBytesMax = 512 * 1024;
/** With what visitors may stumble over, in the reader's language. */
const warnings = z.array(z.string());

export const certificateRoutes = defineRoutes({
  listCertificates: {
    method: 'GET',
    path: '/prod-api/certificate',
    summary: 'List certificates, those that expire first on top.',
    access: { kind: 'both', permission: 'certificate.read' },
    query: listQuery({
      ...certificateFilters,
      /** These alone, by comma. */
      ids: idsText(certificatesPerSite).optional(),
    }),
    response: listOf(certificate),
  },
  getCertificate: {
    method: 'GET',
    path: '/prod-api/certificate/{id}',
    summary: 'Get a certificate with its chain, the sites that use it and its state on the nodes.',
    access: { kind: 'both', permission: 'certificate.read' },
    params: idParams,
    response: certificateDetail,
  },
  createCertificate: {
    method: 'POST',
    path: '/prod-api/certificate',
    summary:
      'Upload a certificate and its private key, in PEM format or as a PKCS#12 file. The chain is sorted and checked.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: certificateInput,
    response: z.strictObject({ id, warnings }),
    bodyBytesMax,
  },
  updateCertificate: {
    method: 'PUT',
    path: '/prod-api/certificate/{id}',
    summary:
      'Rename a certificate, or replace it with a new one. All sites that use it follow; the task ends when all nodes have confirmed.',
    access: { kind: 'both', permission: 'certificate.write' },
    params: idParams,
    body: certificateChange.safeExtend({ version }),
    /** No task where nodes have nothing new to learn. */
    response: z.strictObject({ task_id: id.nullable(), warnings }),
    bodyBytesMax,
  },
  getCertificateCaa: {
    method: 'GET',
    path: '/prod-api/certificate/{id}/caa',
    cost: 'refresh',
    summary: 'Look up the CAA records of the domains of a certificate: who may issue certificates for them.',
    access: { kind: 'both', permission: 'certificate.read' },
    params: idParams,
    response: z.strictObject({ domains: z.array(domainCaa).max(caaDomainsMax) }),
  },
  downloadCertificate: {
    method: 'GET',
    path: '/prod-api/certificate/{id}/chain',
    transport: 'file',
    summary: 'Download the certificate and its chain in PEM format, without the private key.',
    access: { kind: 'both', permission: 'certificate.read' },
    params: idParams,
    response: fileAnswer('application/x-pem-file'),
  },
  removeCertificate: {
    method: 'DELETE',
    path: '/prod-api/certificate/{id}',
    summary: 'Delete a certificate that no site uses.',
    access: { kind: 'both', permission: 'certificate.write' },
    params: idParams,
    response: nothing,
  },
  removeCertificates: {
    method: 'POST',
    path: '/prod-api/certificate/batch_delete',
    summary: 'Delete many certificates. Those that sites use are kept, and listed with their sites.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: z.strictObject({ certificates: certificateSelection }),
    response: z.strictObject({
      removed: count,
      kept: z.array(
        z.strictObject({
          id,
          name: z.string(),
          sites: z.array(z.strictObject({ id, domain: z.string() })),
          site_count: z.int(),
        }),
      ),
    }),
  },
  listCertificateGroups: {
    method: 'GET',
    path: '/prod-api/certificate_group',
    summary: 'List the groups that certificates are in, with how many each has.',
    access: { kind: 'both', permission: 'certificate.read' },
    query: listQuery({ name: optionalText, client_id: optionalIdText }),
    response: listOf(z.strictObject({ name: z.string(), certificates: count })),
  },
  groupCertificates: {
    method: 'POST',
    path: '/prod-api/certificate/batch_group',
    summary:
      'Move certificates into a group, or out of any with an empty name. Returns the groups they were in.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: z.strictObject({
      certificates: certificateSelection,
      group_name: certificateGroupName,
      /** Refused (`stale_version`) if one of them is in another group: a move is not taken back over a later one. */
      from: certificateGroupName.optional(),
    }),
    response: z.strictObject({
      changed: count,
      /** Those that were moved, by the group they were in. */
      before: z.array(z.strictObject({ group_name: z.string(), certificate_ids: z.array(id) })),
    }),
  },
});
