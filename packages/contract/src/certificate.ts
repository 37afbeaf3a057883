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
} from './common.ts';
import { defineRoutes } from './define.ts';
import { secret } from './secret.ts';
import { certificatesPerSite } from './site-config/certificate-settings.ts';

const pem = inputText().trim().min(1).max(100_000);
/** The private key is taken and never given back. `client_id` is for administrators; a customer's is their own. */
export const certificateInput = z.strictObject({
  name,
  certificate: pem,
  private_key: secret(pem.clone()),
  client_id: id.optional(),
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
  created_at: dateTime,
});
export type Certificate = z.infer<typeof certificate>;

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
  createCertificate: {
    method: 'POST',
    path: '/prod-api/certificate',
    summary: 'Upload a certificate and its private key in PEM format.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: certificateInput,
    response: z.strictObject({ id }),
    bodyBytesMax: 256 * 1024,
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
