import * as z from 'zod';
import { count, id, idParams, port, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';
import { secret, secretField } from './secret.ts';

/** Where nodes send their log lines besides the control plane, each by itself. */
export const logShippingKinds = ['off', 'syslog', 'http', 'file'] as const;
export type LogShippingKind = (typeof logShippingKinds)[number];
export const syslogTransports = ['udp', 'tcp', 'tls'] as const;

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

const destination = {
  kind: z.enum(logShippingKinds).default('off'),
  /** Name or address, and port, of the receiver: RFC 5424 messages, framed by their length on TCP and TLS (RFC 6587, 5425). */
  syslog_host: inputText()
    .trim()
    .max(253)
    .regex(/^[A-Za-z0-9._:-]*$/, { error: 'host_address' })
    .default(''),
  syslog_port: port.default(514),
  syslog_transport: z.enum(syslogTransports).default('tcp'),
  /** Certificates that the receiver's is checked against, PEM; empty: those of the system. */
  syslog_ca: inputText().max(64_000).default(''),
  /** Gets a POST with a JSON object a line. */
  http_url: inputText()
    .trim()
    .max(2000)
    .refine((text) => text === '' || z.url({ protocol: /^https?$/ }).safeParse(text).success, {
      error: 'url',
    })
    .default(''),
  /** Each of so many bytes, in the folder `log-output` of the node. */
  file_rotate_bytes: z
    .int()
    .min(mebibyte)
    .max(100 * gibibyte)
    .default(256 * mebibyte),
  file_keep: z.int().min(1).max(1000).default(10),
  /** Lines of these sites; none: of all, and of requests to no site. */
  site_ids: z.array(id).max(500).default([]),
  /** Nodes of these line groups; none: all. */
  line_group_ids: z.array(id).max(200).default([]),
  /** Most that may wait on a node's disk; beyond it the oldest lines are given up. */
  waiting_bytes_max: z
    .int()
    .min(mebibyte)
    .max(1024 * gibibyte)
    .default(gibibyte),
};

export const logShippingInput = z
  .strictObject({
    ...destination,
    /** Sent with each POST. */
    ...secretField(
      'http_authorization',
      inputText()
        .trim()
        .max(2000)
        .regex(/^[\x20-\x7e]*$/),
    ),
  })
  .refine(({ kind, syslog_host }) => kind !== 'syslog' || syslog_host !== '', {
    error: 'required',
    path: ['syslog_host'],
  })
  .refine(({ kind, http_url }) => kind !== 'http' || http_url !== '', {
    error: 'required',
    path: ['http_url'],
  });
export type LogShippingInput = z.input<typeof logShippingInput>;

/** What a node is told. `version` is told back: then it is in service there. */
export const logShippingOrder = z.object({
  version: inputText().max(64),
  ...destination,
  http_authorization: secret(z.string()).optional(),
});
export type LogShippingOrder = z.infer<typeof logShippingOrder>;

/** How far a node is with it, since its agent started. */
export const logShippingState = z.object({
  version: inputText().max(64),
  lines_sent: count,
  bytes_waiting: count,
  bytes_dropped: count,
  /** Why it does not go on; empty: it does. */
  error: inputText().max(500),
});
export type LogShippingState = z.infer<typeof logShippingState>;

export const logShippingSettings = defineSetting('log_shipping', {
  schema: logShippingInput,
  initial: {},
  about: 'Log shipping: where nodes send access logs in addition to the control plane',
  readBy: settingReaders,
  permission: 'setting.log_shipping',
  bodyBytesMax: 128 * 1024,
});

export const logShippingRoutes = defineRoutes({
  getLogShipping: logShippingSettings.read,
  updateLogShipping: logShippingSettings.write,
  getLogShippingNodes: {
    method: 'GET',
    path: '/prod-api/setting/log_shipping/nodes',
    summary: 'Get the log shipping progress of each node.',
    access: { kind: 'admin', permission: 'setting.read' },
    response: z.strictObject({
      nodes: z.array(
        z.strictObject({
          id: z.int(),
          name: z.string(),
          /** The node has said that it goes by what is set now. */
          in_service: z.boolean(),
          state: logShippingState.nullable(),
        }),
      ),
    }),
  },
  testLogShipping: {
    method: 'POST',
    path: '/prod-api/node/{id}/log_shipping_test',
    summary: 'Send one test line from a node to the configured receiver. Returns the error, if any.',
    access: { kind: 'admin', permission: 'setting.log_shipping_test' },
    params: idParams,
    response: z.strictObject({ error: inputText().max(500) }),
    unlogged: true,
  },
});
