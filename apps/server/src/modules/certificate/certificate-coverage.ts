import { certificateCovers } from '@breakwater/policy/http/host';
import { sql } from 'drizzle-orm';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';

/** Which names of sites certificates stand for. */

export const coversAny = (names: readonly string[], domain: string): boolean =>
  names.some((name) => certificateCovers(name, domain));

interface SiteNames {
  id: number;
  domains: string[];
  /** The names of the certificates that the site uses besides, one list for each that has not expired. */
  others: string[][];
}

/** The sites that use a certificate. */
const sitesUsing = (tx: Queryable, id: number): Promise<SiteNames[]> =>
  rowsOf<SiteNames>(
    tx,
    sql`SELECT s.id, s.config -> 'domains' AS domains,
          coalesce((SELECT jsonb_agg(c.domains) FROM edge_use o
            JOIN certificate c ON c.id = CASE WHEN o.dep_kind = 'certificate' THEN o.dep_key::integer END
            WHERE o.user_kind = 'site' AND o.user_id = s.id AND o.dep_kind = 'certificate'
              AND c.id <> ${id} AND c.not_after > now()), '[]') AS others
        FROM edge_use u JOIN site s ON s.id = u.user_id
        WHERE u.user_kind = 'site' AND u.dep_kind = 'certificate' AND u.dep_key = ${String(id)} ORDER BY s.id`,
  );

/** Domains of sites that a certificate of these names covers, no other does, and one of those names would not. */
export async function domainsLost(
  tx: Queryable,
  id: number,
  before: readonly string[],
  after: readonly string[],
): Promise<string[]> {
  const lost = (await sitesUsing(tx, id)).flatMap(({ domains, others }) =>
    domains.filter(
      (domain) =>
        coversAny(before, domain) &&
        !coversAny(after, domain) &&
        !others.some((names) => coversAny(names, domain)),
    ),
  );
  return [...new Set(lost)];
}
