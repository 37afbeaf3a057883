import * as z from 'zod';
import {
  dateTime,
  id,
  idParams,
  integerMax,
  listOf,
  listQuery,
  optionalIdText,
  port,
  inputText,
  time,
} from './common.ts';
import { defineRoutes } from './define.ts';

/** `up` and `down` as judged by the checks of one node; `returning`: well again, but held out for a while yet. */
export const originHealthStates = ['up', 'down', 'returning'] as const;
export type OriginHealthState = (typeof originHealthStates)[number];

/**
 * Why a check was bad: connection refused, closed before an answer, network without a way, no answer in time, no TLS, an answer
 * that is not HTTP, a status that is not expected, a body without the text, or something else.
 */
export const healthErrorCodes = [
  'refused',
  'closed',
  'unreachable',
  'timeout',
  'tls',
  'invalid_answer',
  'status',
  'body',
  'failed',
] as const;
export type HealthErrorCode = (typeof healthErrorCodes)[number];

/** `detail`: the status for `status`, the system's own name of the error for others. */
export const healthError = z.object({
  code: z.enum(healthErrorCodes),
  detail: inputText().max(100).default(''),
});
export type HealthError = z.infer<typeof healthError>;

/** One address of an origin of a site. `port` is the one that visitors' requests go to. */
const originAddress = {
  site_id: id,
  address: inputText().max(253),
  ip: inputText().max(45),
  port,
};

/** What a node's checks say of an origin now. */
export const originReport = z.object({
  ...originAddress,
  state: z.enum(originHealthStates),
  since: time,
  checked_at: time,
  /** How long the last check took. */
  latency_ms: z.int().min(0).max(integerMax),
  /** Of the last check. */
  error: healthError.optional(),
});
export type OriginReport = z.infer<typeof originReport>;

/** A change from one state to another. A first good check is none. */
export const originEvent = z.object({
  ...originAddress,
  state: z.enum(originHealthStates),
  at: time,
  error: healthError.optional(),
});
export type OriginEvent = z.infer<typeof originEvent>;

export const goneOrigin = z.object(originAddress);
export type GoneOrigin = z.infer<typeof goneOrigin>;

/** The most of each list in one report. */
export const healthRowsMax = 500;

export const healthReport = z.object({
  /** The agent has just started: what the node said before no longer counts. */
  reset: z.boolean(),
  origins: z.array(originReport).max(healthRowsMax),
  events: z.array(originEvent).max(healthRowsMax),
  /** No longer checked. */
  gone: z.array(goneOrigin).max(healthRowsMax),
});
export type HealthReport = z.infer<typeof healthReport>;

export const originHealthRow = z.strictObject({
  node_id: id,
  node_name: z.string(),
  address: z.string(),
  ip: z.string(),
  port,
  state: z.enum(originHealthStates),
  since: dateTime,
  checked_at: dateTime,
  latency_ms: z.int(),
  error: healthError.nullable(),
  /** The node has said nothing for so long that this may no longer be true. */
  stale: z.boolean(),
});
export type OriginHealthRow = z.infer<typeof originHealthRow>;

export const originHealthEventRow = z.strictObject({
  id: z.int(),
  node_id: id,
  node_name: z.string(),
  address: z.string(),
  ip: z.string(),
  port,
  state: z.enum(originHealthStates),
  at: dateTime,
  error: healthError.nullable(),
});
export type OriginHealthEventRow = z.infer<typeof originHealthEventRow>;

const filters = { node_id: optionalIdText, state: z.enum(originHealthStates).optional() };

export const originHealthRoutes = defineRoutes({
  listOriginHealth: {
    method: 'GET',
    path: '/prod-api/site/{id}/origin_health',
    summary: 'Get the health check results of every node for the origins of a site, worst first.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: listQuery(filters),
    response: listOf(originHealthRow).extend({
      /** Nodes that serve the site, and those of them that have said something of its origins. */
      nodes_total: z.int(),
      nodes_reporting: z.int(),
    }),
  },
  listOriginHealthEvents: {
    method: 'GET',
    path: '/prod-api/site/{id}/origin_health_event',
    summary: 'List when origins of a site went down and recovered, newest first.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: listQuery(filters),
    response: listOf(originHealthEventRow),
  },
});
