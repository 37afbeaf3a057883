import * as z from 'zod';
import { protectionSections } from './site-config/protection-sections.ts';

/**
 * One line of the edge's access log, as nginx writes it: a JSON object a line, in this field order. Absent values are
 * empty text or 0 (nginx has no null). Times of a request are in seconds with milliseconds, sizes in bytes.
 * Lines of requests to no known site carry `site_id` 0.
 */
export const accessLogLine = z.strictObject({
  /** ISO 8601 in UTC with milliseconds: the end of the request. */
  time: z.string(),
  /** 32 hex digits; also the `X-Request-Id` of the answer. */
  request_id: z.string(),
  site_id: z.int(),
  client_id: z.int(),
  order_id: z.int(),
  host: z.string(),
  /** The visitor, by the site's `real_ip`. */
  remote_addr: z.string(),
  /** Whose connection it came on: the visitor's, or a proxy's. Empty in lines of edges that did not write it yet. */
  raw_remote_addr: z.string().default(''),
  remote_port: z.int(),
  method: z.string(),
  scheme: z.string(),
  protocol: z.string(),
  /** Path and query as the visitor sent them. */
  request_uri: z.string(),
  status: z.int(),
  request_length: z.int(),
  bytes_sent: z.int(),
  body_bytes_sent: z.int(),
  request_time: z.number(),
  /** HIT, MISS, EXPIRED, STALE, UPDATING, REVALIDATED, BYPASS, or empty where no origin or cache was asked. */
  cache_status: z.string(),
  /** The origin that answered, `address:port`; empty on a hit. */
  origin_addr: z.string(),
  origin_status: z.int(),
  origin_time: z.number(),
  origin_bytes: z.int(),
  referer: z.string(),
  user_agent: z.string(),
  content_type: z.string(),
  tls_version: z.string(),
  /** The section and rule that kept the request from the site: `access_control 2`, `block_referer empty`, `ban 17`; else empty. */
  decision: z.string().default(''),
  /** Why what an origin answered is kept by the cache, or is not: one of `storageReasons`; empty where none answered. */
  cache_reason: z.string().default(''),
  /** Which rules of protection fitted and what was done, those that only observe as well: `matcher_rule 3=block; matcher_rule global 1=observe`. */
  waf: z.string().default(''),
  /** What of the request fitted, masked: place, name, excerpt. */
  waf_part: z.string().default(''),
  /** Tags that rules gave it, by spaces. */
  waf_tags: z.string().default(''),
  /** The fingerprint of the TLS client, of sites that log it; empty: the connection has none. */
  ja4: z.string().default(''),
});
export type AccessLogLine = z.infer<typeof accessLogLine>;

/** The sections whose rules refuse requests, as `decision` begins with them. */
export const refusingSections = [
  'ban',
  'offline_page',
  'request_path',
  'access_control',
  'block_referer',
  'signing',
  'basic_auth',
  'security',
  ...protectionSections,
] as const;
export type RefusingSection = (typeof refusingSections)[number];

/** A line on its way: every one counts in the sums, and may be left out of the records that can be searched. */
export const shippedLogLine = accessLogLine.extend({
  /** One in so many becomes a record; 0 none does. Absent: each. */
  sample_rate: z.int().min(0).optional(),
});
export type ShippedLogLine = z.infer<typeof shippedLogLine>;
