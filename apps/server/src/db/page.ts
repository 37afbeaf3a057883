import { asciiDomainPart, type List } from '@breakwater/contract';
import { eq, inArray, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** Where a page of a list starts and ends. */
export function pageOf(query: { current_page: number; page_size: number }): {
  limit: number;
  offset: number;
} {
  return { limit: query.page_size, offset: (query.current_page - 1) * query.page_size };
}

/** The answer of a list route: one page of it, and how many there are in all. */
export function listPage<Item>(
  query: { current_page: number; page_size: number },
  list: Item[],
  total: number,
): List<Item> {
  return { list, total, current_page: query.current_page, page_size: query.page_size };
}

/** "Contains", without regard to case; what a person typed holds no wildcards. */
export function contains(column: AnyColumn | SQL, text: string | undefined): SQL | undefined {
  if (text === undefined || text === '') return undefined;
  return sql`${column} ILIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/** The same for domain names, which are kept in ASCII; in Unicode whole labels are found. */
export const containsDomain = (column: AnyColumn | SQL, text: string | undefined): SQL | undefined =>
  contains(column, text && asciiDomainPart(text));

/** One of these; any where none are named. */
export const among = (column: AnyColumn, ids: readonly number[] | undefined): SQL | undefined =>
  ids && inArray(column, ids);

export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;

/** How many rows there are, as a field of another query. */
export const countOf = (table: PgTable, where: SQL): SQL<number> =>
  sql<number>`(SELECT count(*)::int FROM ${table} WHERE ${where})`;

/** The name of the row of another table that a column points at, as a field of a query. */
export const nameOf = <Reference extends PgColumn>(
  table: PgTable & { id: PgColumn; name: PgColumn },
  reference: Reference,
): SQL<Reference['_']['notNull'] extends true ? string : string | null> =>
  sql`(SELECT ${table.name} FROM ${table} WHERE ${eq(table.id, reference)})`;
