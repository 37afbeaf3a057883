import type { MonitorSide, Ranking, RankingKind } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { hourMs, isPlaced, minuteMs, piecesOf, rangeOf } from '../figure-plan.ts';
import type { RankingFilter } from '../log-store.ts';
import {
  allBuckets,
  ask,
  figuresIn,
  filtersOf,
  ofSites,
  type Query,
  type Source,
  sumsOf,
  valueOf,
  within,
} from './question.ts';
import { onlyDay } from './names.ts';

/** What each ranking counts. */
const fields: Record<RankingKind, string> = {
  top_url: 'url',
  top_hosts: 'host',
  top_sites: 'site_id',
  top_nodes: 'node_id',
  top_referer: 'referer',
  top_remote_addr: 'remote_addr.text',
  top_user_agent: 'user_agent',
  top_status: 'status',
  top_method: 'method',
  top_cache_status: 'cache_status',
  top_country: 'country',
  top_province: 'province',
  top_carrier: 'carrier',
  top_refusals: 'decision',
  top_refusal_kinds: 'refusal_kind',
};
const ofTexts: readonly RankingKind[] = [
  'top_hosts',
  'top_referer',
  'top_user_agent',
  'top_cache_status',
  'top_country',
  'top_province',
  'top_carrier',
  'top_refusals',
  'top_refusal_kinds',
];
/** What the sums tell apart as well. */
const summed: readonly RankingKind[] = ['top_hosts', 'top_sites', 'top_nodes'];

type Rank = Ranking['ranks'][number];

export async function readRanking(
  source: Source,
  scope: Scope,
  side: MonitorSide,
  kind: RankingKind,
  filter: RankingFilter,
): Promise<Ranking> {
  const columns =
    side === 'cdn' ? (['requests', 'bytes_sent'] as const) : (['origin_requests', 'origin_bytes'] as const);
  const asked =
    summed.includes(kind) && filter.refused === undefined
      ? fromSums(source, scope, kind, filter)
      : fromLines(source, scope, side, kind, filter);
  const totals = await ask(source, asked.indices, {
    size: 0,
    track_total_hits: false,
    query: asked.query,
    aggs: sumsOf(columns),
  });
  const [requests, flux] = columns.map((column) => valueOf(totals.aggregations?.[column])) as [
    number,
    number,
  ];
  const by = filter.top_type === 'request' ? columns[0] : columns[1];
  const ranks =
    (await readAtOnce(source, asked, kind, columns, by, filter.top)) ??
    (await readAll(source, asked, kind, columns));
  const order = filter.top_type === 'request' ? 'requests' : 'flux';
  // The name settles the order among equals, so that the same question has the same answer.
  ranks.sort((a, b) => b[order] - a[order] || (a.name < b.name ? -1 : 1));
  return { ranks: ranks.filter((rank) => rank.requests > 0).slice(0, filter.top), total: { requests, flux } };
}

interface Asked {
  indices: string;
  query: Query;
  /** Whether the answer comes from one index, and so from one shard. */
  isOneShard: boolean;
}

/** From the sums, which count what left no record too. */
function fromSums(source: Source, scope: Scope, kind: RankingKind, filter: RankingFilter): Asked {
  const range = rangeOf(filter, isPlaced(filter) ? hourMs : minuteMs);
  // A host or site is told apart in the large tables only; nodes are in the small ones as well.
  const all = kind === 'top_nodes' ? filter : { ...filter, hosts: filter.hosts ?? [] };
  const pieces = piecesOf(scope, all, range, hourMs);
  const filters = [...filtersOf(scope, filter), ...named(kind)];
  return { ...figuresIn(source, pieces, filters), isOneShard: false };
}

function fromLines(
  { names, days }: Source,
  scope: Scope,
  side: MonitorSide,
  kind: RankingKind,
  filter: RankingFilter,
): Asked {
  const range = rangeOf(filter, minuteMs);
  const refusals = { exists: { field: 'refused' } };
  const filterList = [
    { term: { recorded: true } },
    within(range),
    ...filtersOf(scope, { ...filter, hosts: undefined }),
    ...(filter.hosts ? [{ terms: { host: [...filter.hosts] } }] : []),
    ...(side === 'cdn' ? [] : [{ exists: { field: 'origin_requests' } }]),
    ...(filter.refused === 'yes' ? [refusals] : []),
    ...(filter.refused === 'no' ? [{ bool: { must_not: [refusals] } }] : []),
    ...named(kind),
  ];
  const indices = names.recordsIn(range.start, range.end);
  const day = onlyDay(range);
  return {
    indices,
    query: { bool: { filter: filterList } },
    isOneShard: day !== undefined && days.closedIndices(day).length === 0,
  };
}

/** Leaves out what has no name. */
function named(kind: RankingKind): Query[] {
  const hasName = { bool: { must_not: [{ term: { [fields[kind]]: '' } }] } };
  return [
    ...(ofTexts.includes(kind) ? [hasName] : []),
    ...(kind === 'top_hosts' || kind === 'top_sites' ? [ofSites] : []),
  ];
}

/** Buckets that all names may be in, for names that are few. */
const fewNames = 10_000;

/**
 * The highest as the store ranks them: exact of one shard, or where it has left out no name. Undefined where the shards knew
 * more names than they told of.
 */
async function readAtOnce(
  source: Source,
  { indices, query, isOneShard }: Asked,
  kind: RankingKind,
  columns: readonly [string, string],
  by: string,
  top: number,
): Promise<Rank[] | undefined> {
  const size = isOneShard ? top : fewNames;
  const answer = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query,
    aggs: {
      names: {
        terms: { field: fields[kind], size, shard_size: size, order: [{ [by]: 'desc' }, { _key: 'asc' }] },
        aggs: sumsOf(columns),
      },
    },
  });
  const found = answer.aggregations?.names;
  if (!isOneShard && (found?.sum_other_doc_count ?? 0) > 0) return undefined;
  return (found?.buckets ?? []).map((bucket) => ({
    name: bucket.key_as_string ?? String(bucket.key as string | number),
    requests: valueOf(bucket[columns[0]]),
    flux: valueOf(bucket[columns[1]]),
  }));
}

/** Every name, a page at a time: exact of any number of shards. */
async function readAll(
  source: Source,
  asked: Asked,
  kind: RankingKind,
  columns: readonly [string, string],
): Promise<Rank[]> {
  const ranks: Rank[] = [];
  const by = [{ name: { terms: { field: fields[kind] } } }];
  for await (const buckets of allBuckets(source, asked, by, sumsOf(columns)))
    for (const bucket of buckets)
      ranks.push({
        name: String((bucket.key as Record<string, unknown>).name),
        requests: valueOf(bucket[columns[0]]),
        flux: valueOf(bucket[columns[1]]),
      });
  return ranks;
}
