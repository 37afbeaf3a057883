import { sql } from 'drizzle-orm';
import type { World } from './world.ts';

/** Whoever is signed in stays so; and what was measured has one row for each hour, in whose way another would stand. */
const left = ['account_session', 'node_resource'];

/**
 * As if so many days had passed for the control plane: every time in its database is that much earlier, so that what is due by then is
 * due now, work by the clock included.
 */
export async function passDays({ server }: World, days: number): Promise<void> {
  await server.services.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ table_name: string; columns: string[] }>(
      sql`SELECT c.table_name, array_agg(c.column_name::text) AS columns
          FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
          WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
            AND c.data_type = 'timestamp with time zone' AND c.table_name <> ALL(${sql.param(left)}::text[])
          GROUP BY c.table_name ORDER BY c.table_name`,
    );
    for (const { table_name: table, columns } of rows) {
      const earlier = columns.map(
        (column) =>
          sql`${sql.identifier(column)} = ${sql.identifier(column)} - make_interval(days => ${days})`,
      );
      await tx.execute(sql`UPDATE ${sql.identifier(table)} SET ${sql.join(earlier, sql`, `)}`);
    }
  });
}
