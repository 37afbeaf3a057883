import * as z from 'zod';
import { hostAddress, port, inputText } from '../common.ts';
import { secretField } from '../secret.ts';

export const originState = z.enum(['primary', 'backup', 'down']);

/** One origin server. `weight` counts against the other origins of its state; `down` keeps it listed but unused. */
export const origin = z.strictObject({
  address: hostAddress,
  http_port: port.default(80),
  https_port: port.default(443),
  weight: z.int().min(1).max(100).default(10),
  state: originState.default('primary'),
  /** Failures within `fail_timeout_seconds` that take the origin out for as long (nginx `max_fails`); 0 never. */
  max_fails: z.int().min(0).max(100).default(3),
  fail_timeout_seconds: z.int().min(1).max(3600).default(10),
  /** Requests that one node has under way at each address of it; 0 as many as come. */
  max_conns: z.int().min(0).max(65_535).default(0),
});
export type Origin = z.infer<typeof origin>;

/**
 * Which origin a request goes to. `round_robin`: in turn; `random`: drawn; `least_conn`: the one with the fewest requests
 * under way; `ip_hash`: a visitor stays with one; `url_hash`: an address stays with one, spread anew when the list
 * changes; `consistent`: as url_hash, but a changed list moves only the share of what came or went. All keep to weights.
 */
export const balanceMethod = z.enum([
  'round_robin',
  'random',
  'least_conn',
  'ip_hash',
  'url_hash',
  'consistent',
]);
export type BalanceMethod = z.infer<typeof balanceMethod>;

/**
 * When the next origin is asked, besides when none can be spoken to, or it speaks no HTTP: it says nothing in time, answers
 * 500, or 502, 503, 504, or 403, 404, or 429. Not for a POST, LOCK or PATCH once it was sent (RFC 9110 §9.2.2).
 */
export const retryCondition = z.enum(['timeout', 'server_error', 'gateway_error', 'not_found', 'too_many']);
export type RetryCondition = z.infer<typeof retryCondition>;

/** Seconds for which an idle connection is kept; 0: each request has its own. */
export const keepaliveSeconds = z.literal([0, 4, 15, 60]);

/** Origins that are object storage of the S3 kind: what is asked of them is signed (AWS Signature Version 4). */
export const objectStorage = z.strictObject({
  region: inputText().regex(/^[a-z0-9-]{1,64}$/),
  bucket: inputText().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  /** The bucket stands before the path; else before the host. */
  path_style: z.boolean().default(false),
  access_key_id: inputText().regex(/^[\w.@-]{1,128}$/),
  ...secretField('secret_access_key', inputText().regex(/^[!-~]{0,128}$/)),
});

export const originServerConfig = z.strictObject({
  origins: z.array(origin).min(1).max(64),
  method: balanceMethod.default('round_robin'),
  /** `follow` speaks to the origin as the visitor spoke to the edge. */
  protocol: z.enum(['http', 'https', 'follow']).default('http'),
  /** Ask the origin at the port at which the visitor asked the edge. */
  follow_port: z.boolean().default(false),
  /** Host header sent to the origin; absent: the visitor's host. */
  host: hostAddress.optional(),
  /** Name asked for in TLS (SNI), and that the certificate has to name; absent: as the Host header. */
  sni: hostAddress.optional(),
  /** Certificates of origins must be valid, by the node's certificate authorities. */
  verify_tls: z.boolean().default(false),
  connect_timeout_seconds: z.int().min(1).max(120).default(10),
  send_timeout_seconds: z.int().min(1).max(3600).default(60),
  read_timeout_seconds: z.int().min(1).max(3600).default(60),
  /** Below the 5 s after which many origins close an idle connection. */
  keepalive_seconds: keepaliveSeconds.default(4),
  /** Origins tried for one request, the first included. */
  tries: z.int().min(1).max(10).default(3),
  retry_on: z.array(retryCondition).max(5).default(['timeout']),
  websocket: z.boolean().default(true),
  /** Calls of gRPC over HTTP/2 go to the origin over HTTP/2, without TLS or with, as `protocol` says. */
  grpc: z.boolean().default(false),
  /** Absent: requests are not signed. */
  object_storage: objectStorage.optional(),
});
export type OriginServerConfig = z.infer<typeof originServerConfig>;

/** As it travels to nodes: what is absent is as by default. */
export const edgeOriginConfig = originServerConfig
  .extend({ origins: z.array(origin.partial({ max_conns: true })) })
  .partial({
    method: true,
    follow_port: true,
    verify_tls: true,
    keepalive_seconds: true,
    retry_on: true,
    websocket: true,
    grpc: true,
  });
export type EdgeOriginConfig = z.infer<typeof edgeOriginConfig>;
