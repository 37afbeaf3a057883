import * as z from 'zod';
import {
  dateTime,
  hostsText,
  idsText,
  listOf,
  listQuery,
  optionalIdText,
  optionalText,
  inputText,
  time,
  idParams,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { ruleRef } from './rule-ref.ts';
import { accessLogRow, accessLogFilters } from './access-log-record.ts';
import { intervalsSeconds } from './intervals.ts';
import { levelTarget } from './site-level.ts';
import { defineSetting } from './setting.ts';

export const monitorMetrics = [
  'bandwidth',
  'flux',
  'flux_hit_rate',
  'request',
  'status_code_2xx',
  'status_code_3xx',
  'status_code_4xx',
  'status_code_5xx',
  'attacks',
  'response_time',
  'unique_remote_addr',
] as const;
export type MonitorMetric = (typeof monitorMetrics)[number];
export const monitorSides = ['cdn', 'origin'] as const;
export type MonitorSide = (typeof monitorSides)[number];

/** Hosts or customers in one question. */
export const monitorHostsMax = 100;
/** Which part of the traffic figures are about; several hosts or customers stand by comma. */
export const trafficFilter = {
  start_time: time,
  end_time: time,
  hosts: hostsText(monitorHostsMax).optional(),
  client_ids: idsText(monitorHostsMax).optional(),
  site_id: optionalIdText,
  order_id: optionalIdText,
  line_group_id: optionalIdText,
  node_id: optionalIdText,
  client_id: optionalIdText,
  country: optionalText,
  province: optionalText,
  carrier: optionalText,
};
const monitorFilter = {
  ...trafficFilter,
  interval: z.coerce.number().pipe(z.literal([...intervalsSeconds])),
};

/**
 * One point: bits per second for bandwidth, bytes for flux, 0 to 1 for rates, seconds for the mean response time, a count
 * otherwise; null is a gap.
 */
export const monitorPoint = z.strictObject({ time: dateTime, value: z.number().nullable() });

export type MonitorPoint = z.infer<typeof monitorPoint>;

/** One figure of one side, as a question for many names it: `cdn.bandwidth`. */
export type MonitorSeries = `${MonitorSide}.${MonitorMetric}`;
export const monitorSeries = monitorSides.flatMap((side) =>
  monitorMetrics.map((metric): MonitorSeries => `${side}.${metric}`),
);
/** Several of these names, by comma. */
const namesText = <const Name extends string>(names: readonly Name[]) =>
  inputText()
    .max(1000)
    .transform((text) => [...new Set(text.split(',').filter((part) => part !== ''))])
    .pipe(z.array(z.enum(names)));

export const monitorSummary = z.strictObject({
  requests: z.int(),
  flux: z.int(),
  flux_hit: z.int(),
  flux_hit_rate: z.number().nullable(),
  bandwidth_peak: z.number(),
  /** The mean in seconds; null without requests. */
  response_time: z.number().nullable(),
  /** Requests that a site's rules kept from it. */
  attacks: z.int(),
  status_2xx: z.int(),
  status_3xx: z.int(),
  status_4xx: z.int(),
  status_5xx: z.int(),
});

/**
 * What can be ranked. Hosts, sites and nodes are counted of all traffic unless `refused` is asked for, the others of the records
 * that are kept.
 */
export const rankingKinds = [
  'top_url',
  'top_hosts',
  'top_referer',
  'top_remote_addr',
  'top_user_agent',
  'top_ja4',
  'top_status',
  'top_method',
  'top_cache_status',
  'top_refusals',
  'top_refusal_kinds',
  'top_sites',
  'top_nodes',
  'top_country',
  'top_province',
  'top_carrier',
  'top_asn',
] as const;
export type RankingKind = (typeof rankingKinds)[number];
export const rankingMax = 100;
export const rankingTypes = ['request', 'flux'] as const;
export type RankingType = (typeof rankingTypes)[number];

const rankingFilter = {
  ...trafficFilter,
  top: z.coerce.number().int().min(1).max(rankingMax).default(rankingMax),
  top_type: z.enum(rankingTypes).default('request'),
  /** Only what a rule of the site kept from it, or only the rest. */
  refused: z.enum(['yes', 'no']).optional(),
};
/** The first of a ranking; `total` is of all, those that are not listed as well. */
export const ranking = z.strictObject({
  ranks: z.array(
    z.strictObject({
      name: z.string(),
      requests: z.int(),
      flux: z.int(),
      /** What people know it by, where the name is a number. */
      label: z.string().optional(),
      /** Of what refused requests: the rule, as it is now. */
      rule: ruleRef.optional(),
    }),
  ),
  total: z.strictObject({ requests: z.int(), flux: z.int() }),
  /** There are too many names to count each: the sums are exact, and a name that belongs among these may be missing. */
  estimated: z.boolean(),
});
export type Ranking = z.infer<typeof ranking>;

const rankingRoute = <const Kind extends RankingKind>(kind: Kind, of: string) =>
  ({
    method: 'GET',
    path: `/prod-api/statistics/monitor/{side}/${kind}`,
    summary: `Rank ${of} by requests or traffic in a time range.`,
    access: { kind: 'both', permission: 'statistics.read' },
    params: z.strictObject({ side: z.enum(monitorSides) }),
    query: z.strictObject(rankingFilter),
    response: ranking,
  }) as const;

/** What bills are made of. */
export const usageKinds = ['site', 'order'] as const;
export type UsageKind = (typeof usageKinds)[number];
/** Bandwidths in bits per second, of five minutes each; the 95th percentile leaves out the highest 5 % of all of them. */
export const usage = z.strictObject({
  id: z.int(),
  /** A domain of the site, or the order's number; empty when it is deleted. */
  name: z.string(),
  client_id: z.int(),
  /** For administrators; empty when it is deleted. */
  client_name: z.string(),
  requests: z.int(),
  flux: z.int(),
  bandwidth_peak: z.number(),
  bandwidth_95: z.number(),
});
export type Usage = z.infer<typeof usage>;

/** Of a range of the logs: its sums, and the first of what most stands out. */
export const accessStats = z.strictObject({
  summary: monitorSummary,
  top_hosts: ranking,
  top_url: ranking,
  top_remote_addr: ranking,
  top_status: ranking,
});
export const attackStats = z.strictObject({
  attacks: z.int(),
  top_hosts: ranking,
  top_url: ranking,
  top_remote_addr: ranking,
  top_refusals: ranking,
});
const statsQuery = z.strictObject({
  ...trafficFilter,
  top: z.coerce.number().int().min(1).max(rankingMax).default(10),
});

export const logRetention = z.strictObject({
  /** Days that single records are kept. */
  record_days: z.int().min(1).max(3650),
  /** Days that minute figures are kept: charts and bills read these. */
  rollup_days: z.int().min(1).max(3650),
});
export type LogRetention = z.infer<typeof logRetention>;

export const logRetentionSettings = defineSetting('log_retention', {
  schema: logRetention,
  initial: { record_days: 30, rollup_days: 400 },
  about: 'Retention of log records and per-minute statistics',
  readBy: { kind: 'admin', permission: 'log_store.read' },
  permission: 'log_store.write',
});

/** Of each rule by its place in the list, from 0. */
const ruleHits = z.strictObject({
  list: z.array(z.strictObject({ place: z.int(), day: z.int(), week: z.int() })),
});

export const statisticsRoutes = defineRoutes({
  readMonitor: {
    method: 'GET',
    path: '/prod-api/statistics/monitor',
    cost: 'expensive',
    summary: 'Many figures of one range in one answer: series over time, and the sums of either side.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: z.strictObject({
      ...monitorFilter,
      series: namesText(monitorSeries).default([]),
      summaries: namesText(monitorSides).default([]),
    }),
    response: z.strictObject({
      series: z.array(
        z.strictObject({
          name: z.enum(monitorSeries),
          /** Coarser than asked for where the figure is not kept so finely. */
          interval: z.int(),
          /** Null: of this figure alone, so old a range is not kept. */
          points: z.array(monitorPoint).nullable(),
        }),
      ),
      summaries: z.partialRecord(z.enum(monitorSides), monitorSummary),
    }),
  },
  monitorMetric: {
    method: 'GET',
    path: '/prod-api/statistics/monitor/{side}/{metric}',
    cost: 'expensive',
    summary: 'Get one metric over time.',
    access: { kind: 'both', permission: 'statistics.read' },
    params: z.strictObject({ side: z.enum(monitorSides), metric: z.enum(monitorMetrics) }),
    query: z.strictObject(monitorFilter),
    response: z.strictObject({ interval: z.int(), points: z.array(monitorPoint) }),
  },
  monitorSummary: {
    method: 'GET',
    path: '/prod-api/statistics/monitor/{side}/summary',
    cost: 'expensive',
    summary:
      'Get the totals of a time range: requests, traffic, byte hit ratio, status classes and peak bandwidth.',
    access: { kind: 'both', permission: 'statistics.read' },
    params: z.strictObject({ side: z.enum(monitorSides) }),
    query: z.strictObject(monitorFilter).omit({ interval: true }),
    response: monitorSummary,
  },
  rankUrls: rankingRoute('top_url', 'URLs'),
  rankHosts: rankingRoute('top_hosts', 'hosts'),
  rankReferers: rankingRoute('top_referer', 'referers'),
  rankAddresses: rankingRoute('top_remote_addr', 'client IPs'),
  rankUserAgents: rankingRoute('top_user_agent', 'user agents'),
  rankTlsClients: rankingRoute('top_ja4', 'TLS fingerprints (JA4), of sites that log them,'),
  rankStatuses: rankingRoute('top_status', 'status codes'),
  rankMethods: rankingRoute('top_method', 'request methods'),
  rankCacheStates: rankingRoute('top_cache_status', 'cache statuses'),
  rankRefusals: rankingRoute('top_refusals', 'blocking rules'),
  rankRefusalKinds: rankingRoute('top_refusal_kinds', 'blocking features'),
  rankSites: rankingRoute('top_sites', 'sites'),
  rankNodes: rankingRoute('top_nodes', 'nodes'),
  rankCountries: rankingRoute('top_country', 'countries'),
  rankProvinces: rankingRoute('top_province', 'provinces of China'),
  rankCarriers: rankingRoute('top_carrier', 'carriers of China'),
  rankNetworks: rankingRoute('top_asn', 'networks by their AS number'),
  listUsage: {
    method: 'GET',
    path: '/prod-api/statistics/usage/{kind}',
    cost: 'expensive',
    summary:
      'Get traffic, peak bandwidth and 95th percentile bandwidth by site or order, most traffic first.',
    access: { kind: 'both', permission: 'statistics.read' },
    params: z.strictObject({ kind: z.enum(usageKinds) }),
    query: listQuery({ start_time: time, end_time: time, client_id: optionalIdText }),
    response: listOf(usage),
  },
  listRefusedRequests: {
    method: 'GET',
    path: '/prod-api/log_analyzer/waf_attack',
    cost: 'expensive',
    summary: 'List access-log records of blocked requests, newest first by default.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: listQuery(accessLogFilters).omit({ refused: true }),
    response: listOf(accessLogRow),
  },
  listAccessLogs: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access',
    cost: 'expensive',
    summary: 'List access-log records that match the filters, newest first by default.',
    access: { kind: 'both', permission: 'access_log.read' },
    query: listQuery(accessLogFilters),
    response: listOf(accessLogRow),
  },
  getAccessStats: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_access/stats',
    cost: 'expensive',
    summary:
      'Get statistics of the access logs in a time range: totals, and the top hosts, URLs, client IPs and status codes.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: statsQuery,
    response: accessStats,
  },
  getAttackStats: {
    method: 'GET',
    path: '/prod-api/log_analyzer/waf_attack/stats',
    cost: 'expensive',
    summary:
      'Get statistics of blocked requests in a time range: totals, and the top hosts, URLs, client IPs and rules.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: statsQuery,
    response: attackStats,
  },
  getMatcherRuleHits: {
    method: 'GET',
    path: '/prod-api/site/{id}/waf_config/matcher_rule/hits',
    cost: 'expensive',
    summary:
      'Count the logged requests that each custom rule of a site matched within the last day and week, also while it stood elsewhere in the list. Rules without any are left out.',
    access: { kind: 'both', permission: 'statistics.read' },
    params: idParams,
    response: ruleHits,
  },
  getSiteLevelRuleHits: {
    method: 'GET',
    path: '/prod-api/site_level/rule_hits',
    cost: 'expensive',
    summary:
      'Count the same for the custom rules of a level, at all sites that inherit them. For the rules of a product, at the sites that have it now.',
    access: { kind: 'admin', permission: 'statistics.read' },
    query: levelTarget,
    response: ruleHits,
  },
});
