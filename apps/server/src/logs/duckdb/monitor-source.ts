import type { Scope } from '../../scope.ts';
import { LogRangeError, type MonitorFilter } from '../log-store.ts';
import { timestamp, type Values } from './database.ts';
import { type FigureTableName, secondsKeptMs } from './figures.ts';

/** From a moment until another, the latter excluded, as epoch milliseconds. */
export interface Range {
  start: number;
  end: number;
}

/** Rows of one table in one part of the range. */
interface Piece extends Range {
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
  return 'all' in scope && details.every((name) => filter[name] === undefined);
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

/** The rows of all pieces, as a table that a statement selects from. */
export function fromPieces(
  pieces: readonly Piece[],
  columns: readonly string[],
  { condition, values }: Where,
): { from: string; values: Values } {
  const all: Values = { ...values };
  const parts = pieces.map(({ table, start, end }, index) => {
    all[`start${index}`] = timestamp(start);
    all[`end${index}`] = timestamp(end);
    return `SELECT ${['time', ...columns].join(', ')} FROM ${table}
      WHERE time >= $start${index} AND time < $end${index} ${condition}`;
  });
  return { from: `(${parts.join(' UNION ALL ')})`, values: all };
}

export interface Where {
  /** Empty, or begins with AND. */
  condition: string;
  values: Values;
}

/** Whose figures: what the caller may see, and what the filter names. */
export function whereOf(scope: Scope, filter: MonitorFilter): Where {
  const parts: string[] = [];
  const values: Values = {};
  const equal = (column: string, name: string, value: number | undefined) => {
    if (value === undefined) return;
    parts.push(`${column} = $${name}::INTEGER`);
    values[name] = value;
  };
  const among = (column: string, items: readonly (string | number)[] | undefined) => {
    if (items === undefined) return;
    const names = items.map((item, index) => {
      const name = `${column}_${index}`;
      values[name] = item;
      return typeof item === 'number' ? `$${name}::INTEGER` : `$${name}`;
    });
    // Of nothing, nothing: an empty list is no filter that was left out.
    parts.push(names.length === 0 ? 'false' : `${column} IN (${names.join(', ')})`);
  };
  equal('client_id', 'scope_client_id', 'all' in scope ? undefined : scope.clientId);
  for (const name of ['site_id', 'node_id', 'client_id', 'order_id'] as const)
    equal(name, name, filter[name]);
  const place = (column: 'country' | 'province' | 'carrier', value: string | undefined) => {
    if (value === undefined || value === '') return;
    parts.push(`${column} = $${column}`);
    values[column] = column === 'carrier' ? value.toLowerCase() : value.toUpperCase();
  };
  for (const column of ['country', 'province', 'carrier'] as const) place(column, filter[column]);
  among('host', filter.hosts);
  among('client_id', filter.client_ids);
  among('order_id', filter.order_ids);
  return { condition: parts.map((part) => `AND ${part}`).join(' '), values };
}
