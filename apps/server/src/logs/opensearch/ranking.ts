import type { MonitorSide, Ranking, RankingKind } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { hourMs, isPlaced, minuteMs, piecesOf, rangeOf } from '../figure-plan.ts';
import type { RankingFilter } from '../log-store.ts';
import {
  type Aggregation,
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
const fields: Record<Exclude<RankingKind, 'top_refusals'>, string> = {
  top_url: 'url',
  top_hosts: 'host',
  top_sites: 'site_id',
  top_nodes: 'node_id',
  top_referer: 'referer',
  top_remote_addr: 'remote_addr.text',
  top_user_agent: 'user_agent',
  top_ja4: 'ja4',
  top_status: 'status',
  top_method: 'method',
  top_cache_status: 'cache_status',
  top_country: 'country',
  top_province: 'province',
  top_carrier: 'carrier',
  top_asn: 'asn',
  top_refusal_kinds: 'refusal_kind',
};
/** What names are made of. By site: the first rule of one is not that of another. */
const partsOf = (kind: RankingKind): string[] =>
  kind === 'top_refusals' ? ['site_id', 'decision'] : [fields[kind]];
const ofTexts: readonly RankingKind[] = [
  'top_hosts',
  'top_referer',
  'top_user_agent',
  'top_ja4',
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

/** A ranking of more names than this is estimated: to count them all takes a minute, and the cluster's processors. */
const namesCounted = 500_000;

export async function readRanking(
  source: Source,
  scope: Scope,
  side: MonitorSide,
  kind: RankingKind,
  filter: RankingFilter,
  namesMax = namesCounted,
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
  const question = { source, asked, kind, columns, filter, order: orderOf(filter) };
  const { ranks, estimated = false } = await readRanks(question, namesMax);
  return { ranks, total: { requests, flux }, estimated };
}

interface Question {
  source: Source;
  asked: Asked;
  kind: RankingKind;
  columns: readonly [string, string];
  filter: RankingFilter;
  order: Order;
}
type Order = (a: Rank, b: Rank) => number;

/** The name settles the order among equals, so that the same question has the same answer. */
function orderOf({ top_type: type }: RankingFilter): Order {
  const by = type === 'request' ? 'requests' : 'flux';
  return (a, b) => b[by] - a[by] || (a.name < b.name ? -1 : 1);
}

interface Ranks {
  ranks: Rank[];
  /** Every sum is exact; a name that belongs among them may be missing. */
  estimated?: boolean;
}

/**
 * Exact as the store ranks them, or by counting every name, which takes no more memory than a page and the highest. Where
 * there are more than `namesMax` names, the highest of those that some shard ranks high, with their exact sums.
 */
async function readRanks(question: Question, namesMax: number): Promise<Ranks> {
  const { ranks, isExact } = await readAtOnce(question);
  if (isExact) return { ranks: highestOf(question, ranks) };
  const all = await readAll(question, namesMax);
  if (all) return { ranks: all };
  const candidates = highestOf(question, ranks, candidatesPerRank);
  const found = await readNamed(
    question,
    candidates.map(({ name }) => name),
  );
  return { ranks: highestOf(question, found), estimated: true };
}

/** So many as are wanted, or so many times as many, of those that were asked for at all. */
const highestOf = ({ order, filter }: Question, ranks: readonly Rank[], times = 1): Rank[] =>
  ranks
    .filter((rank) => rank.requests > 0)
    .sort(order)
    .slice(0, times * filter.top);

/** A name that is high overall is high on some shard: among so many times the names that are wanted it is nearly always. */
const candidatesPerRank = 10;

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
  const hasName = { bool: { must_not: [{ term: { [partsOf(kind).at(-1)!]: '' } }] } };
  return [
    ...(ofTexts.includes(kind) ? [hasName] : []),
    ...(kind === 'top_asn' ? [{ range: { asn: { gt: 0 } } }] : []),
    ...(kind === 'top_refusals' ? [{ exists: { field: 'refused' } }] : []),
    ...(kind === 'top_hosts' || kind === 'top_sites' ? [ofSites] : []),
  ];
}

/** Buckets that all names may be in, for names that are few. */
const fewNames = 10_000;

/** The highest as the store ranks them: exact of one shard, or where it has left out no name. */
async function readAtOnce(question: Question): Promise<{ ranks: Rank[]; isExact: boolean }> {
  const { asked, filter } = question;
  const size = asked.isOneShard ? filter.top : fewNames;
  const found = await askNames(question, asked.query, size);
  return {
    ranks: ranksOf(question, found),
    isExact: asked.isOneShard || (found?.sum_other_doc_count ?? 0) === 0,
  };
}

/** These names with their sums over all shards. */
async function readNamed(question: Question, names: readonly string[]): Promise<Rank[]> {
  const isNamed = { bool: { should: namesQuery(question.kind, names) } };
  const query = { bool: { filter: [question.asked.query, isNamed] } };
  return ranksOf(question, await askNames(question, query, names.length));
}

function namesQuery(kind: RankingKind, names: readonly string[]): Query[] {
  const [field, second] = partsOf(kind) as [string, string?];
  if (second === undefined) return [{ terms: { [field]: names } }];
  return names.map((name) => {
    const end = name.indexOf(' ');
    const parts = [{ term: { [field]: name.slice(0, end) } }, { term: { [second]: name.slice(end + 1) } }];
    return { bool: { filter: parts } };
  });
}

async function askNames({ source, asked, kind, columns, filter }: Question, query: Query, size: number) {
  const by = filter.top_type === 'request' ? columns[0] : columns[1];
  const answer = await ask(source, asked.indices, {
    size: 0,
    track_total_hits: false,
    query,
    aggs: {
      names: {
        ...grouping(kind, { size, shard_size: size, order: [{ [by]: 'desc' }, { _key: 'asc' }] }),
        aggs: sumsOf(columns),
      },
    },
  });
  return answer.aggregations?.names;
}

function grouping(kind: RankingKind, options: Query): Query {
  const parts = partsOf(kind).map((field) => ({ field }));
  return parts.length === 1
    ? { terms: { ...parts[0], ...options } }
    : { multi_terms: { terms: parts, ...options } };
}

const ranksOf = ({ columns }: Question, found: Aggregation | undefined): Rank[] =>
  (found?.buckets ?? []).map((bucket) => ({
    name: Array.isArray(bucket.key)
      ? bucket.key.join(' ')
      : (bucket.key_as_string ?? String(bucket.key as string | number)),
    requests: valueOf(bucket[columns[0]]),
    flux: valueOf(bucket[columns[1]]),
  }));

/** Of every name, a page at a time, the highest; undefined where there are more names than `namesMax`. */
async function readAll(question: Question, namesMax: number): Promise<Rank[] | undefined> {
  const { source, asked, kind, columns } = question;
  let highest: Rank[] = [];
  let names = 0;
  const by = partsOf(kind).map((field, index) => ({ [`part${index}`]: { terms: { field } } }));
  for await (const buckets of allBuckets(source, asked, by, sumsOf(columns))) {
    names += buckets.length;
    if (names > namesMax) return undefined;
    const page = buckets.map((bucket) => ({
      name: Object.values(bucket.key as Record<string, unknown>).join(' '),
      requests: valueOf(bucket[columns[0]]),
      flux: valueOf(bucket[columns[1]]),
    }));
    highest = highestOf(question, [...highest, ...page]);
  }
  return highest;
}
