import * as z from 'zod';
import { count, dateTime, id, idParams, inputText, integerMax, listOf, listQuery } from './common.ts';
import { defineRoutes } from './define.ts';
import { guardLevelMax, guardReasons } from './site-config/cc-guardian-rule.ts';

/** What CC guard does by itself at the nodes: which sites, and URLs of them, are under attack. See docs/cc-guard.md. */

const level = z.int().min(0).max(guardLevelMax);
/** A rate, a share in percent, milliseconds or a number of requests, as the reason has it. */
const measured = z.int().min(0).max(integerMax);

/** A step of one place, as a node tells it. */
export const guardStepReport = z.object({
  site_id: id,
  /** Seconds since 1970. */
  at: z.int().min(0).max(integerMax),
  /** Of an URL that is attacked; empty: the whole site. */
  path: inputText().max(300),
  from: level,
  level,
  reason: z.enum(guardReasons),
  value: measured,
  limit: measured,
});
export type GuardStepReport = z.infer<typeof guardStepReport>;

export const guardStepsMax = 500;

/**
 * How often somebody was counted in a bucket of a window: at one node, on the way to the control plane, or (on the way back) at all other nodes
 * of the line group together. A count only grows, so what comes late, or twice, says nothing new.
 */
export const guardShare = z.object({
  site_id: id,
  /** The rule as it is counted by, and who as digests: `visitor 300/10 challenge` and 32 digits; with an URL, 32 more. */
  name: inputText().regex(
    /^[0-9a-z_]{1,20} [1-9]\d{0,6}\/[1-9]\d{0,3} [a-z]{1,20} [0-9a-f]{32}( [0-9a-f]{32})?$/,
  ),
  /** Time since 1970, in windows. */
  bucket: z.int().min(0).max(integerMax),
  count: z.int().min(1).max(integerMax),
});
export type GuardShare = z.infer<typeof guardShare>;

/** In one message, either way. */
export const guardSharesMax = 100;

/** Where it is under attack now. */
export const guardPlace = z.strictObject({
  path: z.string(),
  level,
  reason: z.enum(guardReasons),
  value: count,
  limit: count,
  since: dateTime,
  node_id: id,
  node_name: z.string(),
});
export type GuardPlaceRow = z.infer<typeof guardPlace>;

export const guardStep = guardPlace.omit({ since: true }).extend({ id: count, from: level, at: dateTime });
export type GuardStepRow = z.infer<typeof guardStep>;

/** What is usual, each second at the node that is asked most, and the threshold that follows from it. */
const usualRate = z.strictObject({ rate: z.number(), suggested: z.int() });

export const guardBaseline = z.strictObject({
  /** What was looked at. */
  start_time: dateTime,
  end_time: dateTime,
  /** Hours of which figures are there, and how many it takes; and of requests. */
  known_hours: count,
  needed_hours: count,
  requests: count,
  needed_requests: count,
  /** Null: too little is known. */
  learned: z
    .strictObject({
      /** The busiest minute of a usual peak: the busiest hundredth of the time is left out. */
      busiest_at: dateTime,
      /** How much of the site's requests the node got that was asked most. */
      node_percent: count,
      site: usualRate,
      /** Of the URL, and of the visitor, with the most requests in that minute; null where its lines are no longer kept. */
      url: usualRate.nullable(),
      visitor: z.strictObject({ requests: count, period_seconds: count, suggested: z.int() }).nullable(),
      /** Requests a second at all nodes together by the hour of the day (UTC); null where nothing is known of it. */
      hours: z.array(z.number().nullable()).length(24),
    })
    .nullable(),
});
export type GuardBaseline = z.infer<typeof guardBaseline>;

export const siteGuardRoutes = defineRoutes({
  listSiteGuardPlaces: {
    method: 'GET',
    path: '/prod-api/site/{id}/guard',
    summary:
      'List which URLs of a site, or the whole site, are under attack now at which nodes, the longest first.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: listQuery({}),
    response: listOf(guardPlace),
  },
  listSiteGuardSteps: {
    method: 'GET',
    path: '/prod-api/site/{id}/guard_step',
    summary: 'List when CC protection of a site stepped up or down by itself, and why, newest first.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: listQuery({}),
    response: listOf(guardStep),
  },
  getSiteGuardBaseline: {
    method: 'GET',
    path: '/prod-api/site/{id}/guard_baseline',
    cost: 'expensive',
    summary:
      'Get what is usual at a site by its statistics of the last 14 days, and thresholds of CC protection that follow from it.',
    access: { kind: 'both', permission: 'statistics.read' },
    params: idParams,
    response: guardBaseline,
  },
});
