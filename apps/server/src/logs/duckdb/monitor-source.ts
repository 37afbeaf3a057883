import type { Scope } from '../../scope.ts';
import type { Piece } from '../figure-plan.ts';
import type { MonitorFilter } from '../log-store.ts';
import { timestamp, type Values } from './database.ts';

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
    parts.push(`${column} = $${name}`);
    values[name] = value;
  };
  const among = (column: string, items: readonly (string | number)[] | undefined, prefix = column) => {
    if (items === undefined) return;
    const names = items.map((item, index) => {
      const name = `${prefix}_${index}`;
      values[name] = item;
      return `$${name}`;
    });
    // Of nothing, nothing: an empty list is no filter that was left out.
    parts.push(names.length === 0 ? 'false' : `${column} IN (${names.join(', ')})`);
  };
  among('client_id', scope.clients === 'all' ? undefined : scope.clients, 'scope_client');
  among('site_id', scope.sites, 'scope_site');
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
