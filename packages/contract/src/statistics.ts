import * as z from 'zod';
import { accessLogLine } from './access-log.ts';
import { dateTime, listOf, listQuery, optionalIdText, optionalText } from './common.ts';
import { defineRoutes } from './define.ts';
import { operators, readers } from './permissions.ts';

/** Steps a chart can take, in seconds (spec §9), finest first. Rollups are by minute, so a chart starts there. */
export const intervalsSeconds = [60, 300, 900, 1800, 3600, 21_600, 86_400] as const;
export const pointsMax = 1500;

export const monitorMetrics = [
  'bandwidth',
  'flux',
  'flux_hit_rate',
  'request',
  'status_code_2xx',
  'status_code_3xx',
  'status_code_4xx',
  'status_code_5xx',
] as const;
export type MonitorMetric = (typeof monitorMetrics)[number];
export const monitorSides = ['cdn', 'origin'] as const;
export type MonitorSide = (typeof monitorSides)[number];

const monitorFilter = {
  start_time: dateTime,
  end_time: dateTime,
  interval: z.coerce.number().pipe(z.literal([...intervalsSeconds])),
  site_id: optionalIdText,
  node_id: optionalIdText,
  client_id: optionalIdText,
};

/** One point: bits per second for bandwidth, bytes for flux, 0 to 1 for rates, a count otherwise; null is a gap. */
export const monitorPoint = z.strictObject({ time: dateTime, value: z.number().nullable() });

export const monitorSummary = z.strictObject({
  requests: z.int(),
  flux: z.int(),
  flux_hit: z.int(),
  flux_hit_rate: z.number().nullable(),
  bandwidth_peak: z.number(),
  status_2xx: z.int(),
  status_3xx: z.int(),
  status_4xx: z.int(),
  status_5xx: z.int(),
});

/** An access-log record as searches return it: the line, and the node that wrote it. */
export const accessLogRecord = accessLogLine.extend({ node_id: z.int() });
export type AccessLogRecord = z.infer<typeof accessLogRecord>;

export const accessLogFilters = {
  host: optionalText,
  client_id: optionalIdText,
  order_id: optionalIdText,
  site_id: optionalIdText,
  node_id: optionalIdText,
  remote_addr: optionalText,
  http_referer: optionalText,
  status_code: z.coerce.number().int().min(100).max(999).optional(),
  cache_status: optionalText,
  method: optionalText,
  request_uri: z.string().trim().max(2000).optional(),
  request_id: optionalText,
  time_sort: z.enum(['asc', 'desc']).default('desc'),
  start_time: dateTime.optional(),
  end_time: dateTime.optional(),
};

export const logRetention = z.strictObject({
  /** Days that single records are kept. */
  record_days: z.int().min(1).max(3650),
  /** Days that minute figures are kept: charts and bills read these. */
  rollup_days: z.int().min(1).max(3650),
});
export type LogRetention = z.infer<typeof logRetention>;

export const statisticsRoutes = defineRoutes({
  monitorMetric: {
    method: 'GET',
    path: '/prod-api/statistics/monitor/{side}/{metric}',
    summary: 'One figure over time, from the minute rollups.',
    access: { kind: 'both', groups: readers },
    params: z.strictObject({ side: z.enum(monitorSides), metric: z.enum(monitorMetrics) }),
    query: z.strictObject(monitorFilter),
    response: z.strictObject({ interval: z.int(), points: z.array(monitorPoint) }),
  },
  monitorSummary: {
    method: 'GET',
    path: '/prod-api/statistics/monitor/{side}/summary',
    summary: 'The sums of a range: requests, traffic, hit rate, status classes, peak bandwidth.',
    access: { kind: 'both', groups: readers },
    params: z.strictObject({ side: z.enum(monitorSides) }),
    query: z.strictObject(monitorFilter).omit({ interval: true }),
    response: monitorSummary,
  },
  listAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access',
    summary: 'Access-log records by filters, newest first unless asked otherwise.',
    access: { kind: 'both', groups: readers },
    query: listQuery(accessLogFilters),
    response: listOf(accessLogRecord),
  },
  getLogRetention: {
    method: 'GET',
    path: '/prod-api/setting/log_retention',
    summary: 'How long records and minute figures are kept.',
    access: { kind: 'admin', groups: readers },
    response: logRetention,
  },
  updateLogRetention: {
    method: 'PUT',
    path: '/prod-api/setting/log_retention',
    summary: 'Change how long records and minute figures are kept.',
    access: { kind: 'admin', groups: operators },
    body: logRetention,
    response: logRetention,
  },
});
