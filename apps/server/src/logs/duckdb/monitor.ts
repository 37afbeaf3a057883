import {
  intervalsSeconds,
  type MonitorMetric,
  type MonitorSide,
  pointsMax,
} from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { LogRangeError, type MonitorFilter, type MonitorPoint, type MonitorSummary } from '../log-store.ts';
import type { Coverage } from './coverage.ts';
import type { Database } from './database.ts';
import type { FigureColumn } from './figures.ts';
import {
  fromPieces,
  hourMs,
  isPlaced,
  minuteMs,
  piecesOf,
  type Range,
  rangeOf,
  secondPieces,
  whereOf,
} from './monitor-source.ts';

/** Where each figure of a side stands. Nothing that was fetched from an origin is a hit, and nothing of it refused. */
const sides = {
  cdn: {
    requests: 'requests',
    bytes: 'bytes_sent',
    time: 'request_time',
    hit_bytes: 'hit_bytes',
    refused: 'refused',
    status_2xx: 'status_2xx',
    status_3xx: 'status_3xx',
    status_4xx: 'status_4xx',
    status_5xx: 'status_5xx',
  },
  origin: {
    requests: 'origin_requests',
    bytes: 'origin_bytes',
    time: 'origin_time',
    status_2xx: 'origin_2xx',
    status_3xx: 'origin_3xx',
    status_4xx: 'origin_4xx',
    status_5xx: 'origin_5xx',
  },
} as const satisfies Record<MonitorSide, Partial<Record<Figure, FigureColumn>>>;
type Figure = 'requests' | 'bytes' | 'time' | 'hit_bytes' | 'refused' | `status_${2 | 3 | 4 | 5}xx`;
type Sums = Partial<Record<Figure, number>>;

/** What each figure over time is made of. */
const needs = {
  bandwidth: ['bytes'],
  flux: ['bytes'],
  flux_hit_rate: ['hit_bytes', 'bytes'],
  request: ['requests'],
  status_code_2xx: ['status_2xx'],
  status_code_3xx: ['status_3xx'],
  status_code_4xx: ['status_4xx'],
  status_code_5xx: ['status_5xx'],
  attacks: ['refused'],
  response_time: ['time', 'requests'],
  unique_remote_addr: [],
} as const satisfies Record<MonitorMetric, readonly Figure[]>;

interface SeriesFilter extends MonitorFilter {
  interval: number;
}

export async function readSeries(
  database: Database,
  coverage: Coverage,
  scope: Scope,
  side: MonitorSide,
  metric: MonitorMetric,
  filter: SeriesFilter,
): Promise<MonitorPoint[]> {
  const stepMs = filter.interval * 1000;
  const visitors = metric === 'unique_remote_addr';
  const hourly = visitors || isPlaced(filter);
  const range = rangeOf(filter, hourly ? hourMs : stepMs < minuteMs ? 1000 : minuteMs);
  const steps = stepsOf(range, filter.interval, hourly);
  const rows = visitors
    ? await readVisitors(database, scope, filter, range)
    : await readSteps(database, scope, side, needs[metric], filter, range);
  const byStep = new Map(rows.map((row) => [row.step, row]));
  return Array.from({ length: steps }, (_, step) => {
    const start = range.start + step * stepMs;
    const end = Math.min(start + stepMs, range.end);
    const found = byStep.get(step) ?? (coverage.covers(filter.node_id, start, end) ? {} : undefined);
    return {
      time: new Date(start).toISOString(),
      value: found ? valueOf(metric, found, filter.interval) : null,
    };
  });
}

/** How many steps the range has. Fails with `LogRangeError`, which names the finest step that would do. */
function stepsOf({ start, end }: Range, interval: number, hourly: boolean): number {
  const seconds = (end - start) / 1000;
  const enough = intervalsSeconds.find(
    (step) => Math.ceil(seconds / step) <= pointsMax && (!hourly || step >= 3600),
  );
  if (enough === undefined || interval < enough)
    throw new LogRangeError(
      'range_too_fine',
      `The range has more than ${pointsMax} steps`,
      enough ?? intervalsSeconds.at(-1)!,
    );
  return Math.ceil(seconds / interval);
}

type Step = Sums & { step: number; visitors?: number };

async function readSteps(
  database: Database,
  scope: Scope,
  side: MonitorSide,
  figures: readonly Figure[],
  filter: SeriesFilter,
  range: Range,
): Promise<Step[]> {
  const stepMs = filter.interval * 1000;
  // Steps that begin within an hour are made of minutes.
  const align = range.start % hourMs === 0 ? stepMs : minuteMs;
  const pieces = stepMs < minuteMs ? secondPieces(range, Date.now()) : piecesOf(scope, filter, range, align);
  const own = figures.filter((figure) => figure in sides[side]);
  const { from, values } = fromPieces(pieces, columnsOf(side, own), whereOf(scope, filter));
  const rows = await database.query(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step ${sumsOf(side, own)} FROM ${from} GROUP BY step`,
    { ...values, origin: BigInt(range.start), stepMs: BigInt(stepMs) },
  );
  return rows as unknown as Step[];
}

/** Addresses of visitors, each once a step: they are kept by the hour. */
async function readVisitors(
  database: Database,
  scope: Scope,
  filter: SeriesFilter,
  range: Range,
): Promise<Step[]> {
  const pieces = [{ table: 'visitor_hour' as const, ...range }];
  const { from, values } = fromPieces(pieces, ['remote_addr'], whereOf(scope, filter));
  const rows = await database.query(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step, count(DISTINCT remote_addr) AS visitors
     FROM ${from} GROUP BY step`,
    { ...values, origin: BigInt(range.start), stepMs: BigInt(filter.interval * 1000) },
  );
  return rows as unknown as Step[];
}

export async function readSummary(
  database: Database,
  scope: Scope,
  side: MonitorSide,
  filter: MonitorFilter,
): Promise<MonitorSummary> {
  const range = rangeOf(filter, isPlaced(filter) ? hourMs : minuteMs);
  const peakSeconds = isPlaced(filter) ? 3600 : 60;
  const figures = Object.keys(sides[side]) as Figure[];
  const where = whereOf(scope, filter);
  const all = fromPieces(piecesOf(scope, filter, range, hourMs), columnsOf(side, figures), where);
  const minutes = fromPieces(piecesOf(scope, filter, range, minuteMs), [sides[side].bytes], where);
  const [[row], [peak]] = await Promise.all([
    database.query(`SELECT ${sumsOf(side, figures).slice(1)} FROM ${all.from}`, all.values),
    database.query(
      `SELECT max(bytes) * 8 / ${peakSeconds} AS bandwidth
       FROM (SELECT sum(${sides[side].bytes})::DOUBLE AS bytes FROM ${minutes.from} GROUP BY time)`,
      minutes.values,
    ),
  ]);
  const found = (row ?? {}) as Sums;
  return {
    requests: found.requests ?? 0,
    flux: found.bytes ?? 0,
    flux_hit: found.hit_bytes ?? 0,
    flux_hit_rate: share(found.hit_bytes, found.bytes),
    bandwidth_peak: Number(peak?.bandwidth ?? 0),
    response_time: share(found.time, found.requests),
    attacks: found.refused ?? 0,
    status_2xx: found.status_2xx ?? 0,
    status_3xx: found.status_3xx ?? 0,
    status_4xx: found.status_4xx ?? 0,
    status_5xx: found.status_5xx ?? 0,
  };
}

type Columns = Partial<Record<Figure, FigureColumn>>;
const columnsOf = (side: MonitorSide, figures: readonly Figure[]): FigureColumn[] =>
  figures.map((figure) => (sides[side] as Columns)[figure]!);

/** As floating numbers: a sum can pass what a BIGINT result may hold, and never fails here for it. */
const sumsOf = (side: MonitorSide, figures: readonly Figure[]): string =>
  figures.map((figure) => `, sum(${(sides[side] as Columns)[figure]})::DOUBLE AS ${figure}`).join('');

/** Of nothing there is no share. */
const share = (part: number | undefined, whole: number | undefined): number | null =>
  part === undefined || whole === undefined || whole === 0 ? null : part / whole;

function valueOf(
  metric: MonitorMetric,
  found: Sums & { visitors?: number },
  interval: number,
): number | null {
  switch (metric) {
    case 'bandwidth':
      return ((found.bytes ?? 0) * 8) / interval;
    case 'flux_hit_rate':
      return share(found.hit_bytes, found.bytes);
    case 'response_time':
      return share(found.time, found.requests);
    case 'unique_remote_addr':
      return found.visitors ?? 0;
    default:
      return found[needs[metric][0]] ?? 0;
  }
}
