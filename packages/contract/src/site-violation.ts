import * as z from 'zod';
import {
  chosenIds,
  dateTime,
  id,
  idParams,
  inputText,
  listOf,
  listQuery,
  nothing,
  optionalIdText,
  optionalText,
  time,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { siteDelivery } from './site.ts';

/** What was done with a page in which something forbidden was found; `blocked`: it is offline. */
export const violationActions = ['recorded', 'blocked'] as const;
export type ViolationAction = (typeof violationActions)[number];

/** What was found: a word, a pattern, a link to a domain on the blacklist, content by its hash, a picture by what it looks like. */
export const violationKinds = ['word', 'pattern', 'link', 'hash', 'image'] as const;
export type ViolationKind = (typeof violationKinds)[number];
/** Where it was found: in what the site delivers, or in what visitors send to it. */
export const violationSources = ['delivered', 'submitted'] as const;
export type ViolationSource = (typeof violationSources)[number];
export const violationStates = ['open', 'confirmed', 'dismissed'] as const;
export type ViolationState = (typeof violationStates)[number];
/** `confirm` leaves the page as it is, `lift` puts it back online, `dismiss` does so and says that it was no violation. */
export const violationDecisions = ['confirm', 'dismiss', 'offline', 'lift', 'suspend'] as const;
export type ViolationDecision = (typeof violationDecisions)[number];

export const siteViolation = z.strictObject({
  id,
  site_id: id,
  /** The first domain of the site. */
  site_name: z.string(),
  client_id: id,
  host: z.string(),
  /** Without its query where it was submitted. */
  request_uri: z.string(),
  source: z.enum(violationSources),
  kind: z.enum(violationKinds),
  /** Of the setting; empty of a link. */
  category: z.string(),
  word: z.string(),
  /** What stands around it. */
  excerpt: z.string(),
  /** SHA-256 of what was delivered, or of the texts that were submitted. */
  content_hash: z.string(),
  action: z.enum(violationActions),
  state: z.enum(violationStates),
  /** What the operator wrote, for the customer. */
  note: z.string(),
  /** Empty while nobody has, and for customers. */
  decided_by: z.string(),
  decided_at: dateTime.nullable(),
  /** What the customer wrote; empty: nothing. */
  appeal: z.string(),
  appealed_at: dateTime.nullable(),
  /** Grows with each decision and appeal, and when the page goes offline or back. */
  version,
  created_at: dateTime,
  /** When it was found last. */
  seen_at: dateTime,
  /** How many nodes have the document of the site, which says which pages are offline. */
  delivery: siteDelivery,
});
export type SiteViolation = z.infer<typeof siteViolation>;

const filters = {
  site_id: optionalIdText,
  client_id: optionalIdText,
  host: optionalText,
  word: optionalText,
  source: z.enum(violationSources).optional(),
  action: z.enum(violationActions).optional(),
  state: z.enum(violationStates).optional(),
  category: optionalText,
  appealed: z.enum(['yes']).optional(),
  start_time: time.optional(),
  end_time: time.optional(),
};
/** So many sites and words are counted one by one. */
export const violationRanksMax = 100;
const ranks = z.array(z.strictObject({ name: z.string(), count: z.int() }));

export const siteViolationRoutes = defineRoutes({
  listSiteViolations: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_filter',
    summary: 'List pages in which something forbidden was found, or to which visitors sent it, newest first.',
    access: { kind: 'both', permission: 'site_violation.read' },
    query: listQuery({ ids: chosenIds, ...filters }),
    response: listOf(siteViolation),
  },
  getSiteViolationStats: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_filter/stats',
    summary: 'Count matches of watched words: in total, by day (UTC), by site and by word, most first.',
    access: { kind: 'both', permission: 'site_violation.read' },
    query: z.strictObject(filters),
    response: z.strictObject({
      total: z.int(),
      blocked: z.int(),
      submitted: z.int(),
      days: z.array(z.strictObject({ time: dateTime, count: z.int() })),
      sites: ranks.max(violationRanksMax),
      words: ranks.max(violationRanksMax),
      categories: ranks.max(violationRanksMax),
    }),
  },
  decideSiteViolation: {
    method: 'POST',
    path: '/prod-api/log_analyzer/site_filter/{id}/decide',
    summary:
      'Decide about a violation: confirm, dismiss, take the page offline or put it back, or suspend the site. Send the version the decision is based on.',
    access: { kind: 'admin', permission: 'site_violation.decide' },
    params: idParams,
    body: z.strictObject({
      version,
      decision: z.enum(violationDecisions),
      /** The customer reads it. */
      note: inputText().trim().max(500).default(''),
    }),
    response: z.strictObject({ task_id: id.nullable() }),
  },
  appealSiteViolation: {
    method: 'POST',
    path: '/prod-api/log_analyzer/site_filter/{id}/appeal',
    summary:
      'Appeal against a violation that was found at a site of yours. Send the version the appeal is based on.',
    access: { kind: 'both', permission: 'site_violation.appeal' },
    params: idParams,
    body: z.strictObject({ version, appeal: inputText().trim().min(1).max(1000) }),
    response: nothing,
  },
  visitSite: {
    method: 'POST',
    path: '/prod-api/log_analyzer/site_filter/visit',
    summary: 'Visit the pages of a site for violations as soon as possible.',
    access: { kind: 'admin', permission: 'site_violation.decide' },
    body: z.strictObject({ site_id: id }),
    response: nothing,
  },
});
