import * as z from 'zod';
import { condition } from '../condition.ts';

/** Requests at an even pace, and `burst` more at once (GCRA); without `requests` there is no limit. */
export const requestRate = z.strictObject({
  requests: z.int().min(1).max(10_000_000).optional(),
  period_seconds: z.int().min(1).max(3600).default(10),
  burst: z.int().min(0).max(1_000_000).default(100),
  /** Absent: every request counts and is limited. */
  condition: condition.optional(),
});
export type RequestRate = z.infer<typeof requestRate>;

const bytesPerSecond = z.int().min(1024).max(100_000_000_000);
const connections = z.int().min(1).max(1_000_000);

/**
 * Limits of a site on each node; absent: none. A connection is a request that is being answered, so over HTTP/2 each one
 * counts. An address is the visitor's by `real_ip`, and of IPv6 its /64.
 */
export const siteSecurity = z.strictObject({
  connections: connections.optional(),
  connections_per_address: connections.optional(),
  /** Of both: which requests count and are limited. Absent, here and below: every one. */
  connections_condition: condition.optional(),
  rate: requestRate.prefault({}),
  rate_per_address: requestRate.prefault({}),
  /** Whether answers out of the cache count for the rates; without them what goes on to the origin does. */
  rate_counts_hits: z.boolean().default(true),
  /** Bytes per second that answers share: all of the site, and those to one address. */
  bandwidth: bytesPerSecond.optional(),
  bandwidth_per_address: bytesPerSecond.optional(),
  /** Bytes per second of one answer. */
  bandwidth_per_connection: bytesPerSecond.optional(),
  /** Of all three: whose answers share it. */
  bandwidth_condition: condition.optional(),
  /** Bytes; a request that does not say its length is refused, since it would be known too late. */
  body_bytes_max: z.int().min(1).max(1_000_000_000_000).optional(),
  body_condition: condition.optional(),
  /**
   * Bytes per second that a request's content must come at, on average of half a minute in which the node waits for it; 0: any. Below
   * it the request ends with 408. Not of gRPC.
   */
  body_rate_min: z.int().min(0).max(1_000_000).default(240),
  /** Of the lines of a request's header, and bytes of the longest and of all: each with its name. Above them: 431. */
  header_lines_max: z.int().min(5).max(1000).optional(),
  header_line_bytes_max: z.int().min(100).max(100_000).optional(),
  header_bytes_max: z.int().min(200).max(1_000_000).optional(),
  /** Bytes of path and query as they were sent. Above it: 414. */
  url_bytes_max: z.int().min(10).max(100_000).optional(),
});
export type SiteSecurity = z.infer<typeof siteSecurity>;
