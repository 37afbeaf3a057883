import * as z from 'zod';
import { banSeconds, isNetworkOfBans, rejectScopes } from './ban-network.ts';
import {
  count,
  dateTime,
  id,
  inputText,
  ipAddress,
  ipOrCidr,
  listOf,
  listQuery,
  optionalIdText,
  optionalText,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { decidedBy } from './rule-ref.ts';
import { siteDelivery } from './site.ts';

/** An address that is turned away for a time, whatever it asks. It stands until it ends or is released. */
export const siteRejectStates = ['standing', 'ended', 'released'] as const;
export type SiteRejectState = (typeof siteRejectStates)[number];

export const siteReject = z.strictObject({
  id,
  scope: z.enum(rejectScopes),
  /** Null unless it is of one site. */
  site_id: id.nullable(),
  /** The first domain of the site; empty where there is none. */
  site_name: z.string(),
  /** Null where it is the platform's. */
  client_id: id.nullable(),
  /** An address, or a network by CIDR. */
  remote_addr: z.string(),
  /** The rule that had it turned away, as `decision` of a log record; empty where somebody did by hand. */
  decision: z.string(),
  ...decidedBy,
  /** What whoever did it by hand wrote. */
  reason: z.string(),
  /** The request that met the rule; null where it was done by hand. */
  request_id: z.string().nullable(),
  /** Null where a rule did; empty for customers where an administrator did. */
  created_by: z.string().nullable(),
  /** How often it had been turned away shortly before. */
  repeats: count,
  /** Nodes that may drop its packets do, before anything is answered. */
  kernel: z.boolean(),
  state: z.enum(siteRejectStates),
  created_at: dateTime,
  expires_at: dateTime,
  released_at: dateTime.nullable(),
  /** Empty for customers where an administrator did. */
  released_by: z.string().nullable(),
  /** How many nodes have what was said last of it, or of others that they are told of together. */
  delivery: siteDelivery,
});
export type SiteReject = z.infer<typeof siteReject>;

export const siteRejectInput = z
  .strictObject({
    scope: z.enum(rejectScopes).default('site'),
    /** Of scope `site`. */
    site_id: id.optional(),
    /** Of scope `client`; a customer need not name itself. */
    client_id: id.optional(),
    remote_addrs: z
      .array(ipOrCidr.refine(isNetworkOfBans, { error: 'ban_network' }))
      .min(1)
      .max(500),
    seconds: banSeconds,
    reason: inputText().trim().max(200).default(''),
    /** Of scope `platform`: packets to the ports of sites are dropped where the node may do so. */
    kernel: z.boolean().default(false),
  })
  .refine(({ scope, site_id }) => scope !== 'site' || site_id !== undefined, {
    error: 'required',
    path: ['site_id'],
  })
  .refine(({ scope, kernel }) => scope === 'platform' || !kernel, { error: 'ban_kernel', path: ['kernel'] });
export type SiteRejectInput = z.input<typeof siteRejectInput>;

const taskOf = { task_id: id.nullable() };
const released = z.strictObject({ released: z.int(), ...taskOf });

export const siteRejectRoutes = defineRoutes({
  listSiteRejects: {
    method: 'GET',
    path: '/prod-api/site_reject',
    summary: 'List blocked IPs, newest first.',
    access: { kind: 'both', permission: 'site_reject.read' },
    query: listQuery({
      scope: z.enum(rejectScopes).optional(),
      site_id: optionalIdText,
      client_id: optionalIdText,
      /** Networks that hold it are found as well. */
      remote_addr: ipAddress.optional(),
      decision: optionalText,
      state: z.enum(siteRejectStates).optional(),
    }),
    response: listOf(siteReject),
  },
  createSiteRejects: {
    method: 'POST',
    path: '/prod-api/site_reject',
    summary:
      'Block IPs or networks for a time: at a site, at all sites of a customer, or everywhere. Those that are blocked already are prolonged, and the reason is added.',
    access: { kind: 'both', permission: 'site_reject.create' },
    body: siteRejectInput,
    response: z.strictObject({ ids: z.array(id), ...taskOf }),
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
    summary: 'Unblock all IPs of one site, or all that the caller may unblock.',
    access: { kind: 'both', permission: 'site_reject.release' },
    body: z.strictObject({
      site_id: id.optional(),
      /** How many were said to stand. Where more stand by now, none is let in; that some ended by themselves does no harm. */
      expected_total: count,
    }),
    response: released,
  },
});
