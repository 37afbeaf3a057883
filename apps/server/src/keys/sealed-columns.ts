import { is, sql, type SQL } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, PgTable, type PgColumn } from 'drizzle-orm/pg-core';
import { sealedFormOf } from '../db/columns.ts';
import type { Db } from '../db/database.ts';
import * as schema from '../db/schema.ts';
import { rowsOf } from '../delivery/queryable.ts';
import type { Secrets } from '../secrets.ts';

/** Every column whose values are sealed, or may hold what is: by its type (`db/columns.ts`), so that none can be left out. */
export interface SealedColumn {
  /** `certificate.private_key`. */
  place: string;
  table: PgTable;
  /** Name in the database. */
  name: string;
  form: 'text' | 'json';
  primaryKey: string[];
}

export const sealedColumns: readonly SealedColumn[] = Object.values(schema)
  .filter((each) => is(each, PgTable))
  .flatMap((table) => {
    const { name, columns, primaryKeys } = getTableConfig(table);
    const own = columns.filter((column) => column.primary);
    const primaryKey = (own.length > 0 ? own : (primaryKeys[0]?.columns ?? [])).map(nameOf);
    return columns.flatMap((column) => {
      const form = sealedFormOf(column);
      return form
        ? [{ place: `${name}.${nameOf(column)}`, table, name: nameOf(column), form, primaryKey }]
        : [];
    });
  });

function nameOf(column: PgColumn): string {
  return toSnakeCase(column.name);
}

export interface SealedRow {
  /** Of the row, as JSON. */
  position: string;
  content: string;
}

/** Rows after a position in which something looks sealed, by any key but one. */
export async function rowsAfter(
  db: Db,
  { table, name, form, primaryKey }: SealedColumn,
  position: string,
  limit: number,
  butKey?: string,
): Promise<SealedRow[]> {
  const column = sql.identifier(name);
  const key = sql.join(
    primaryKey.map((each) => sql.identifier(each)),
    sql`, `,
  );
  const after = position === '' ? sql`true` : sql`(${key}) > (${valuesOf(position)})`;
  // In JSON, where a value that is sealed stands in quotes.
  const start = form === 'json' ? '"' : '^';
  const other = butKey === undefined ? '' : `(?!${butKey}\\.)`;
  const rows = await rowsOf<{ position: unknown; content: string }>(
    db,
    sql`SELECT jsonb_build_array(${key}) AS position, ${column}::text AS content FROM ${table}
        WHERE ${after} AND ${column}::text ~ ${`${start}v(1\\.|2\\.${other})[\\w.-]{38,}`}
        ORDER BY ${key} LIMIT ${limit}`,
  );
  return rows.map((row) => ({ position: JSON.stringify(row.position), content: row.content }));
}

/** Puts new content into a row, unless it was changed since it was read. */
export async function replaceContent(
  db: Db,
  { table, name, form, primaryKey }: SealedColumn,
  row: SealedRow,
  content: string,
): Promise<boolean> {
  const column = sql.identifier(name);
  const typed = (text: string): SQL => (form === 'json' ? sql`${text}::jsonb` : sql`${text}`);
  const key = sql.join(
    primaryKey.map((each) => sql.identifier(each)),
    sql`, `,
  );
  const { rowCount } = await db.execute(
    sql`UPDATE ${table} SET ${column} = ${typed(content)}
        WHERE (${key}) = (${valuesOf(row.position)}) AND ${column} = ${typed(row.content)}`,
  );
  return rowCount === 1;
}

const valuesOf = (position: string): SQL =>
  sql.join(
    (JSON.parse(position) as (string | number)[]).map((value) => sql`${value}`),
    sql`, `,
  );

/** The sealed values in a content, by the ids of the keys that they were sealed with. What only looks sealed is none. */
export function keysIn({ form }: SealedColumn, content: string, secrets: Secrets): string[] {
  const found: string[] = [];
  eachText(form, content, (text) => {
    const id = secrets.keyOf(text);
    if (id !== undefined) found.push(id);
    return text;
  });
  return found;
}

/** The content with all that is sealed with another key sealed with the first. */
export function resealed({ form }: SealedColumn, content: string, secrets: Secrets): string {
  const [current] = secrets.encryptionIds;
  return eachText(form, content, (text) => {
    const id = secrets.keyOf(text);
    const isOld = id !== undefined && (id !== current || text.startsWith('v1.'));
    return isOld ? secrets.encrypt(secrets.decrypt(text)) : text;
  });
}

function eachText(form: 'text' | 'json', content: string, change: (text: string) => string): string {
  if (form === 'text') return change(content);
  return JSON.stringify(
    JSON.parse(content, (_name, value: unknown) => (typeof value === 'string' ? change(value) : value)),
  );
}
