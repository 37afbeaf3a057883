import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';

/** Domains that lack a filing number (docs/filings.md), in SQL on rows of `site_domain` under an alias. */

/** Whether no confirmed number of this customer stands for the name. */
export const lacksFiling = (name: SQL, clientId: SQL): SQL<boolean> =>
  sql`NOT EXISTS (SELECT FROM filing f WHERE f.client_id = ${clientId} AND f.state = 'confirmed'
        AND f.name = ANY(${name}.lineage))`;

/**
 * Notes which domains of a site its nodes are not to serve, as its line group asks for filing numbers; answers with those that
 * are new among them. Whoever changes a number or the line group meanwhile lets the job of filings note it anew.
 */
export async function noteUnfiled(
  tx: Transaction,
  { id, clientId, lineGroupId }: { id: number; clientId: number; lineGroupId: number },
): Promise<string[]> {
  const name = sql`d`;
  const rows = await rowsOf<{ domain: string; unfiled: boolean }>(
    tx,
    sql`UPDATE site_domain d SET unfiled = NOT d.unfiled FROM line_group g
        WHERE g.id = ${lineGroupId} AND d.site_id = ${id}
          AND d.unfiled <> (g.filing_required AND ${lacksFiling(name, sql`${clientId}`)})
        RETURNING d.domain, d.unfiled`,
  );
  return rows.filter(({ unfiled }) => unfiled).map(({ domain }) => domain);
}
