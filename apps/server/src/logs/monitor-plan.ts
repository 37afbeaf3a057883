import { intervalsSeconds, pointsMax } from '@breakwater/contract/intervals';
import { type MonitorMetric, type MonitorSide } from '@breakwater/contract/statistics';
import { type Range, hourMs, isPlaced, minuteMs, rangeOf } from './figure-plan.ts';
import type { FigureColumn } from './figure-tables.ts';
import { LogRangeError, type MonitorFilter, type MonitorPoint, type MonitorSummary } from './log-store.ts';

/** What charts are made of, whichever store the sums come from. */

export type Figure = 'requests' | 'bytes' | 'time' | 'hit_bytes' | 'refused' | `status_${2 | 3 | 4 | 5}xx`;
export type Sums = Partial<Record<Figure, number>>;
export type Step = Sums & { step: number; visitors?: number };
type Columns = Partial<Record<Figure, FigureColumn>>;

/** Where each figure of a side stands. Nothing that was fetched from an origin is a hit, and nothing of it refused. */
const sides: Record<MonitorSide, Columns> = {
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
};

/** What each figure over time is made of. */
const needs: Record<MonitorMetric, readonly Figure[]> = {
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
};

/** Figures and the columns they stand in, of a metric or of all. */
export function columnsOf(side: MonitorSide, metric?: MonitorMetric): [Figure, FigureColumn][] {
  const columns = Object.entries(sides[side]) as [Figure, FigureColumn][];
  return metric === undefined ? columns : columns.filter(([figure]) => needs[metric].includes(figure));
}

export const bytesColumn = (side: MonitorSide): FigureColumn => sides[side].bytes!;

export interface SeriesFilter extends MonitorFilter {
  interval: number;
}

/** How the range of a chart is cut. Fails with `LogRangeError`, which names the finest step that would do. */
export function seriesPlan(metric: MonitorMetric, filter: SeriesFilter) {
  const stepMs = filter.interval * 1000;
  const hourly = metric === 'unique_remote_addr' || isPlaced(filter);
  const range = rangeOf(filter, hourly ? hourMs : stepMs < minuteMs ? 1000 : minuteMs);
  return { range, stepMs, steps: stepsOf(range, filter.interval, hourly) };
}

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

/** A point for each step; one without rows is a gap, unless somebody told of its time. */
export function pointsOf(
  metric: MonitorMetric,
  { range, stepMs, steps }: ReturnType<typeof seriesPlan>,
  rows: readonly Step[],
  isCovered: (start: number, end: number) => boolean,
): MonitorPoint[] {
  const byStep = new Map(rows.map((row) => [row.step, row]));
  return Array.from({ length: steps }, (_, step) => {
    const start = range.start + step * stepMs;
    const end = Math.min(start + stepMs, range.end);
    const found = byStep.get(step) ?? (isCovered(start, end) ? {} : undefined);
    return {
      time: new Date(start).toISOString(),
      value: found ? valueOf(metric, found, stepMs / 1000) : null,
    };
  });
}

export function summaryOf(found: Sums, bandwidthPeak: number): MonitorSummary {
  return {
    requests: found.requests ?? 0,
    flux: found.bytes ?? 0,
    flux_hit: found.hit_bytes ?? 0,
    flux_hit_rate: share(found.hit_bytes, found.bytes),
    bandwidth_peak: bandwidthPeak,
    response_time: share(found.time, found.requests),
    attacks: found.refused ?? 0,
    status_2xx: found.status_2xx ?? 0,
    status_3xx: found.status_3xx ?? 0,
    status_4xx: found.status_4xx ?? 0,
    status_5xx: found.status_5xx ?? 0,
  };
}

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
      return found[needs[metric][0]!] ?? 0;
  }
}
