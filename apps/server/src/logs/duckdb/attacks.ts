import { campaignSitesMax, type CampaignKey, type AttackOutcome } from '@breakwater/contract/attack';
import type { Scope } from '../../scope.ts';
import {
  allDetectors,
  attackPlan,
  campaignPlan,
  kindMatches,
  observing,
  stretchesOf,
  type KindMatch,
  type Stretch,
} from '../attack-plan.ts';
import { hourMs, minuteMs, piecesOf, rangeOf } from '../figure-plan.ts';
import type {
  AttackedSite,
  AttackFilter,
  AttackSteps,
  Campaign,
  CampaignFilter,
  MonitorFilter,
} from '../log-store.ts';
import { timestamp, type Database, type Row, type Values } from './database.ts';
import { fromPieces, whereOf } from './monitor-source.ts';
import { askerOf, recordsAsker } from './readers.ts';

const oneOf = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `'${prefix}${name}'`).join(', ');
const entry = (rule: string): string => `regexp_matches(waf, '(^|; )${rule}=observe(;|$)')`;

/** Whether a record is of a kind, as a condition. */
const conditionOf: Record<AttackOutcome, (match: KindMatch) => string> = {
  refused: (match) => {
    if ('section' in match) return `split_part(decision, ' ', 1) = '${match.section}'`;
    const detectors = 'unread' in match ? allDetectors : match.detectors;
    const isDetected = `decision IN (${oneOf(detectors, 'used_system_rule ')})`;
    return 'unread' in match
      ? `(split_part(decision, ' ', 1) = 'used_system_rule' AND NOT ${isDetected})`
      : isDetected;
  },
  observed: (match) => {
    if ('section' in match)
      return observing.includes(match.section) ? entry(`${match.section}( [^=;]*)?`) : 'false';
    return 'unread' in match ? 'false' : entry(`used_system_rule (${match.detectors.join('|')})`);
  },
};

const outcomes: Record<AttackOutcome, string> = {
  refused: `decision <> ''`,
  observed: `decision = '' AND waf <> '' AND ${entry(
    `((${observing.join('|')})( [^=;]*)?|used_system_rule (${allDetectors.join('|')}))`,
  )}`,
};

/** What campaigns are told apart by, and where that is known. */
const sources: Record<CampaignKey, { name: string; only: string }> = {
  network: { name: 'asn::VARCHAR', only: 'asn > 0' },
  address: { name: 'remote_addr', only: 'true' },
  tool: { name: 'user_agent', only: `user_agent <> ''` },
  tls_client: { name: 'ja4', only: `ja4 <> ''` },
  target: { name: `host || split_part(request_uri, '?', 1)`, only: 'site_id <> 0' },
};

export async function readAttackSteps(
  database: Database,
  scope: Scope,
  filter: AttackFilter & { interval: number },
  signal: AbortSignal | undefined,
): Promise<AttackSteps> {
  const { range, stepMs, steps } = attackPlan(filter);
  const { condition, values } = whereOf(scope, filter);
  const counts = kindMatches.map(
    (match, index) => `count(*) FILTER (${conditionOf[filter.outcome](match)})::DOUBLE AS kind${index}`,
  );
  const rows = await database.query(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step, count(*)::DOUBLE AS requests, ${counts.join(', ')}
     FROM access_log WHERE time >= $start AND time < $end AND ${outcomes[filter.outcome]} ${condition}
     GROUP BY step ORDER BY step`,
    { ...values, ...bounds(range), origin: range.start, stepMs },
    { ...recordsAsker(scope, filter.start_time, filter.end_time), signal },
  );
  return {
    range,
    stepMs,
    steps,
    rows: rows.map((row) => ({
      step: Number(row.step),
      requests: Number(row.requests),
      kinds: kindMatches.map((_, index) => Number(row[`kind${index}`])),
    })),
  };
}

export async function readCampaigns(
  database: Database,
  scope: Scope,
  filter: CampaignFilter,
  signal: AbortSignal | undefined,
): Promise<Campaign[]> {
  const plan = campaignPlan(filter);
  const { condition, values } = whereOf(scope, filter);
  const { name, only } = sources[filter.by];
  const asker = { ...recordsAsker(scope, filter.start_time, filter.end_time), signal };
  const chosen = `time >= $start AND time < $end AND ${only} AND ${outcomes[filter.outcome]} ${condition}`;
  const rows = await database.query(
    `WITH steps AS (
       SELECT ${name} AS source, ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step, count(*)::DOUBLE AS requests
       FROM access_log WHERE ${chosen} GROUP BY 1, 2)
     SELECT source, step, requests FROM steps WHERE source IN (
       SELECT source FROM steps GROUP BY source ORDER BY sum(requests) DESC, source LIMIT ${filter.sourcesMax})`,
    { ...values, ...bounds(plan.range), origin: plan.range.start, stepMs: plan.stepMs },
    asker,
  );
  const steps = rows.map(({ source, step, requests }) => ({
    source: String(source),
    step: Number(step),
    requests: Number(requests),
  }));
  const stretches = stretchesOf(steps, plan, filter.top);
  if (stretches.length === 0) return [];
  return describeStretches({ database, filter, chosen, name, values, asker }, stretches);
}

interface Described {
  database: Database;
  filter: CampaignFilter;
  chosen: string;
  name: string;
  values: Values;
  asker: Parameters<Database['query']>[2];
}

async function describeStretches(
  { database, filter, chosen, name, values, asker }: Described,
  stretches: readonly Stretch[],
): Promise<Campaign[]> {
  const all: Values = {
    ...values,
    ...bounds({
      start: Math.min(...stretches.map(({ start }) => start)),
      end: Math.max(...stretches.map(({ end }) => end)),
    }),
  };
  const listed = stretches.map(({ source, start, end }, index) => {
    all[`source${index}`] = source;
    all[`from${index}`] = timestamp(start);
    all[`until${index}`] = timestamp(end);
    return `(${index}, $source${index}::VARCHAR, $from${index}::TIMESTAMP, $until${index}::TIMESTAMP)`;
  });
  const kinds = kindMatches.map(
    (match, index) => `bool_or(${conditionOf[filter.outcome](match)}) AS kind${index}`,
  );
  const rows = await database.query(
    `SELECT number, count(*)::DOUBLE AS requests, min(time) AS first_seen, max(time) AS last_seen,
       count(DISTINCT remote_addr)::DOUBLE AS addresses, count(DISTINCT site_id)::DOUBLE AS site_count,
       array_to_string(list_slice(list_sort(list(DISTINCT site_id)), 1, ${campaignSitesMax}), ',') AS sites, ${kinds.join(', ')}
     FROM access_log JOIN (VALUES ${listed.join(', ')}) AS stretch (number, source, since, until)
       ON ${name} = stretch.source AND time >= since AND time < until
     WHERE ${chosen} GROUP BY number ORDER BY number`,
    all,
    asker,
  );
  return rows.map((row) => campaignOf(row, stretches[Number(row.number)]!));
}

const campaignOf = (row: Row, { source }: Stretch): Campaign => ({
  source,
  first_seen: String(row.first_seen),
  last_seen: String(row.last_seen),
  requests: Number(row.requests),
  addresses: Number(row.addresses),
  site_count: Number(row.site_count),
  site_ids: String(row.sites).split(',').map(Number),
  kinds: kindMatches.flatMap(({ kind }, index) => (row[`kind${index}`] === true ? [kind] : [])),
});

/** The sites with the most: what was refused from the sums, what was observed from the records of the time. */
export async function readAttackedSites(
  database: Database,
  scope: Scope,
  filter: MonitorFilter & { top: number },
): Promise<AttackedSite[]> {
  const range = rangeOf(filter, minuteMs);
  const where = whereOf(scope, filter);
  const pieces = piecesOf(scope, { ...filter, hosts: filter.hosts ?? [] }, range, hourMs);
  const sums = fromPieces(pieces, ['site_id', 'refused'], where);
  const rows = await database.query(
    `SELECT site_id, sum(refused)::DOUBLE AS refused, sum(observed)::DOUBLE AS observed FROM (
       SELECT site_id, refused, 0 AS observed FROM ${sums.from}
       UNION ALL SELECT site_id, 0, count(*) FROM access_log
         WHERE time >= $start AND time < $end AND ${outcomes.observed} ${where.condition} GROUP BY site_id)
     WHERE site_id <> 0 GROUP BY site_id HAVING sum(refused) + sum(observed) > 0
     ORDER BY sum(refused) + sum(observed) DESC, site_id LIMIT ${filter.top}`,
    { ...sums.values, ...bounds(range) },
    askerOf(scope),
  );
  return rows.map((row) => ({
    site_id: Number(row.site_id),
    refused: Number(row.refused),
    observed: Number(row.observed),
  }));
}

const bounds = ({ start, end }: { start: number; end: number }) => ({
  start: timestamp(start),
  end: timestamp(end),
});
