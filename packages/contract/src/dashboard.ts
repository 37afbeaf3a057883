import * as z from 'zod';
import { certificate } from './certificate.ts';
import { count, dateTime, id } from './common.ts';
import { defineRoutes } from './define.ts';
import { node } from './node.ts';
import { order } from './order.ts';
import { servedFault } from './served-certificate.ts';
import { site } from './site.ts';
import { monitorPoint, monitorSummary } from './statistics.ts';
import { task } from './task.ts';

/** What home shows, in three reads. Figures are of the last hour, counted by the server. */

/** Of each list as many as home has room for. */
export const dashboardListMax = 6;
/** What ends within so many days is about to end. */
export const dashboardEndingDays = 14;

export const dashboardStatistics = z.strictObject({
  start_time: dateTime,
  end_time: dateTime,
  summary: monitorSummary,
  /** The same hour a week before; null when its figures are not kept. */
  before: monitorSummary.nullable(),
});

export const dashboardTrends = z.strictObject({
  /** Seconds from one point to the next. */
  interval: z.int(),
  /** Bits per second to visitors. */
  visitors: z.array(monitorPoint),
  /** Bits per second from origins. */
  origin: z.array(monitorPoint),
  /** To visitors, the same hour a week before; null when its figures are not kept. */
  before: z.array(monitorPoint).nullable(),
});

/** Each part is null for whoever may not read what it is of; customers are told of what is theirs. */
export const dashboardState = z.strictObject({
  sites: z.strictObject({ total: count, latest: z.array(site) }).nullable(),
  nodes: z
    .strictObject({
      total: count,
      enabled: count,
      /** Of those that are enabled. */
      normal: count,
      abnormal: count,
      unseen: count,
      /** Those in trouble first. */
      list: z.array(node),
    })
    .nullable(),
  certificates: z
    .strictObject({
      total: count,
      /** About to end. */
      ending: count,
      expired: count,
      /** Those that have ended or are about to, the soonest first. */
      list: z.array(certificate),
    })
    .nullable(),
  /** Names under which nodes serve another certificate than they are to, the latest first. */
  served: z.strictObject({ total: count, list: z.array(servedFault) }).nullable(),
  orders: z.strictObject({ active: count, ending: count, list: z.array(order) }).nullable(),
  tasks: z.strictObject({ open: count, failed: count, latest_failed: z.array(task) }).nullable(),
});

/** From nothing to the first request, in order. Nodes and line groups are operators' matter. */
export const setupSteps = ['node', 'line_group', 'site', 'domain', 'dns', 'request'] as const;
export type SetupStep = (typeof setupSteps)[number];
export const setupState = z.strictObject({
  /** Those that the caller may see, and whether the server finds them done. */
  steps: z.array(z.strictObject({ id: z.enum(setupSteps), done: z.boolean() })),
  /** The first site; null until there is one. */
  site: z.strictObject({ id, domain: z.string(), cname: z.string().nullable() }).nullable(),
});

export const dashboardRoutes = defineRoutes({
  getDashboardStatistics: {
    method: 'GET',
    path: '/prod-api/statistics',
    cost: 'expensive',
    summary: 'Get the traffic of the last hour, compared with the same hour a week ago.',
    access: { kind: 'both', permission: 'statistics.read' },
    response: dashboardStatistics,
  },
  getDashboardTrends: {
    method: 'GET',
    path: '/prod-api/trends',
    cost: 'expensive',
    summary:
      'Get the bandwidth of the last hour by minute, to visitors and from origins, compared with a week ago.',
    access: { kind: 'both', permission: 'statistics.read' },
    response: dashboardTrends,
  },
  getDashboardState: {
    method: 'GET',
    path: '/prod-api/state',
    summary:
      'Get the state of sites, nodes, certificates, orders and tasks: counts, and the first items that need attention.',
    access: { kind: 'signed_in' },
    response: dashboardState,
  },
  getSetupState: {
    method: 'GET',
    path: '/prod-api/setup',
    cost: 'expensive',
    summary:
      'How far a new installation or account is: a node reports, a line group has one, there is a site, a domain is proven, the DNS leads here, a request came. Customers are told of what is theirs.',
    access: { kind: 'signed_in' },
    response: setupState,
  },
});
