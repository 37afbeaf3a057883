import * as z from 'zod';
import { dateTime, id, listOf, listQuery, optionalIdText, optionalText, time } from './common.ts';
import { defineRoutes } from './define.ts';

/** What was done with a page in which a watched word was found. */
export const violationActions = ['recorded', 'blocked'] as const;
export type ViolationAction = (typeof violationActions)[number];

export const siteViolation = z.strictObject({
  id,
  site_id: id,
  /** The first domain of the site. */
  site_name: z.string(),
  client_id: id,
  host: z.string(),
  request_uri: z.string(),
  word: z.string(),
  /** What stands around it. */
  excerpt: z.string(),
  action: z.enum(violationActions),
  created_at: dateTime,
});
export type SiteViolation = z.infer<typeof siteViolation>;

const filters = {
  site_id: optionalIdText,
  client_id: optionalIdText,
  host: optionalText,
  word: optionalText,
  action: z.enum(violationActions).optional(),
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
    summary: 'List pages in which a watched word was found, newest first.',
    access: { kind: 'both', permission: 'site_violation.read' },
    query: listQuery(filters),
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
      days: z.array(z.strictObject({ time: dateTime, count: z.int() })),
      sites: ranks.max(violationRanksMax),
      words: ranks.max(violationRanksMax),
    }),
  },
});
