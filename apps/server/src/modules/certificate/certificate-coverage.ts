import { certificateUsersMax, type CertificateDetail } from '@breakwater/contract';
import { certificateCovers } from '@breakwater/policy/http/host';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { site } from '../../db/schema.ts';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';

/** Which names of sites certificates stand for. */

const coversAny = (names: readonly string[], domain: string): boolean =>
  names.some((name) => certificateCovers(name, domain));

interface SiteNames {
  id: number;
  domains: string[];
  /** Of the certificate that is asked about. */
  own: string[];
  /** Of those that the site uses besides and that have not expired. */
  others: string[][];
}

const certificateOf = (use: SQL): SQL =>
  sql`CASE WHEN ${use}.dep_kind = 'certificate' THEN ${use}.dep_key::integer END`;

/** The sites that use a certificate. */
const sitesUsing = (db: Queryable, id: number, and: SQL = sql``): Promise<SiteNames[]> =>
  rowsOf<SiteNames>(
    db,
    sql`SELECT ${site.id} AS id, ${site.config} -> 'domains' AS domains, to_jsonb(own.domains) AS own,
          coalesce((SELECT jsonb_agg(c.domains) FROM edge_use o JOIN certificate c ON c.id = ${certificateOf(sql`o`)}
            WHERE o.user_kind = 'site' AND o.user_id = ${site.id} AND o.dep_kind = 'certificate'
              AND c.id <> own.id AND c.not_after > now()), '[]') AS others
        FROM edge_use u JOIN ${site} ON ${site.id} = u.user_id JOIN certificate own ON own.id = ${id}
        WHERE u.user_kind = 'site' AND u.dep_kind = 'certificate' AND u.dep_key = ${String(id)} ${and}`,
  );

/** Domains of sites that a certificate covers, no other does, and one of these names would not. */
export async function domainsLost(tx: Queryable, id: number, after: readonly string[]): Promise<string[]> {
  const lost = (await sitesUsing(tx, id)).flatMap(({ domains, own, others }) =>
    domains.filter(
      (domain) => coversAny(own, domain) && !coversAny(after, domain) && !coversAny(others.flat(), domain),
    ),
  );
  return [...new Set(lost)];
}

/** The first of the sites that use a certificate, with what it covers of their domains and what no certificate does. */
export async function readUsers(db: Db, scope: Scope, id: number): Promise<CertificateDetail['sites']> {
  const within = owned(site, scope);
  const order = sql`ORDER BY ${site.id} LIMIT ${certificateUsersMax}`;
  const rows = await sitesUsing(db, id, within ? sql`AND ${within} ${order}` : order);
  return rows.map(({ id: siteId, domains, own, others }) => ({
    id: siteId,
    domain: domains[0] ?? '',
    covered: domains.filter((domain) => coversAny(own, domain)),
    uncovered: domains.filter((domain) => !coversAny([...own, ...others.flat()], domain)),
  }));
}
