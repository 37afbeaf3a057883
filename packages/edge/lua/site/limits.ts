import type { RequestRate, SiteSecurity } from '@breakwater/contract/site-config/site-security';
import { prepareCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { printCondition } from '@breakwater/policy/conditions/text';
import { headLimitsOf, type HeadLimits } from '@breakwater/policy/http/header-limits';
import { rateOf, type Rate } from '@breakwater/policy/access/rate';
import { heldOf, holding, keep, type Holding } from '@breakwater/policy/lib/holding';
import { toHex } from '../lib/digest.ts';

/** The limits of a site, made ready; a site without any has none of this, and its requests pass by all of it. */
export interface Limits {
  connections: number | undefined;
  connectionsPerAddress: number | undefined;
  /** Which requests are held to them; absent: all. */
  connectionsOf: PreparedCondition | undefined;
  rate: Counted | undefined;
  ratePerAddress: Counted | undefined;
  countsHits: boolean;
  /** A rate counts some requests only. */
  hasConditions: boolean;
  bandwidth: Bandwidth;
  /** Answers share a bandwidth, so each of their pieces is looked at. */
  isPaced: boolean;
  bandwidthOf: PreparedCondition | undefined;
  /** Absent: nothing is asked of how large the head of a request is. */
  head: HeadLimits | undefined;
  bodyBytesMax: number | undefined;
  bodyOf: PreparedCondition | undefined;
  visitors: Holding<VisitorCounters>;
}

/** What the counters of one visitor are called. */
export interface VisitorCounters {
  rate: string;
  connections: string;
  /** All that a request holds of connections, a line for each. */
  held: string;
}

/** Bytes a second. */
export interface Bandwidth {
  connection: number | undefined;
  site: number | undefined;
  address: number | undefined;
}

/** A rate with the name of its counters: another rate starts to count anew. */
export interface Counted {
  rate: Rate;
  name: string;
  /** Absent: every request counts. */
  condition: PreparedCondition | undefined;
}

export function prepareLimits(siteKey: string, config: SiteSecurity | undefined): Limits | undefined {
  if (config === undefined || !isLimited(config)) return undefined;
  return {
    connections: config.connections,
    connectionsPerAddress: config.connections_per_address,
    connectionsOf: config.connections_condition && prepareCondition(config.connections_condition),
    rate: prepareRate(siteKey, config.rate),
    ratePerAddress: prepareRate(siteKey, config.rate_per_address),
    countsHits: config.rate_counts_hits,
    hasConditions: config.rate.condition !== undefined || config.rate_per_address.condition !== undefined,
    bandwidth: {
      connection: config.bandwidth_per_connection,
      site: config.bandwidth,
      address: config.bandwidth_per_address,
    },
    isPaced: config.bandwidth !== undefined || config.bandwidth_per_address !== undefined,
    bandwidthOf: config.bandwidth_condition && prepareCondition(config.bandwidth_condition),
    head: headLimitsOf(config),
    bodyBytesMax: config.body_bytes_max,
    bodyOf: config.body_condition && prepareCondition(config.body_condition),
    visitors: holding(2000),
  };
}

/** How fast content has to come is kept to at the fetch server, whatever else is limited. */
const isLimited = (config: SiteSecurity): boolean =>
  config.connections !== undefined ||
  config.connections_per_address !== undefined ||
  config.rate.requests !== undefined ||
  config.rate_per_address.requests !== undefined ||
  config.bandwidth !== undefined ||
  config.bandwidth_per_address !== undefined ||
  config.bandwidth_per_connection !== undefined ||
  config.body_bytes_max !== undefined ||
  headLimitsOf(config) !== undefined;

export function countersOf(siteKey: string, limits: Limits, visitor: string): VisitorCounters {
  return heldOf(limits.visitors, visitor) ?? nameCounters(siteKey, limits, visitor);
}

function nameCounters(siteKey: string, limits: Limits, visitor: string): VisitorCounters {
  const connections = `${siteKey} ${visitor}`;
  const held: string[] = [];
  if (limits.connectionsPerAddress !== undefined) held.push(connections);
  if (limits.connections !== undefined) held.push(siteKey);
  const { ratePerAddress } = limits;
  const rate = ratePerAddress === undefined ? '' : `${ratePerAddress.name} ${visitor}`;
  const counters = { rate, connections, held: held.join('\n') };
  keep(limits.visitors, visitor, counters);
  return counters;
}

function prepareRate(siteKey: string, config: RequestRate): Counted | undefined {
  if (config.requests === undefined) return undefined;
  const rate = rateOf(config.requests, config.period_seconds, config.burst);
  const { condition } = config;
  const own = condition === undefined ? '' : ` ${toHex(ngx.md5_bin(printCondition(condition)))}`;
  return {
    rate,
    name: `${siteKey} ${rate.interval} ${rate.tolerance}${own}`,
    condition: condition === undefined ? undefined : prepareCondition(condition),
  };
}
