import type { MonitorMetric, MonitorSide } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import type { Coverage } from '../coverage.ts';
import {
  hourMs,
  isPlaced,
  minuteMs,
  type Piece,
  piecesOf,
  type Range,
  rangeOf,
  secondPieces,
} from '../figure-plan.ts';
import type { MonitorFilter, MonitorPoint, MonitorSummary } from '../log-store.ts';
import {
  bytesColumn,
  columnsOf,
  pointsOf,
  type SeriesFilter,
  seriesPlan,
  type Step,
  type Sums,
  summaryOf,
} from '../monitor-plan.ts';
import { allBuckets, ask, figuresIn, filtersOf, type Source, sumsOf, valueOf } from './question.ts';

/** Pairs of step and visitor that are counted one by one; of more, OpenSearch counts each step's about. */
const visitorsExactMax = 200_000;
const cardinalityPrecision = 40_000;
/** Steps that one answer may have. */
const minutesPerAnswer = 30 * 24 * 60;

type Plan = ReturnType<typeof seriesPlan>;

export async function readSeries(
  source: Source,
  coverage: Coverage,
  scope: Scope,
  side: MonitorSide,
  metric: MonitorMetric,
  filter: SeriesFilter,
): Promise<MonitorPoint[]> {
  const plan = seriesPlan(metric, filter);
  const rows =
    metric === 'unique_remote_addr'
      ? await readVisitors(source, scope, filter, plan)
      : await readSteps(source, scope, side, metric, filter, plan);
  return pointsOf(metric, plan, rows, (start, end) => coverage.covers(filter.node_id, start, end));
}

/** Steps from the start of the range. */
const stepsFrom = (range: Range, stepMs: number) => ({
  date_histogram: {
    field: 'time',
    fixed_interval: `${stepMs}ms`,
    offset: `${range.start % stepMs}ms`,
    min_doc_count: 1,
  },
});

async function readSteps(
  source: Source,
  scope: Scope,
  side: MonitorSide,
  metric: MonitorMetric,
  filter: SeriesFilter,
  { range, stepMs }: Plan,
): Promise<Step[]> {
  // Steps that begin within an hour are made of minutes.
  const align = range.start % hourMs === 0 ? stepMs : minuteMs;
  const pieces = stepMs < minuteMs ? secondPieces(range, Date.now()) : piecesOf(scope, filter, range, align);
  const columns = columnsOf(side, metric);
  const { indices, query } = figuresIn(source, pieces, filtersOf(scope, filter));
  const answer = await ask(source, indices, {
    size: 0,
    track_total_hits: false,
    query,
    aggs: { steps: { ...stepsFrom(range, stepMs), aggs: sumsOf(columns.map(([, column]) => column)) } },
  });
  return (answer.aggregations?.steps?.buckets ?? []).map((bucket) => ({
    step: (Number(bucket.key) - range.start) / stepMs,
    ...Object.fromEntries(columns.map(([figure, column]) => [figure, valueOf(bucket[column])])),
  }));
}

/** Addresses of visitors, each once a step. */
async function readVisitors(
  source: Source,
  scope: Scope,
  filter: SeriesFilter,
  { range, stepMs }: Plan,
): Promise<Step[]> {
  const asked = figuresIn(source, [{ table: 'visitor_hour', ...range }], filtersOf(scope, filter));
  const steps = stepsFrom(range, stepMs);
  const stepOf = (key: unknown) => (Number(key) - range.start) / stepMs;
  const counts = new Map<number, number>();
  let pairs = 0;
  const by = [
    { step: { date_histogram: { ...steps.date_histogram, min_doc_count: undefined } } },
    { address: { terms: { field: 'remote_addr' } } },
  ];
  for await (const buckets of allBuckets(source, asked, by, {})) {
    pairs += buckets.length;
    if (pairs > visitorsExactMax) break;
    for (const { key } of buckets) {
      const step = stepOf((key as Record<string, unknown>).step);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  if (pairs <= visitorsExactMax) return [...counts].map(([step, visitors]) => ({ step, visitors }));
  const visitors = { cardinality: { field: 'remote_addr', precision_threshold: cardinalityPrecision } };
  const answer = await ask(source, asked.indices, {
    size: 0,
    track_total_hits: false,
    query: asked.query,
    aggs: { steps: { ...steps, aggs: { visitors } } },
  });
  return (answer.aggregations?.steps?.buckets ?? []).map((bucket) => ({
    step: stepOf(bucket.key),
    visitors: valueOf(bucket.visitors),
  }));
}

export async function readSummary(
  source: Source,
  scope: Scope,
  side: MonitorSide,
  filter: MonitorFilter,
): Promise<MonitorSummary> {
  const range = rangeOf(filter, isPlaced(filter) ? hourMs : minuteMs);
  const stepMs = isPlaced(filter) ? hourMs : minuteMs;
  const columns = columnsOf(side);
  const { indices, query } = figuresIn(
    source,
    piecesOf(scope, filter, range, hourMs),
    filtersOf(scope, filter),
  );
  const [answer, bytes] = await Promise.all([
    ask(source, indices, {
      size: 0,
      track_total_hits: false,
      query,
      aggs: sumsOf(columns.map(([, column]) => column)),
    }),
    readPeak(source, scope, side, filter, range, stepMs),
  ]);
  const sums = answer.aggregations ?? {};
  const found: Sums = Object.fromEntries(columns.map(([figure, column]) => [figure, valueOf(sums[column])]));
  return summaryOf(found, (bytes * 8000) / stepMs);
}

/** Bytes of the highest step, a month of steps at a time. */
async function readPeak(
  source: Source,
  scope: Scope,
  side: MonitorSide,
  filter: MonitorFilter,
  range: Range,
  stepMs: number,
): Promise<number> {
  const column = bytesColumn(side);
  const pieces = piecesOf(scope, filter, range, minuteMs);
  const part = minutesPerAnswer * stepMs;
  let peak = 0;
  for (let start = range.start; start < range.end; start += part) {
    const cut = (piece: Piece) => ({
      ...piece,
      start: Math.max(piece.start, start),
      end: Math.min(piece.end, start + part),
    });
    const { indices, query } = figuresIn(source, pieces.map(cut), filtersOf(scope, filter));
    const answer = await ask(source, indices, {
      size: 0,
      track_total_hits: false,
      query,
      aggs: {
        steps: { ...stepsFrom({ ...range, start }, stepMs), aggs: sumsOf([column]) },
        // Found there, so that the steps need not come over.
        peak: { max_bucket: { buckets_path: `steps>${column}` } },
      },
    });
    peak = Math.max(peak, valueOf(answer.aggregations?.peak));
  }
  return peak;
}
