import * as z from 'zod';
import { hostAddress, port } from '../common.ts';

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
});
export type Origin = z.infer<typeof origin>;

export const originServerConfig = z.strictObject({
  origins: z.array(origin).min(1).max(64),
  /** `follow` speaks to the origin as the visitor spoke to the edge. */
  protocol: z.enum(['http', 'https', 'follow']).default('http'),
  /** Host header and SNI sent to the origin; absent: the visitor's host. */
  host: hostAddress.optional(),
  connect_timeout_seconds: z.int().min(1).max(120).default(10),
  send_timeout_seconds: z.int().min(1).max(3600).default(60),
  read_timeout_seconds: z.int().min(1).max(3600).default(60),
  /** Origins tried for one request, the first included. */
  tries: z.int().min(1).max(10).default(3),
});
export type OriginServerConfig = z.infer<typeof originServerConfig>;
