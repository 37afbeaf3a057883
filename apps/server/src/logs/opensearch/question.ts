import type { Scope } from '../../scope.ts';
import type { Piece, Range } from '../figure-plan.ts';
import type { FigureTableName } from '../figure-tables.ts';
import type { MonitorFilter } from '../log-store.ts';
import type { Cluster, Json } from './cluster.ts';
import type { Days } from './days.ts';
import type { Names } from './names.ts';

/** What every question about lines or sums shares. */
export interface Source {
  cluster: Cluster;
  names: Names;
  days: Days;
  /** Ends what is asked when it aborts. */
  signal?: AbortSignal | undefined;
}

export type Query = Json;

export interface Answer<Document = Json> {
  hits: { total?: { value: number }; hits: Hit<Document>[] };
  aggregations?: Record<string, Aggregation>;
}
export interface Hit<Document> {
  _index: string;
  _source: Document;
  sort?: unknown[];
}
export interface Aggregation {
  value?: number | null;
  doc_count?: number;
  buckets?: Bucket[];
  after_key?: Json;
  sum_other_doc_count?: number;
}
export type Bucket = Record<string, Aggregation> & {
  key: string | number | Record<string, string | number>;
  key_as_string?: string;
  doc_count: number;
};

/** Indices of days without traffic are not there, which is no trouble. One that is there and cannot be read is: half a sum is none. */
export const wholeAnswers =
  'ignore_unavailable=true&allow_no_indices=true&allow_partial_search_results=false';

export function ask<Document = Json>(
  { cluster, signal }: Source,
  indices: string,
  body: Json,
): Promise<Answer<Document>> {
  return cluster.call<Answer<Document>>('POST', `/${indices}/_search?${wholeAnswers}`, body, signal);
}

export const within = ({ start, end }: Range): Query => ({
  range: { time: { gte: start, lt: end, format: 'epoch_millis' } },
});

/** The sums of parts of a day stand apart: they count by their roll's name, and those of whole days unless theirs is excluded. */
export const partTable = (table: FigureTableName): string => `part_${table}`;

/** Lines and sums of the pieces, each line counted once: by itself, or in the sums of its day or of a part of it. */
export function figuresIn(
  { names, days }: Source,
  pieces: readonly Piece[],
  filters: readonly Query[],
): { indices: string; query: Query } {
  const range = {
    start: Math.min(...pieces.map((piece) => piece.start)),
    end: Math.max(...pieces.map((piece) => piece.end)),
  };
  const records = names.recordsIn(range.start, range.end);
  const isLine = { bool: { must_not: [{ exists: { field: 'table' } }] } };
  const bySecond = pieces.some(({ table }) => table === 'figure_second' || table === 'visitor_hour');
  // Seconds and visitors are told apart by the lines alone, which are there as long as these can be asked for.
  if (bySecond) return { indices: records, query: { bool: { filter: [isLine, within(range), ...filters] } } };
  const { cuts } = days;
  const cutIndices = cuts.map(({ index }) => index);
  const alternatives = [
    { bool: { filter: [isLine, within(range)], must_not: [{ terms: { _index: cutIndices } }] } },
    ...cuts.map(({ index, until }) => ({
      bool: {
        filter: [{ term: { _index: index } }, { range: { _seq_no: { gt: until } } }, within(range)],
      },
    })),
    ...pieces.flatMap((piece) => [
      { bool: { filter: [{ term: { table: piece.table } }, within(piece)] } },
      ...cuts.map(({ firstRoll, lastRoll }) => ({
        bool: {
          filter: [
            { term: { table: partTable(piece.table) } },
            { range: { roll: { gte: firstRoll, lte: lastRoll } } },
            within(piece),
          ],
        },
      })),
    ]),
  ];
  return {
    indices: `${records},${names.figuresIn(range.start, range.end)}`,
    query: {
      bool: {
        filter: [{ bool: { should: alternatives, minimum_should_match: 1 } }, ...filters],
        must_not: [{ terms: { _index: days.summedIndices } }, { terms: { roll: [...days.excludedRolls] } }],
      },
    },
  };
}

/** What the caller may see. */
export const scopeFilters = ({ clients, sites }: Scope): Query[] => [
  ...(clients === 'all' ? [] : [{ terms: { client_id: clients } }]),
  ...(sites === undefined ? [] : [{ terms: { site_id: sites } }]),
];

/** Whose figures: what the caller may see, and what the filter names. */
export function filtersOf(scope: Scope, filter: MonitorFilter): Query[] {
  const all = scopeFilters(scope);
  for (const name of ['site_id', 'node_id', 'client_id', 'order_id'] as const)
    if (filter[name] !== undefined) all.push({ term: { [name]: filter[name] } });
  for (const name of ['country', 'province', 'carrier'] as const) {
    const value = filter[name];
    if (value) all.push({ term: { [name]: name === 'carrier' ? value.toLowerCase() : value.toUpperCase() } });
  }
  // Of nothing, nothing: an empty list is no filter that was left out.
  if (filter.client_ids) all.push({ terms: { client_id: [...filter.client_ids] } });
  if (filter.order_ids) all.push({ terms: { order_id: [...filter.order_ids] } });
  // Requests to no site of ours count under no host.
  if (filter.hosts) all.push({ terms: { host: [...filter.hosts] } }, ofSites);
  return all;
}

export const ofSites: Query = { range: { site_id: { gt: 0 } } };

/** `sum` of each column, by its name. */
export const sumsOf = (columns: readonly string[]): Record<string, Query> =>
  Object.fromEntries(columns.map((column) => [column, { sum: { field: column } }]));

export const valueOf = (found: Aggregation | undefined): number => found?.value ?? 0;

/** All buckets of a grouping, a page at a time: exact, however many there are. */
export async function* allBuckets(
  source: Source,
  { indices, query }: { indices: string; query: Query },
  by: readonly Record<string, Query>[],
  aggregations: Record<string, Query>,
): AsyncGenerator<Bucket[]> {
  let after: Json | undefined;
  do {
    const grouping = { size: bucketsPerPage, sources: by, ...(after ? { after } : {}) };
    const answer = await ask(source, indices, {
      size: 0,
      track_total_hits: false,
      query,
      aggs: {
        all: { composite: grouping, ...(Object.keys(aggregations).length > 0 ? { aggs: aggregations } : {}) },
      },
    });
    const found = answer.aggregations?.all;
    yield found?.buckets ?? [];
    after = (found?.buckets?.length ?? 0) < bucketsPerPage ? undefined : found?.after_key;
  } while (after);
}
/** A store allows 65,535 buckets in an answer, and more of them take it long to put in order. */
const bucketsPerPage = 5000;
