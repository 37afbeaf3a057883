import { sql } from 'drizzle-orm';
import { rowsOf, texts, type Queryable } from '../../delivery/queryable.ts';

/**
 * Which of these domains are on the blacklist, by which entries (docs/violations.md). A wildcard is on it as well where it
 * would serve a name that is. To be asked with the lock of claims held, so that no entry comes in between.
 */
export async function blacklistedOf(
  database: Queryable,
  domains: readonly string[],
  entryId?: number,
): Promise<{ domain: string; blacklist_id: number }[]> {
  if (domains.length === 0) return [];
  const entries = sql`SELECT id, name, kind FROM domain_name_blacklist
    WHERE enabled ${entryId === undefined ? sql`` : sql`AND id = ${entryId}`}`;
  return rowsOf(
    database,
    sql`WITH e AS MATERIALIZED (${entries}), d AS MATERIALIZED (
          SELECT domain, domain_lineage(domain) AS lineage FROM unnest(${texts(domains)}) AS n(domain))
        SELECT d.domain, e.id AS blacklist_id FROM d JOIN e ON e.name = d.domain AND e.kind = 'exact'
        UNION SELECT d.domain, e.id FROM d CROSS JOIN unnest(d.lineage) AS above(name)
          JOIN e ON e.name = above.name AND e.kind = 'subdomains'
        UNION SELECT d.domain, e.id FROM d JOIN e ON e.kind <> 'pattern' AND d.domain LIKE '*.%'
          AND right(e.name, length(d.domain) - 1) = substr(d.domain, 2)
        UNION SELECT d.domain, e.id FROM d JOIN e ON e.kind = 'pattern'
          AND d.domain LIKE replace(replace(e.name, '_', '\\_'), '*', '%')`,
  );
}
