import * as z from 'zod';
import { certificateKeyTypes } from './acme-account.ts';
import {
  count,
  dateTime,
  id,
  idParams,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  siteDomain,
} from './common.ts';
import { crudRoutes, ownedEntity } from './crud.ts';
import { defineRoutes } from './define.ts';

/**
 * Certificates that are obtained from an authority, and renewed: which names, from whom, how they are proven, and the timeline of
 * what was asked and seen. What they obtain is a certificate as others are.
 */

/** How the authority is shown that the names are theirs (RFC 8555 §8.3, §8.4). */
export const certificateChallenges = ['http-01', 'dns-01'] as const;
export type CertificateChallenge = (typeof certificateChallenges)[number];

/** What Let's Encrypt takes in one certificate. */
export const certificateNamesMax = 100;

const names = z
  .array(siteDomain)
  .min(1)
  .refine((list) => list.length <= certificateNamesMax, {
    error: `certificate_names:${certificateNamesMax}`,
    abort: true,
  })
  .meta({ maxItems: certificateNamesMax })
  .check((context) => {
    context.value.forEach((domain, index) => {
      if (context.value.indexOf(domain) < index)
        context.issues.push({ code: 'custom', path: [index], message: 'domain_duplicate', input: domain });
    });
  });

const plain = z.strictObject({
  name,
  domains: names,
  /** Null: those that the platform has, by their priority. */
  acme_account_id: id.nullable().default(null),
  challenge: z.enum(certificateChallenges).default('http-01'),
  /** Where the records of dns-01 are written; null with http-01. */
  dns_account_id: id.nullable().default(null),
  /** Null: that of the account. */
  key_type: z.enum(certificateKeyTypes).nullable().default(null),
  /** A renewal keeps the private key. */
  reuse_key: z.boolean().default(false),
});
const checkChallenge = z.check<z.output<typeof plain>>(({ value, issues }) => {
  const say = (path: (string | number)[], message: string, input: unknown) =>
    issues.push({ code: 'custom', path, message, input });
  if (value.challenge === 'dns-01' && value.dns_account_id === null)
    say(['dns_account_id'], 'required', value.dns_account_id);
  if (value.challenge === 'http-01')
    value.domains.forEach((domain, index) => {
      if (domain.startsWith('*.')) say(['domains', index], 'wildcard_needs_dns', domain);
    });
});
export const certificateOrderInput = plain.check(checkChallenge);
/**
 * `client_id` is for administrators; a customer's is their own. Without one it is the platform's own, whose names the control plane
 * answers for.
 */
export const certificateOrderCreateInput = plain
  .extend({ client_id: id.optional() })
  .check(checkChallenge as never);

/**
 * `waiting` for its turn, or until the authority's limits allow it (`limit_reached`), `working`, `valid` (there is a certificate, and its renewal is planned), `failed` (the last try did, the
 * next is planned), `revoked`.
 */
export const certificateOrderStates = ['waiting', 'working', 'valid', 'failed', 'revoked'] as const;
export type CertificateOrderState = (typeof certificateOrderStates)[number];

/** What can go wrong; an authority's own words stand beside it. */
export const certificateOrderProblems = [
  'no_account',
  'account_disabled',
  'name_not_served',
  'certificate_limit',
  'dns_missing',
  'dns_elsewhere',
  'dns_failed',
  'caa_forbids',
  'no_nodes',
  'node_refused',
  'nodes_late',
  'dns_account',
  'record_unseen',
  'no_challenge',
  'order_expired',
  'validation_failed',
  'authority_refused',
  'rate_limited',
  'limit_reached',
  'authority_unreachable',
  'authority_answer',
  'clock_off',
  'eab_required',
  'internal',
] as const;
export type CertificateOrderProblem = (typeof certificateOrderProblems)[number];

export const certificateStepKinds = [
  'asked',
  'asked_automatically',
  'started',
  'resolvers_agree',
  'resolver_differs',
  'resolver_silent',
  'checked',
  'ordered',
  'challenge_sent',
  'challenge_live',
  'challenge_ready',
  'nodes_away',
  'answer_seen',
  'answer_unseen',
  'record_written',
  'record_seen',
  'validating',
  'validated',
  'requested',
  'issued',
  'failed',
  'limited',
  'next_try',
  'renewal_planned',
  'renewal_asked_early',
  'clock_differs',
  'names_changed',
  'wildcards_left',
  'names_absent',
  /** In timelines of before a site had several certificates. */
  'names_beyond',
  'bound',
  'not_bound',
  'revoked',
] as const;
export type CertificateStepKind = (typeof certificateStepKinds)[number];

/** One line of the timeline. Facts are called by what they are: `account`, `names`, `at`, `nodes`. */
export const certificateStep = z.strictObject({
  id: count,
  at: dateTime,
  kind: z.enum(certificateStepKinds),
  problem: z.enum(certificateOrderProblems).nullable(),
  /** The exact words of an authority, a resolver, a node; empty where there are none. */
  detail: z.string(),
  facts: z.record(z.string(), z.string()),
});
export type CertificateStep = z.infer<typeof certificateStep>;

export const certificateOrder = ownedEntity({
  name: z.string(),
  domains: z.array(z.string()),
  acme_account_id: id.nullable(),
  challenge: z.enum(certificateChallenges),
  dns_account_id: id.nullable(),
  key_type: z.enum(certificateKeyTypes).nullable(),
  reuse_key: z.boolean(),
  /** By its name alone; null where the platform's order decides. */
  acme_account_name: z.string().nullable(),
  /** The site whose domains it follows; null where they were chosen by hand. */
  site_id: id.nullable(),
  /** Made by the platform itself, since the site wants a certificate. */
  automatic: z.boolean(),
  /** Null before the first was obtained. */
  certificate_id: id.nullable(),
  not_after: dateTime.nullable(),
  state: z.enum(certificateOrderStates),
  /** When the platform acts next; null: not by itself. */
  next_at: dateTime.nullable(),
  renew_at: dateTime.nullable(),
  /** Tries in a row that failed. */
  failures: count,
  problem: z.enum(certificateOrderProblems).nullable(),
  problem_detail: z.string(),
});
export type CertificateOrder = z.infer<typeof certificateOrder>;

/**
 * Where a domain of a site has its certificate from, or why it has none: `covered`; `expired` (its certificate is); `unproven`;
 * `issuing` and `failed` (its order has the reason); `absent` (it does not point here, and is left out until it does); `wildcard` (that HTTP cannot prove); `beyond` (its orders
 * have as many names as their certificates take, and the site gets no further one by itself any more); `no_account` (of the platform at an authority); `queued` (the order is about to be made); `none` (nobody asked for one).
 */
export const domainCertificateStates = [
  'covered',
  'expired',
  'unproven',
  'issuing',
  'failed',
  'absent',
  'wildcard',
  'beyond',
  'no_account',
  'queued',
  'none',
] as const;
export type DomainCertificateState = (typeof domainCertificateStates)[number];

const siteCertificates = z.strictObject({
  /** Whether the site gets certificates by itself, by what it sets or inherits. */
  automatic: z.boolean(),
  /** The orders that follow its domains: one, or as many as it takes, each for up to a hundred. */
  orders: z.array(
    z.strictObject({
      id,
      name: z.string(),
      automatic: z.boolean(),
      state: z.enum(certificateOrderStates),
      problem: z.enum(certificateOrderProblems).nullable(),
      problem_detail: z.string(),
      domain_count: count,
      next_at: dateTime.nullable(),
    }),
  ),
  list: z.array(
    z.strictObject({
      domain: z.string(),
      state: z.enum(domainCertificateStates),
      /** That visitors of it get, or got before it expired. */
      certificate_id: id.nullable(),
      certificate_name: z.string().nullable(),
      not_after: dateTime.nullable(),
      /** The order that it is in; null where it is in none. */
      order_id: id.nullable(),
    }),
  ),
});

const read = { kind: 'both', permission: 'certificate.read' } as const;
const write = { kind: 'both', permission: 'certificate.write' } as const;

/** Of those that X.509 knows (RFC 5280 §5.3.1), what the holder of a certificate can say. */
export const revocationReasons = [
  'unspecified',
  'key_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** Sites in one call of `batch_application_resty`. */
export const certificateSitesMax = 500;

export const certificateOrderRoutes = defineRoutes({
  ...crudRoutes('CertificateOrder', 'CertificateOrders', {
    path: 'certificate_order',
    owner: 'client',
    permission: 'certificate',
    input: certificateOrderInput,
    createInput: certificateOrderCreateInput,
    item: certificateOrder,
    filters: {
      name: optionalText,
      domain: optionalText,
      state: z.enum(certificateOrderStates).optional(),
      site_id: optionalIdText,
      certificate_id: optionalIdText,
      client_id: optionalIdText,
    },
    summaries: {
      list: 'List certificates that are obtained from an authority, those that failed first.',
      get: 'Get what a certificate is obtained by, and how far that is.',
      create: 'Obtain a certificate, and renew it from then on.',
      update:
        'Change what a certificate is obtained by. It is obtained anew where that makes another certificate.',
      remove: 'Stop renewing a certificate. What was obtained stays.',
    },
  }),
  listCertificateSteps: {
    method: 'GET',
    path: '/prod-api/certificate_order/{id}/step',
    summary: 'Timeline of obtaining a certificate, newest first.',
    access: read,
    params: idParams,
    query: listQuery({}),
    response: listOf(certificateStep),
  },
  runCertificateOrder: {
    method: 'POST',
    path: '/prod-api/certificate_order/{id}/run',
    cost: 'refresh',
    summary: 'Obtain or renew a certificate now. What is under way goes on.',
    access: write,
    params: idParams,
    response: nothing,
  },
  revokeCertificateOrder: {
    method: 'POST',
    path: '/prod-api/certificate_order/{id}/revoke',
    cost: 'refresh',
    summary: 'Revoke a certificate at its authority. It is not renewed any more.',
    access: write,
    params: idParams,
    body: z.strictObject({
      reason: z.enum(revocationReasons),
    }),
    response: nothing,
  },
  renewCertificate: {
    method: 'POST',
    path: '/prod-api/certificate/{id}/renew',
    cost: 'refresh',
    summary: 'Renew a certificate now that was obtained from an authority.',
    access: write,
    params: idParams,
    response: nothing,
  },
  getSiteCertificates: {
    method: 'GET',
    path: '/prod-api/site/{id}/sub_domain_certificate',
    summary: 'Get the certificate of each domain of a site, or why it has none.',
    access: read,
    params: idParams,
    response: siteCertificates,
  },
  applySiteCertificate: {
    method: 'POST',
    path: '/prod-api/site/{id}/cert_application',
    cost: 'refresh',
    summary:
      'Obtain a certificate for all verified domains of a site (one for each hundred), use it for the site, and follow its domains from then on.',
    access: write,
    params: idParams,
    response: z.strictObject({ id }),
  },
  applySiteCertificates: {
    method: 'POST',
    path: '/prod-api/certificate/batch_application_resty',
    cost: 'refresh',
    summary:
      'The same for many sites. Those that have one already, or have no verified domain, are counted and left alone.',
    access: write,
    body: z.strictObject({ site_ids: z.array(id).min(1).max(certificateSitesMax) }),
    response: z.strictObject({ begun: count, already: count, without_domains: count }),
  },
});
