import * as z from 'zod';
import { count, id, optionalIdText, inputText } from './common.ts';
import { defineRoutes } from './define.ts';

/** Figures of one second, added up. Bytes are integers; a bandwidth in bits per second is eight times those of a second. */
export const liveFigures = z.object({
  requests: count,
  bytes: count,
  /** Answered from the cache. */
  hits: count,
  hit_bytes: count,
  origin_requests: count,
  origin_bytes: count,
  /** Kept from the site by a rule. */
  refused: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
});
export type LiveFigures = z.infer<typeof liveFigures>;
export const noLiveFigures: LiveFigures = {
  requests: 0,
  bytes: 0,
  hits: 0,
  hit_bytes: 0,
  origin_requests: 0,
  origin_bytes: 0,
  refused: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
};

/** Which requests are counted; what is absent does not matter. */
export const liveWatch = z.object({
  /** The same for the same traffic, whoever watches it. */
  key: inputText().max(100),
  site_id: id.optional(),
  order_id: id.optional(),
  client_id: id.optional(),
});
export type LiveWatch = z.infer<typeof liveWatch>;
/** Different traffics that one server process asks its nodes for at once. */
export const liveWatchesMax = 50;
/** A node counts for so long after it was last asked. */
export const liveWatchSeconds = 15;

/** What a node counted in some seconds that are over, and how many connections it had. */
export const liveReport = z.object({
  seconds: z
    .array(
      z.object({
        /** Seconds since 1970, by the control plane's clock. */
        time: count,
        connections: count,
        /** By the key of the watch. */
        figures: z.record(inputText().max(100), liveFigures),
      }),
    )
    .min(1)
    .max(30),
});
export type LiveReport = z.infer<typeof liveReport>;

export const liveEvent = z.discriminatedUnion('type', [
  /** Keeps the line open. */
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({
    type: z.literal('second'),
    /** Seconds since 1970. */
    time: z.int(),
    /** Null when no node told of it. */
    figures: liveFigures.nullable(),
    /** Open connections of the nodes that told, of all their sites: for administrators. */
    connections: z.int().optional(),
    /** Nodes that told of it, of those that should have. */
    nodes: z.int(),
    nodes_expected: z.int(),
  }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

export const liveRoutes = defineRoutes({
  watchLive: {
    method: 'GET',
    path: '/prod-api/statistics/live',
    summary: 'Stream live figures for every second, a few seconds delayed, as server-sent events.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: z.strictObject({
      site_id: optionalIdText,
      order_id: optionalIdText,
      client_id: optionalIdText,
      node_id: optionalIdText,
    }),
    response: liveEvent,
    transport: 'stream',
  },
});
