import { seesAll, type Scope } from '../scope.ts';
import { type FigureTableName, secondsKeptMs } from './figure-tables.ts';
import { LogRangeError, type MonitorFilter } from './log-store.ts';

/** From a moment until another, the latter excluded, as epoch milliseconds. */
export interface Range {
  start: number;
  end: number;
}

/** Sums of one table in one part of the range. */
export interface Piece extends Range {
  table: FigureTableName;
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
const floorTo = (time: number, step: number) => Math.floor(time / step) * step;
const ceilTo = (time: number, step: number) => Math.ceil(time / step) * step;

/** The range in whole steps of what is kept. Fails with `LogRangeError` when its end is not after its start. */
export function rangeOf({ start_time, end_time }: MonitorFilter, stepMs: number): Range {
  const start = Date.parse(start_time);
  const end = Date.parse(end_time);
  if (start >= end)
    throw new LogRangeError('range_reversed', 'The start of the range must be before its end');
  return { start: floorTo(start, stepMs), end: ceilTo(end, stepMs) };
}

/** Places are told apart by the hour only. */
export const isPlaced = ({ country, province, carrier }: MonitorFilter): boolean =>
  [country, province, carrier].some((part) => part !== undefined && part !== '');

/** Only nodes are told apart in the small tables. */
function readsTotals(scope: Scope, filter: MonitorFilter): boolean {
  const details = ['site_id', 'client_id', 'order_id', 'hosts', 'client_ids', 'order_ids'] as const;
  return seesAll(scope) && details.every((name) => filter[name] === undefined);
}

/**
 * The tables with the fewest rows that answer exactly: whole hours from the sums of hours, what stands before and after
 * them from minutes. `alignMs` is what each step must begin on; without it the range is one step.
 */
export function piecesOf(scope: Scope, filter: MonitorFilter, range: Range, alignMs: number): Piece[] {
  if (isPlaced(filter)) return [{ table: 'place_hour', ...range }];
  const totals = readsTotals(scope, filter);
  const minutes = totals ? ('total_minute' as const) : ('figure_minute' as const);
  const hours = totals ? ('total_hour' as const) : ('figure_hour' as const);
  const firstHour = ceilTo(range.start, hourMs);
  const lastHour = floorTo(range.end, hourMs);
  if (alignMs % hourMs !== 0 || firstHour >= lastHour) return [{ table: minutes, ...range }];
  const pieces: Piece[] = [
    { table: minutes, start: range.start, end: firstHour },
    { table: hours, start: firstHour, end: lastHour },
    { table: minutes, start: lastHour, end: range.end },
  ];
  return pieces.filter(({ start, end }) => start < end);
}

/** The sums by the second, which are kept for a few hours. */
export function secondPieces(range: Range, now: number): Piece[] {
  if (range.start < now - secondsKeptMs)
    throw new LogRangeError('range_too_fine', 'Figures by the second are kept for three hours', 60);
  return [{ table: 'figure_second', ...range }];
}
