import type { CertificateChallenge } from '@breakwater/contract';
import { findByHost } from '@breakwater/policy/http/host';
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, texts, type Queryable } from '../../delivery/queryable.ts';
import { servedNames } from '../../served-names.ts';

/** Which names a customer may have a certificate for, and where they are served. */

export interface ServingSite {
  siteId: number;
  lineGroupId: number;
}

interface NameRow {
  domain: string;
  site_id: number;
  line_group_id: number;
  client_id: number;
}

const rowsFor = (tx: Queryable, names: readonly string[]): Promise<NameRow[]> =>
  rowsOf<NameRow>(
    tx,
    sql`SELECT d.domain, d.site_id, s.line_group_id, s.client_id FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.domain = ANY(${texts(names)}) AND d.proof = 'given' AND s.removed_at IS NULL`,
  );

/** The sites by which nodes answer for names, by the name; none for what is another customer's, or nobody's. */
export async function servingSites(
  tx: Queryable,
  clientId: number,
  names: readonly string[],
): Promise<Map<string, ServingSite>> {
  const rows = await rowsFor(tx, [...new Set(names.flatMap(servedNames))]);
  const byDomain = new Map(rows.map((row) => [row.domain, row]));
  return new Map(
    names.flatMap((name) => {
      const row = byDomain.get(nearest(name, byDomain) ?? '');
      return row?.client_id === clientId
        ? [[name, { siteId: row.site_id, lineGroupId: row.line_group_id }] as const]
        : [];
    }),
  );
}

/**
 * Names that are not the customer's: neither a domain of theirs, nor below a wildcard of theirs, nor a wildcard below such a
 * domain. Whoever has a name in the DNS is asked by the authority; this keeps a customer from asking for another's.
 */
export async function foreignNames(
  tx: Queryable,
  clientId: number,
  names: readonly string[],
): Promise<string[]> {
  const asked = names.flatMap((name) => [...servedNames(bareOf(name)), name]);
  const rows = await rowsFor(tx, [...new Set(asked)]);
  const byDomain = new Map(rows.map((row) => [row.domain, row.client_id]));
  const ownerOf = (name: string) => byDomain.get(name) ?? byDomain.get(nearest(bareOf(name), byDomain) ?? '');
  return names.filter((name) => ownerOf(name) !== clientId);
}

/** As nodes find a site: the name itself, else the nearest wildcard above it. */
const nearest = (name: string, known: ReadonlyMap<string, unknown>): string | undefined =>
  findByHost(name, (each) => (known.has(each) ? each : undefined));

const bareOf = (name: string): string => name.replace(/^\*\./, '');

/** The verified names of a site that a challenge can prove, in their order; a scalar subquery, null where there is none. */
export const provenNames = (
  siteId: SQL,
  challenge: SQL = sql`'http-01'`,
): SQL => sql`(SELECT array_agg(d.domain ORDER BY d.position)
  FROM site_domain d WHERE d.site_id = ${siteId} AND d.proof = 'given'
    AND (d.domain NOT LIKE '*.%' OR ${challenge} = 'dns-01'))`;

/** The same in the transaction of whoever divides them. */
export async function readProvenNames(
  tx: Queryable,
  siteId: number,
  challenge: CertificateChallenge,
): Promise<string[]> {
  const [row] = await rowsOf<{ names: string[] | null }>(
    tx,
    sql`SELECT ${provenNames(sql`${siteId}`, sql`${challenge}`)} AS names`,
  );
  return row?.names ?? [];
}
