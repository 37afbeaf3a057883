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
});
