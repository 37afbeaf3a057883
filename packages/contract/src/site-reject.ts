import * as z from 'zod';
import { count, dateTime, id, ipAddress, listOf, listQuery, optionalIdText, optionalText } from './common.ts';
import { defineRoutes } from './define.ts';
import { decidedBy } from './rule-ref.ts';

/** An address that a site turns away for a time, whatever it asks. It stands until it ends or is released. */
export const siteRejectStates = ['standing', 'ended', 'released'] as const;
export type SiteRejectState = (typeof siteRejectStates)[number];

export const siteReject = z.strictObject({
  id,
  site_id: id,
  /** The first domain of the site. */
  site_name: z.string(),
  client_id: id,
  remote_addr: z.string(),
  /** What had it turned away, as `decision` of a log record. */
  decision: z.string(),
  ...decidedBy,
  state: z.enum(siteRejectStates),
  created_at: dateTime,
  expires_at: dateTime,
  released_at: dateTime.nullable(),
  released_by: z.string().nullable(),
});
export type SiteReject = z.infer<typeof siteReject>;

const released = z.strictObject({ released: z.int() });

export const siteRejectRoutes = defineRoutes({
  listSiteRejects: {
    method: 'GET',
    path: '/prod-api/site_reject',
    summary: 'List IPs that are blocked by sites, newest first.',
    access: { kind: 'both', permission: 'site_reject.read' },
    query: listQuery({
      site_id: optionalIdText,
      client_id: optionalIdText,
      remote_addr: ipAddress.optional(),
      decision: optionalText,
      state: z.enum(siteRejectStates).optional(),
    }),
    response: listOf(siteReject),
  },
  releaseSiteRejects: {
    method: 'POST',
    path: '/prod-api/site_reject/release',
    summary: 'Unblock IPs before they expire. Those no longer blocked are skipped.',
    access: { kind: 'both', permission: 'site_reject.release' },
    body: z.strictObject({ ids: z.array(id).min(1).max(200) }),
    response: released,
  },
  releaseAllSiteRejects: {
    method: 'POST',
    path: '/prod-api/site_reject/release_all',
    summary: 'Unblock all IPs of one site, or of all sites of the caller.',
    access: { kind: 'both', permission: 'site_reject.release' },
    body: z.strictObject({
      site_id: id.optional(),
      /** How many were said to stand. Where more stand by now, none is let in; that some ended by themselves does no harm. */
      expected_total: count.optional(),
    }),
    response: released,
  },
});
