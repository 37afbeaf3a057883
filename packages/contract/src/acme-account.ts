import * as z from 'zod';
import {
  chosenIds,
  email,
  id,
  idParams,
  inputText,
  listOf,
  listQuery,
  name,
  optionalText,
} from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { secretField } from './secret.ts';

/** Accounts at certificate authorities that speak ACME (RFC 8555), by which certificates are obtained. */

/** Where an authority's directory is, and whether it wants to know its customers otherwise (EAB). */
export const acmeDirectories = {
  lets_encrypt: { url: 'https://acme-v02.api.letsencrypt.org/directory', eab: false },
  lets_encrypt_staging: { url: 'https://acme-staging-v02.api.letsencrypt.org/directory', eab: false },
  zerossl: { url: 'https://acme.zerossl.com/v2/DV90', eab: true },
  google: { url: 'https://dv.acme-v02.api.pki.goog/directory', eab: true },
} as const;
export type AcmeDirectoryCode = keyof typeof acmeDirectories | 'other';
export const acmeDirectoryCodes = [
  ...(Object.keys(acmeDirectories) as (keyof typeof acmeDirectories)[]),
  'other',
] as const satisfies AcmeDirectoryCode[];

export const certificateKeyTypes = ['ecdsa_p256', 'ecdsa_p384', 'rsa_2048', 'rsa_4096'] as const;
export type CertificateKeyType = (typeof certificateKeyTypes)[number];

/**
 * What authorities allow, counted here before one is asked, each over so many hours. Of how many: the account's fields. As Let's
 * Encrypt publishes it (letsencrypt.org/docs/rate-limits).
 */
export const acmeLimitHours = {
  /** Certificates with names below one registered domain, whoever asks. */
  domain_certificates: 168,
  /** New orders of one account. */
  orders: 3,
  /** Validations of one name that failed, for one account. */
  failures: 1,
  /** Certificates for exactly the same names. */
  duplicates: 168,
} as const;
export type AcmeLimit = keyof typeof acmeLimitHours;

/** 0: not counted. */
const limit = z.int().min(0).max(1_000_000);

const plain = z.strictObject({
  name,
  directory: z.enum(acmeDirectoryCodes),
  /** Of another authority; empty with those that have a name. */
  directory_url: inputText()
    .trim()
    .max(500)
    .regex(/^(?:https:\/\/[^\s/@?#]+(?:\/\S*)?)?$/, { error: 'https_url' })
    .default(''),
  /** The authority by which the directory's own certificate is trusted, in PEM; empty: the public ones. */
  directory_ca: inputText().trim().max(50_000).default(''),
  email: z.union([z.literal(''), email]).default(''),
  terms_agreed: z.boolean(),
  eab_key_id: inputText().trim().max(500).default(''),
  ...secretField(
    'eab_hmac_key',
    inputText()
      .trim()
      .max(500)
      .regex(/^[\w-]+={0,2}$/, { error: 'base64url' }),
  ),
  key_type: z.enum(certificateKeyTypes).default('ecdsa_p256'),
  /** Of the certificates, where the authority offers several; empty: its own choice. */
  profile: inputText()
    .trim()
    .max(100)
    .regex(/^[\w.-]*$/, { error: 'invalid' })
    .default(''),
  /** Where nobody chooses one: the lowest first, the next ones when it fails. */
  priority: z.int().min(1).max(1000).default(10),
  enabled: z.boolean().default(true),
  limit_domain_certificates: limit.default(50),
  limit_orders: limit.default(300),
  limit_failures: limit.default(5),
  limit_duplicates: limit.default(5),
  /** Renewals that name the certificate they replace (RFC 9773 §5) count for none of the limits. */
  renewals_exempt: z.boolean().default(true),
});

export const acmeAccountInput = plain.check(({ value, issues }) => {
  const say = (path: string, message: string, input: unknown) =>
    issues.push({ code: 'custom', path: [path], message, input });
  if (value.directory === 'other' && value.directory_url === '')
    say('directory_url', 'required', value.directory_url);
  if (!value.terms_agreed) say('terms_agreed', 'terms_needed', value.terms_agreed);
  if (value.eab_key_id === '' && value.eab_hmac_key !== undefined && value.eab_hmac_key !== '')
    say('eab_key_id', 'required', value.eab_key_id);
});
export type AcmeAccountInput = z.output<typeof acmeAccountInput>;

export const acmeAccount = entity({
  name: z.string(),
  directory: z.enum(acmeDirectoryCodes),
  directory_url: z.string(),
  directory_ca: z.string(),
  email: z.string(),
  terms_agreed: z.boolean(),
  eab_key_id: z.string(),
  eab_hmac_key_set: z.boolean(),
  key_type: z.enum(certificateKeyTypes),
  profile: z.string(),
  priority: z.int(),
  enabled: z.boolean(),
  limit_domain_certificates: z.int(),
  limit_orders: z.int(),
  limit_failures: z.int(),
  limit_duplicates: z.int(),
  renewals_exempt: z.boolean(),
  /** The account's address at the authority; empty before it is registered. */
  account_url: z.string(),
  /** Certificates that are obtained by it. */
  order_count: z.int(),
});
export type AcmeAccount = z.infer<typeof acmeAccount>;

/** What customers are told of an account. */
export const certificateAuthority = z.strictObject({
  id,
  name: z.string(),
  key_type: z.enum(certificateKeyTypes),
});

export const acmeAccountRoutes = defineRoutes({
  ...crudRoutes('AcmeAccount', 'AcmeAccounts', {
    path: 'acme_account',
    owner: 'platform',
    permission: 'acme_account',
    input: acmeAccountInput,
    item: acmeAccount,
    filters: { name: optionalText },
    summaries: {
      list: 'List accounts at certificate authorities (ACME) in the order in which they are tried.',
      get: 'Get an account at a certificate authority, without its keys.',
      create: 'Add an account at a certificate authority. Its key is made by the platform.',
      update: 'Change an account at a certificate authority. With another directory it gets another key.',
      remove: 'Delete an account at a certificate authority that no certificate uses.',
    },
  }),
  testAcmeAccount: {
    method: 'POST',
    path: '/prod-api/acme_account/{id}/test',
    cost: 'refresh',
    summary: 'Register an account at its certificate authority, or find its registration.',
    access: { kind: 'admin', permission: 'acme_account.write' },
    params: idParams,
    response: z.strictObject({
      ok: z.boolean(),
      /** Why not, with the exact words of the authority; empty where it is. */
      message: z.string(),
      milliseconds: z.int(),
    }),
  },
  listCertificateAuthorities: {
    method: 'GET',
    path: '/prod-api/certificate_authority',
    summary: 'List the certificate authorities by which certificates can be obtained.',
    access: { kind: 'both', permission: 'certificate.read' },
    query: listQuery({
      /** Those that are disabled too, so that what was chosen has its name. */
      ids: chosenIds,
      name: optionalText,
    }),
    response: listOf(certificateAuthority),
  },
});
