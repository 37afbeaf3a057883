import * as z from 'zod';
import { refusingSections } from './access-log.ts';
import { dateTime, id } from './common.ts';
import { defineRoutes } from './define.ts';
import { intervalsSeconds } from './intervals.ts';
import { systemRuleGroups } from './site-config/used-system-rule.ts';
import { trafficFilter } from './statistics.ts';

/** Requests that rules kept from sites, and those that rules only observed. */
export const attackOutcomes = ['refused', 'observed'] as const;
export type AttackOutcome = (typeof attackOutcomes)[number];

/** Kinds of attacks: the section whose rule it was, of attack detection the group besides; `unread`: content it could not read. */
export const attackKinds = [
  ...refusingSections.filter((section) => section !== 'used_system_rule'),
  ...systemRuleGroups.map((group) => `used_system_rule ${group}` as const),
  'used_system_rule unread',
] as const;
export type AttackKind = (typeof attackKinds)[number];

/** What campaigns are told apart by: where they come from, the client they use, or what they are aimed at. */
export const campaignKeys = ['network', 'address', 'tool', 'tls_client', 'target'] as const;
export type CampaignKey = (typeof campaignKeys)[number];

/** Requests below which nothing is called a campaign. */
export const campaignRequestsMin = 5;
/** A source that was quiet for so long begins another campaign. */
export const campaignQuietSeconds = 1800;
const campaignsMax = 50;
/** Sites that a campaign names; how many there are is told besides. */
export const campaignSitesMax = 5;

const attackFilter = {
  ...trafficFilter,
  outcome: z.enum(attackOutcomes).default('refused'),
};

export const attackTrend = z.strictObject({
  /** The beginning of each step; the counts of each kind are in the same order. */
  times: z.array(dateTime),
  /** Every request once. */
  requests: z.int(),
  /** Kinds without a request are left out; a request that was observed for two kinds counts in both. */
  kinds: z.array(z.strictObject({ kind: z.enum(attackKinds), requests: z.int(), counts: z.array(z.int()) })),
});
export type AttackTrend = z.infer<typeof attackTrend>;

export const attackCampaign = z.strictObject({
  /** The AS number, address, user agent, or host with path. */
  source: z.string(),
  first_seen: dateTime,
  last_seen: dateTime,
  requests: z.int(),
  addresses: z.int(),
  site_count: z.int(),
  sites: z.array(z.strictObject({ id, name: z.string() })),
  kinds: z.array(z.enum(attackKinds)),
});
export type AttackCampaign = z.infer<typeof attackCampaign>;

export const attackRoutes = defineRoutes({
  readAttackTrend: {
    method: 'GET',
    path: '/prod-api/statistics/attack/trend',
    cost: 'expensive',
    summary: 'Get the requests that rules blocked or only observed, over time and by kind.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: z.strictObject({
      ...attackFilter,
      interval: z.coerce.number().pipe(z.literal(intervalsSeconds.filter((seconds) => seconds >= 60))),
    }),
    response: attackTrend,
  },
  readAttackCampaigns: {
    method: 'GET',
    path: '/prod-api/statistics/attack/campaigns',
    cost: 'expensive',
    summary:
      'List campaigns: attack requests of one source network, address, tool or target, apart where it was quiet for half an hour; the most requests first.',
    access: { kind: 'both', permission: 'statistics.read' },
    query: z.strictObject({
      ...attackFilter,
      by: z.enum(campaignKeys).default('network'),
      top: z.coerce.number().int().min(1).max(campaignsMax).default(20),
    }),
    response: z.strictObject({ list: z.array(attackCampaign) }),
  },
});
