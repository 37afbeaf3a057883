import type { MonitorMetric, MonitorSide } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import { hourMs, isPlaced, minuteMs, piecesOf, rangeOf, secondPieces } from '../figure-plan.ts';
import type { FigureColumn } from '../figure-tables.ts';
import type { MonitorFilter, MonitorPoint, MonitorSummary } from '../log-store.ts';
import {
  bytesColumn,
  columnsOf,
  type Figure,
  pointsOf,
  type SeriesFilter,
  seriesPlan,
  type Step,
  type Sums,
  summaryOf,
} from '../monitor-plan.ts';
import type { Coverage } from '../coverage.ts';
import type { Database } from './database.ts';
import { fromPieces, whereOf } from './monitor-source.ts';
import { askerOf } from './readers.ts';

const dayMs = 24 * hourMs;

export async function readSeries(
  database: Database,
  coverage: Coverage,
  scope: Scope,
  side: MonitorSide,
  metric: MonitorMetric,
  filter: SeriesFilter,
): Promise<MonitorPoint[]> {
  const plan = seriesPlan(metric, filter);
  const rows =
    metric === 'unique_remote_addr'
      ? await readVisitors(database, scope, filter, plan)
      : await readSteps(database, scope, columnsOf(side, metric), filter, plan);
  return pointsOf(metric, plan, rows, (start, end) => coverage.covers(filter.node_id, start, end));
}

type Plan = ReturnType<typeof seriesPlan>;
type Columns = readonly [Figure, FigureColumn][];

async function readSteps(
  database: Database,
  scope: Scope,
  columns: Columns,
  filter: SeriesFilter,
  { range, stepMs }: Plan,
): Promise<Step[]> {
  // Steps that begin within an hour are made of minutes.
  const align = range.start % hourMs === 0 ? stepMs : minuteMs;
  const pieces = stepMs < minuteMs ? secondPieces(range, Date.now()) : piecesOf(scope, filter, range, align);
  const { from, values } = fromPieces(pieces, namesOf(columns), whereOf(scope, filter));
  const rows = await database.query(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step ${sumsOf(columns)} FROM ${from} GROUP BY step`,
    { ...values, origin: range.start, stepMs },
    askerOf(scope),
  );
  return rows as unknown as Step[];
}

/** Addresses of visitors, each once a step: they are kept by the hour. */
async function readVisitors(
  database: Database,
  scope: Scope,
  filter: SeriesFilter,
  { range, stepMs }: Plan,
): Promise<Step[]> {
  const pieces = [{ table: 'visitor_hour' as const, ...range }];
  const { from, values } = fromPieces(pieces, ['remote_addr'], whereOf(scope, filter));
  const rows = await database.query(
    `SELECT ((epoch_ms(time) - $origin) // $stepMs)::INTEGER AS step, count(DISTINCT remote_addr) AS visitors
     FROM ${from} GROUP BY step`,
    { ...values, origin: range.start, stepMs },
    { ...askerOf(scope), isLong: range.end - range.start > dayMs },
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
  const columns = columnsOf(side);
  const bytes = bytesColumn(side);
  const where = whereOf(scope, filter);
  const all = fromPieces(piecesOf(scope, filter, range, hourMs), namesOf(columns), where);
  const minutes = fromPieces(piecesOf(scope, filter, range, minuteMs), [bytes], where);
  const [[row], [peak]] = await Promise.all([
    database.query(`SELECT ${sumsOf(columns).slice(1)} FROM ${all.from}`, all.values, askerOf(scope)),
    database.query(
      `SELECT max(bytes) * 8 / ${peakSeconds} AS bandwidth
       FROM (SELECT sum(${bytes})::DOUBLE AS bytes FROM ${minutes.from} GROUP BY time)`,
      minutes.values,
      askerOf(scope),
    ),
  ]);
  return summaryOf((row ?? {}) as Sums, Number(peak?.bandwidth ?? 0));
}

const namesOf = (columns: Columns) => columns.map(([, column]) => column);

/** As floating numbers: a sum can pass what a BIGINT result may hold, and never fails here for it. */
const sumsOf = (columns: Columns): string =>
  columns.map(([figure, column]) => `, sum(${column})::DOUBLE AS ${figure}`).join('');
