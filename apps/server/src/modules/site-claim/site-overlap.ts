import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';

/**
 * Names of two customers that overlap (docs/site-status.md): they are equal, or one is above the other, with or without
 * `*.`. What is asked of the database about them, in SQL on rows of `site_domain` under an alias.
 */

const overlap = (one: SQL, other: SQL): SQL =>
  sql`(${other}.lineage @> ARRAY[${one}.lineage[1]] OR ${other}.lineage[1] = ANY(${one}.lineage))`;

/** Whether a name overlaps with one that is given to another customer than this. */
export const isContested = (name: SQL, clientId: SQL): SQL<boolean> =>
  sql`EXISTS (SELECT FROM site_domain o JOIN site os ON os.id = o.site_id
        WHERE o.proof = 'given' AND os.client_id <> ${clientId} AND ${overlap(name, sql`o`)})`;

/** Visitors of the name get the site. */
export const isServed = (name: SQL): SQL<boolean> => sql`(${name}.proof = 'given' OR ${name}.was_served)`;

/** Nodes are not told of the name, so that whoever has it is served; else those who wait for its proof show a page. */
export const isWithheld = (name: SQL, clientId: SQL): SQL<boolean> =>
  sql`(NOT ${isServed(name)} AND (${isContested(name, clientId)} OR EXISTS (
        SELECT FROM site_domain e WHERE e.domain = ${name}.domain
          AND (e.claimed_at, e.site_id) < (${name}.claimed_at, ${name}.site_id))))`;

/** To be taken, after the site, before names are claimed or given: two that overlap cannot come in at once. */
export async function lockClaims(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${claimsLock})`);
}
const claimsLock = 728_141_904;

export interface Claim {
  domain: string;
  contested: boolean;
  /** By a wildcard of the customer's own, that already serves the name. */
  covered: boolean;
}

/** What the names of others, and the customer's own, mean for new ones. */
export function weighClaims(tx: Transaction, clientId: number, domains: readonly string[]): Promise<Claim[]> {
  return rowsOf<Claim>(
    tx,
    // Materialised: the lineage of a name is worked out once, not for each name it is compared with.
    sql`WITH d AS MATERIALIZED (
          SELECT domain, domain_lineage(domain) AS lineage FROM unnest(${texts(domains)}) AS n(domain))
        SELECT d.domain, ${isContested(sql`d`, sql`${clientId}`)} AS contested, EXISTS (
          SELECT FROM site_domain o JOIN site os ON os.id = o.site_id
          WHERE o.proof = 'given' AND os.client_id = ${clientId} AND o.domain LIKE '*.%'
            AND o.lineage[1] = ANY(d.lineage[2:])) AS covered
        FROM d`,
  );
}

/** Names of others that wait beside those of a site: the next run of the job takes them from the nodes. */
export async function recheckOverlapped(tx: Transaction, siteId: number, clientId: number): Promise<void> {
  await tx.execute(
    sql`UPDATE site_domain d SET next_check_at = now() FROM (
          SELECT w.domain, w.site_id FROM site_domain w JOIN site s ON s.id = w.site_id
          WHERE s.client_id <> ${clientId} AND (w.domain, w.site_id) IN (
            SELECT n.domain, n.site_id FROM site_domain o JOIN site_domain n ON ${overlap(sql`o`, sql`n`)}
            WHERE o.site_id = ${siteId} AND o.proof = 'given' AND n.proof <> 'given')
          ORDER BY w.domain, w.site_id FOR UPDATE OF w) found
        WHERE d.domain = found.domain AND d.site_id = found.site_id`,
  );
}

export interface Overlap {
  domain: string;
  site_id: number;
  client_id: number;
  client_name: string;
}
/** At most so many are told of each name. */
const toldMax = 20;

/** What keeps the names of a site waiting, by name. */
export async function overlapsOf(
  db: Pick<Transaction, 'execute'>,
  siteId: number,
): Promise<Map<string, Overlap[]>> {
  const rows = await rowsOf<{ name: string; overlaps: Overlap[] }>(
    db,
    sql`SELECT d.domain AS name, json_agg(f) AS overlaps
        FROM site_domain d JOIN site s ON s.id = d.site_id, LATERAL (
          SELECT o.domain, o.site_id, os.client_id, c.name AS client_name
          FROM site_domain o JOIN site os ON os.id = o.site_id JOIN client c ON c.id = os.client_id
          WHERE o.proof = 'given' AND os.client_id <> s.client_id AND ${overlap(sql`d`, sql`o`)}
          ORDER BY o.domain LIMIT ${toldMax}) f
        WHERE d.site_id = ${siteId} AND d.proof <> 'given' GROUP BY d.domain`,
  );
  return new Map(rows.map(({ name, overlaps }) => [name, overlaps]));
}
