import * as z from 'zod';
import {
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
import { secret } from './secret.ts';
import { certificatesPerSite } from './site-config/certificate-settings.ts';

const pemText = inputText().trim().max(100_000);
const pem = pemText.min(1);
/** The private key is taken and never given back. `client_id` is for administrators; a customer's is their own. */
export const certificateInput = z.strictObject({
  name,
  certificate: pem,
  private_key: secret(pem.clone()),
  client_id: id.optional(),
});

/** A name, and what the certificate is replaced with: every site that uses it follows. */
export const certificateChange = z
  .strictObject({
    name,
    /** Absent or empty: the certificate stays. */
    certificate: pemText.optional(),
    /** Absent or empty: the private key that is there is the new certificate's as well. */
    private_key: secret(pemText.clone()).optional(),
    /** Replaced even where domains of sites lose their certificate by it. */
    allow_uncovered: z.boolean().default(false),
  })
  .check((context) => {
    const { certificate = '', private_key: key = '' } = context.value;
    if (key !== '' && certificate === '')
      context.issues.push({ code: 'custom', path: ['certificate'], message: 'required', input: certificate });
  });

export const certificate = z.strictObject({
  id,
  client_id: id,
  client_name: z.string(),
  name: z.string(),
  domains: z.array(z.string()),
  issuer: z.string(),
  fingerprint: z.string(),
  not_before: dateTime,
  not_after: dateTime,
  site_count: z.int(),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type Certificate = z.infer<typeof certificate>;

const bodyBytesMax = 256 * 1024;

export const certificateRoutes = defineRoutes({
  listCertificates: {
    method: 'GET',
    path: '/prod-api/certificate',
    summary: 'List certificates, those that expire first on top.',
    access: { kind: 'both', permission: 'certificate.read' },
    query: listQuery({
      name: optionalText,
      domain: optionalText,
      /** A part of its name or of a domain. */
      keyword: optionalText,
      /** These alone, by comma. */
      ids: idsText(certificatesPerSite).optional(),
      client_id: optionalIdText,
    }),
    response: listOf(certificate),
  },
  getCertificate: {
    method: 'GET',
    path: '/prod-api/certificate/{id}',
    summary: 'Get a certificate.',
    access: { kind: 'both', permission: 'certificate.read' },
    params: idParams,
    response: certificate,
  },
  createCertificate: {
    method: 'POST',
    path: '/prod-api/certificate',
    summary: 'Upload a certificate and its private key in PEM format.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: certificateInput,
    response: z.strictObject({ id }),
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
    /** Null where nodes have nothing new to learn. */
    response: z.strictObject({ task_id: id.nullable() }),
    bodyBytesMax,
  },
  removeCertificate: {
    method: 'DELETE',
    path: '/prod-api/certificate/{id}',
    summary: 'Delete a certificate that no site uses.',
    access: { kind: 'both', permission: 'certificate.write' },
    params: idParams,
    response: nothing,
  },
});
