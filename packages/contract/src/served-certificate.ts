import * as z from 'zod';
import { dateTime, id, idParams, listOf, listQuery, optionalIdText } from './common.ts';
import { defineRoutes } from './define.ts';

/**
 * `other`: another certificate than it is to be; `chain`: that one with another chain; `staple`: no good OCSP answer goes with it, though the
 * site wants one; `no_answer`: no TLS came about.
 */
export const servedProblems = ['other', 'chain', 'staple', 'no_answer'] as const;
export type ServedProblem = (typeof servedProblems)[number];
/** Of a stapled OCSP answer: `early` before its time, `other` about another certificate, `revoked` and `unknown` as the authority says. */
export const stapleProblems = [
  'missing',
  'expired',
  'early',
  'revoked',
  'unknown',
  'other',
  'unreadable',
] as const;
export type StapleProblem = (typeof stapleProblems)[number];

/** A node that serves something else under a name than the certificates of its site say, as seen from the control plane. */
export const servedFault = z.strictObject({
  id,
  site_id: id,
  site_name: z.string(),
  node_id: id,
  node_name: z.string(),
  domain: z.string(),
  problem: z.enum(servedProblems),
  expected_serial: z.string(),
  /** Empty where nothing was served. */
  served_serial: z.string(),
  served_issuer: z.string(),
  /** Of the certificate. */
  served_not_after: dateTime.nullable(),
  /** What stood in the way, in the system's own words; empty where something was served. Of a staple, what is wrong with it. */
  error: z.string(),
  /** What the stapled OCSP answer says of its own time: since when, and until when; null where there is none, or it says nothing. */
  staple_from: dateTime.nullable(),
  staple_until: dateTime.nullable(),
  since: dateTime,
});
export type ServedFault = z.infer<typeof servedFault>;

const servedCheck = z.strictObject({
  /** When a site was last looked at and is next; null for never, and where it has no certificate. */
  checked_at: dateTime.nullable(),
  due_at: dateTime.nullable(),
  /** Of the good OCSP answers that were stapled then, when the first of them ends; null where there were none. */
  staple_until: dateTime.nullable(),
});

export const servedCertificateRoutes = defineRoutes({
  listServedFaults: {
    method: 'GET',
    path: '/prod-api/served_certificate',
    summary: 'List nodes that serve another certificate than their sites say, those found last on top.',
    access: { kind: 'both', permission: 'site.read' },
    query: listQuery({ site_id: optionalIdText, node_id: optionalIdText, client_id: optionalIdText }),
    response: listOf(servedFault),
  },
  getServedCheck: {
    method: 'GET',
    path: '/prod-api/site/{id}/served_certificate',
    summary: 'When the certificates that nodes serve for a site were last checked, and are next.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: servedCheck,
  },
  checkServedCertificates: {
    method: 'POST',
    path: '/prod-api/site/{id}/served_certificate',
    cost: 'refresh',
    summary: 'Check the certificates that nodes serve for a site soon, instead of at night.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    response: servedCheck,
  },
});
