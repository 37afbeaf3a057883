import { type MonitorMetric, type MonitorSide, pointsMax } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { LogRangeError, type MonitorFilter, type MonitorPoint, type MonitorSummary } from '../log-store.ts';
import { type Run, timestamp, type Values } from './database.ts';

const minuteMs = 60_000;

/** Answers that a node gave from its cache, fresh or (by the operator's leave) stale. */
const hits = `cache_status IN ('HIT', 'STALE', 'UPDATING', 'REVALIDATED')`;

/** What a side counts, as sums over rollup rows. Nothing that was fetched from an origin is a hit. */
const sides = {
  cdn: {
    requests: 'requests',
    bytes: 'bytes_sent',
    status: 'status',
    hitBytes: `sum(CASE WHEN ${hits} THEN bytes_sent ELSE 0 END)`,
  },
  origin: { requests: 'origin_requests', bytes: 'origin_bytes', status: 'origin_status', hitBytes: 'NULL' },
} as const satisfies Record<MonitorSide, object>;

interface Sums {
  requests: number;
  bytes: number;
  /** Absent where there can be no hit. */
  hit_bytes?: number;
  status_2xx: number;
  status_3xx: number;
  status_4xx: number;
  status_5xx: number;
}
const noTraffic: Sums = { requests: 0, bytes: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0 };

/** `first` and `last`: the minutes that the nodes concerned have told of, as epoch milliseconds. */
export interface Coverage {
  first: number;
  last: number;
}

interface Range {
  start: number;
  end: number;
}

export async function readSeries(
  run: Run,
  scope: Scope,
  side: MonitorSide,
  metric: MonitorMetric,
  filter: MonitorFilter & { interval: number },
  coverage: Coverage | undefined,
): Promise<MonitorPoint[]> {
  const range = rangeOf(filter);
  const stepMs = filter.interval * 1000;
  const steps = Math.ceil((range.end - range.start) / stepMs);
  if (steps > pointsMax) {
    throw new LogRangeError(
      'range_too_fine',
      `The range has ${steps} steps, at most ${pointsMax} are answered`,
    );
  }
  const { where, values } = whereOf(scope, filter, range);
  const rows = await run(
    `SELECT (date_diff('minute', $start, minute) // $stepMinutes)::INTEGER AS step, ${sums(side)}
     FROM rollup_minute ${where} GROUP BY step`,
    { ...values, stepMinutes: filter.interval / 60 },
  );
  const byStep = new Map(rows.map((row) => [row.step, row as unknown as Sums]));
  return Array.from({ length: steps }, (_, step) => {
    const start = range.start + step * stepMs;
    const end = Math.min(start + stepMs, range.end);
    const isCovered = coverage !== undefined && coverage.first < end && coverage.last >= start;
    const found = byStep.get(step) ?? (isCovered ? noTraffic : undefined);
    return {
      time: new Date(start).toISOString(),
      value: found ? valueOf(metric, found, filter.interval) : null,
    };
  });
}

export async function readSummary(
  run: Run,
  scope: Scope,
  side: MonitorSide,
  filter: MonitorFilter,
): Promise<MonitorSummary> {
  const { where, values } = whereOf(scope, filter, rangeOf(filter));
  const [row] = await run(`SELECT ${sums(side)} FROM rollup_minute ${where}`, values);
  const [peak] = await run(
    `SELECT max(bytes) * 8 / 60 AS bandwidth
     FROM (SELECT sum(${sides[side].bytes})::DOUBLE AS bytes FROM rollup_minute ${where} GROUP BY minute)`,
    values,
  );
  const found = { ...noTraffic, ...(row as Partial<Sums> | undefined) };
  return {
    requests: found.requests,
    flux: found.bytes,
    flux_hit: found.hit_bytes ?? 0,
    flux_hit_rate: hitRate(found),
    bandwidth_peak: Number(peak?.bandwidth ?? 0),
    status_2xx: found.status_2xx,
    status_3xx: found.status_3xx,
    status_4xx: found.status_4xx,
    status_5xx: found.status_5xx,
  };
}

/** The coverage of the nodes that the filter names, after what they have told of by their lines. */
export async function readCoverage(run: Run, nodeId: number | undefined): Promise<Coverage | undefined> {
  const [row] = await run(
    `SELECT min(first_minute) AS first, max(last_minute) AS last FROM log_coverage
     ${nodeId === undefined ? '' : 'WHERE node_id = $nodeId'}`,
    nodeId === undefined ? {} : { nodeId },
  );
  if (!row?.first || !row.last) return undefined;
  return { first: Date.parse(String(row.first)), last: Date.parse(String(row.last)) };
}

function rangeOf(filter: MonitorFilter): Range {
  const start = Math.floor(Date.parse(filter.start_time) / minuteMs) * minuteMs;
  const end = Math.ceil(Date.parse(filter.end_time) / minuteMs) * minuteMs;
  if (Date.parse(filter.start_time) >= Date.parse(filter.end_time)) {
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  }
  return { start, end };
}

function whereOf(scope: Scope, filter: MonitorFilter, range: Range): { where: string; values: Values } {
  const parts = ['minute >= $start', 'minute < $end'];
  const values: Values = { start: timestamp(range.start), end: timestamp(range.end) };
  if (!('all' in scope)) {
    parts.push('client_id = $scope_client_id');
    values.scope_client_id = scope.clientId;
  }
  for (const name of ['site_id', 'node_id', 'client_id'] as const) {
    const value = filter[name];
    if (value === undefined) continue;
    parts.push(`${name} = $${name}`);
    values[name] = value;
  }
  return { where: `WHERE ${parts.join(' AND ')}`, values };
}

/** As floating numbers: a sum can pass what a BIGINT result may hold, and never fails here for it. */
function sums(side: MonitorSide): string {
  const { requests, bytes, status, hitBytes } = sides[side];
  const classes = [2, 3, 4, 5].map(
    (hundreds) =>
      `sum(CASE WHEN ${status} // 100 = ${hundreds} THEN ${requests} ELSE 0 END)::DOUBLE AS status_${hundreds}xx`,
  );
  return [
    `sum(${requests})::DOUBLE AS requests`,
    `sum(${bytes})::DOUBLE AS bytes`,
    `${hitBytes}::DOUBLE AS hit_bytes`,
    ...classes,
  ].join(', ');
}

function hitRate({ hit_bytes, bytes }: Sums): number | null {
  return hit_bytes === undefined || bytes === 0 ? null : hit_bytes / bytes;
}

function valueOf(metric: MonitorMetric, found: Sums, intervalSeconds: number): number | null {
  switch (metric) {
    case 'bandwidth':
      return (found.bytes * 8) / intervalSeconds;
    case 'flux':
      return found.bytes;
    case 'flux_hit_rate':
      return hitRate(found);
    case 'request':
      return found.requests;
    case 'status_code_2xx':
      return found.status_2xx;
    case 'status_code_3xx':
      return found.status_3xx;
    case 'status_code_4xx':
      return found.status_4xx;
    case 'status_code_5xx':
      return found.status_5xx;
  }
}
