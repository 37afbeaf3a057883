import type { Usage, UsageKind } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { hourMs, minuteMs, piecesOf, type Range, rangeOf } from '../figure-plan.ts';
import type { MonitorFilter } from '../log-store.ts';
import {
  allBuckets,
  ask,
  figuresIn,
  filtersOf,
  type Query,
  type Source,
  sumsOf,
  valueOf,
} from './question.ts';

const sampleMs = 5 * minuteMs;
/** A store allows 65,535 buckets in an answer. */
const bucketsMax = 50_000;

type Row = Omit<Usage, 'name' | 'client_name'>;

export async function readUsage(
  source: Source,
  scope: Scope,
  kind: UsageKind,
  filter: MonitorFilter,
  page: { current_page: number; page_size: number },
  now: Date,
): Promise<{ list: Row[]; total: number }> {
  const range = rangeOf(filter, minuteMs);
  const rows = await readTraffic(source, scope, kind, filter, range);
  rows.sort((a, b) => b.flux - a.flux || a.id - b.id);
  const first = (page.current_page - 1) * page.page_size;
  const list = rows.slice(first, first + page.page_size);
  const samples = Math.ceil(
    (Math.min(range.end, Math.max(now.getTime(), range.start + 1)) - range.start) / sampleMs,
  );
  // Of 100 samples the 5 highest are left out, and the sixth is the one.
  const rank = Math.floor(samples * 0.05);
  const each = Math.max(1, Math.floor(bucketsMax / ((range.end - range.start) / sampleMs + 2)));
  for (let at = 0; at < list.length; at += each) {
    const part = list.slice(at, at + each);
    const bytes = await readSamples(source, scope, kind, filter, range, part);
    for (const row of part) {
      const highest = (bytes.get(row.id) ?? []).toSorted((a, b) => b - a);
      row.bandwidth_peak = ((highest[0] ?? 0) * 8000) / sampleMs;
      row.bandwidth_95 = ((highest[rank] ?? 0) * 8000) / sampleMs;
    }
  }
  return { list, total: rows.length };
}

const idOf = (kind: UsageKind) => `${kind}_id`;
const owned = (kind: UsageKind): Query => ({ range: { [idOf(kind)]: { gt: 0 } } });

/** Requests and traffic of each, without its bandwidths. */
async function readTraffic(
  source: Source,
  scope: Scope,
  kind: UsageKind,
  filter: MonitorFilter,
  range: Range,
): Promise<Row[]> {
  // A site or order is told apart in the large tables only.
  const pieces = piecesOf(scope, { ...filter, order_ids: filter.order_ids ?? [] }, range, hourMs);
  const asked = figuresIn(source, pieces, [...filtersOf(scope, filter), owned(kind)]);
  const by = [{ id: { terms: { field: idOf(kind) } } }];
  const sums = {
    ...sumsOf(['requests', 'bytes_sent']),
    client: { max: { field: 'client_id' } },
  };
  const rows: Row[] = [];
  for await (const buckets of allBuckets(source, asked, by, sums))
    for (const bucket of buckets)
      rows.push({
        id: Number((bucket.key as Record<string, unknown>).id),
        client_id: valueOf(bucket.client),
        requests: valueOf(bucket.requests),
        flux: valueOf(bucket.bytes_sent),
        bandwidth_peak: 0,
        bandwidth_95: 0,
      });
  return rows;
}

/** Bytes of each five minutes that had any. */
async function readSamples(
  source: Source,
  scope: Scope,
  kind: UsageKind,
  filter: MonitorFilter,
  range: Range,
  rows: readonly Row[],
): Promise<Map<number, number[]>> {
  const ids = rows.map(({ id }) => id);
  const filters = [...filtersOf(scope, filter), { terms: { [idOf(kind)]: ids } }];
  const { indices, query } = figuresIn(source, [{ table: 'figure_minute', ...range }], filters);
  const samples = {
    date_histogram: {
      field: 'time',
      fixed_interval: `${sampleMs}ms`,
      offset: `${range.start % sampleMs}ms`,
      min_doc_count: 1,
    },
    aggs: sumsOf(['bytes_sent']),
  };
  const answer = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query,
    aggs: { ids: { terms: { field: idOf(kind), size: ids.length }, aggs: { samples } } },
  });
  return new Map(
    (answer.aggregations?.ids?.buckets ?? []).map((bucket) => [
      Number(bucket.key),
      (bucket.samples?.buckets ?? []).map((sample) => valueOf(sample.bytes_sent)),
    ]),
  );
}
