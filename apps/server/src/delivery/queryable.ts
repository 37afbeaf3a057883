import { sql, type SQL } from 'drizzle-orm';

/**
 * A database or a transaction. Delivery speaks SQL of its own: its statements are sets of rows, never one row each.
 * Revisions (bigint) arrive as text and are turned into numbers where they are read.
 */
export interface Queryable {
  execute(query: SQL): PromiseLike<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

export async function rowsOf<Row>(database: Queryable, query: SQL): Promise<Row[]> {
  const { rows } = await database.execute(query);
  return rows as Row[];
}

/** One array parameter, where drizzle would spread a list. */
export const integers = (values: readonly number[]): SQL => sql`${sql.param([...values])}::integer[]`;
export const bigints = (values: readonly number[]): SQL => sql`${sql.param([...values])}::bigint[]`;
export const texts = (values: readonly (string | null)[]): SQL => sql`${sql.param([...values])}::text[]`;
