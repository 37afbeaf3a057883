import type { DnsVerdict } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, texts, type Queryable } from '../../delivery/queryable.ts';

/** Which sites are to have a certificate by themselves, by what they set or inherit. */

export interface WantedSite {
  site_id: number;
  client_id: number;
  /** Null: any; one that is gone counts as none. */
  acme_account_id: number | null;
  dns_account_id: number | null;
  /** Its verified domains in their order. */
  names: string[];
  /** Those of them that no certificate of the site covers for a while yet. */
  uncovered: string[];
  /** Those that point elsewhere, or nowhere, by the last check of their DNS. */
  absent: string[];
  /** What a plan follows from: another one asks for another plan. */
  basis: string;
}

/** A field of the HTTPS settings that is in effect at site `s`: levels and sites hold only what they set (`site-values.ts`). */
const inEffect = (field: string): SQL =>
  sql.raw(
    `coalesce(${['s.config', 'c."values"', 'r."values"', 'g."values"']
      .map((layer) => `${layer} #> '{certificate_settings,${field}}'`)
      .join(', ')})`,
  );

const accountInEffect = (field: string): SQL => sql`(${inEffect(field)} #>> '{}')::integer`;

/** So long before its end a certificate that nobody renews counts as none. */
export const endingDays = 7;

/** Whether a certificate that site `s` uses covers a name (RFC 6125 §6.4.3), and goes on doing so. */
const isCovered = (name: SQL): SQL => sql`EXISTS (
  SELECT FROM jsonb_array_elements_text(coalesce(s.config #> '{certificate_settings,certificate_ids}', '[]')) AS i (id)
    JOIN certificate k ON k.id = i.id::integer
  WHERE (${name} = ANY(k.domains)
      OR (${name} NOT LIKE '*.%' AND '*' || substring(${name} FROM position('.' IN ${name})) = ANY(k.domains)))
    AND k.not_after > now() AND (k.not_after > now() + make_interval(days => ${endingDays})
      OR EXISTS (SELECT FROM certificate_order x WHERE x.certificate_id = k.id AND x.state <> 'revoked')))`;

/** What the DNS may say of a domain that visitors and authorities do not reach here. */
export const absentVerdicts: readonly DnsVerdict[] = ['elsewhere', 'no_records', 'nxdomain'];

/** The sites `s` that want one, each with `w.names`; `a` is the account at an authority, `n` at a DNS host. */
const wantedSites = sql`
  site s JOIN "order" p ON p.id = s.order_id
    LEFT JOIN site_level g ON g.level = 'global'
    LEFT JOIN site_level r ON r.level = 'product' AND r.target_id = p.product_id
    LEFT JOIN site_level c ON c.level = 'client' AND c.target_id = s.client_id
    LEFT JOIN acme_account a ON a.id = ${accountInEffect('auto_acme_account_id')}
    LEFT JOIN dns_account n ON n.id = ${accountInEffect('auto_dns_account_id')}
      AND (n.client_id IS NULL OR n.client_id = s.client_id)
    CROSS JOIN LATERAL (
      SELECT array_agg(d.domain ORDER BY d.position) AS names,
        coalesce(array_agg(d.domain ORDER BY d.position) FILTER (WHERE d.verdict = ANY(${texts(absentVerdicts)})), '{}') AS absent
      FROM site_domain d
      WHERE d.site_id = s.id AND d.proof = 'given') w`;
/** Where no level asks for it, most sites are passed over by what they set. */
const mayWant = sql`(s.own @> ARRAY['certificate_settings.auto_certificate']
  OR EXISTS (SELECT FROM site_level WHERE "values" #> '{certificate_settings,auto_certificate}' = 'true'::jsonb))`;
const isWanted = sql`s.removed_at IS NULL AND ${mayWant} AND ${inEffect('auto_certificate')} = 'true'::jsonb AND w.names IS NOT NULL`;

const basis = sql`md5(concat_ws(' ', coalesce(a.id, 0), coalesce(n.id, 0), array_to_string(w.names, ' '), '-', array_to_string(w.absent, ' ')))`;
const columns = sql`s.id AS site_id, s.client_id, a.id AS acme_account_id, n.id AS dns_account_id, w.names, w.absent, ${basis} AS basis,
  ARRAY(SELECT u.name FROM unnest(w.names) AS u (name) WHERE NOT ${isCovered(sql`u.name`)}) AS uncovered`;

/** Of order `o`: the DNS is why its last try failed. */
const failsByDns = sql`o.state = 'failed' AND o.problem IN ('dns_missing', 'dns_elsewhere')`;

/** An order of site `s` that the platform made rests on something else than what is there now. */
const hasAnotherBasis = sql`EXISTS (SELECT FROM certificate_order o
  WHERE o.site_id = s.id AND o.automatic AND o.state NOT IN ('working', 'revoked')
    AND (o.basis <> ${basis} OR o.replan_at <= now()
      OR ${failsByDns} AND o.domains && w.absent AND NOT o.domains <@ w.absent))`;

/**
 * A verified name of site `s` is in none of its orders, though it could be proven, and no certificate covers it. What the DNS account is good
 * for is known by the orders that were planned with it (`replan_at`); where there are none, it is tried.
 */
const lacksOrder = sql`EXISTS (SELECT FROM unnest(w.names) AS u (name),
    (SELECT count(*) AS orders, count(*) FILTER (WHERE o.automatic AND o.state <> 'revoked') AS planned,
        bool_or(o.challenge = 'dns-01') FILTER (WHERE o.automatic AND o.state <> 'revoked') AS by_dns
      FROM certificate_order o WHERE o.site_id = s.id) h
  WHERE NOT EXISTS (SELECT FROM certificate_order o WHERE o.site_id = s.id AND u.name = ANY(o.domains))
    AND (CASE h.planned WHEN 0 THEN n.id IS NOT NULL ELSE h.by_dns END
      OR u.name NOT LIKE '*.%' AND (h.orders = 0 OR u.name <> ALL(w.absent)))
    AND NOT ${isCovered(sql`u.name`)})`;

/** Sites that lack a certificate and whose orders are to be made, or divided anew, from an id on. */
export const sitesToPlan = (db: Queryable, after: number, limit: number): Promise<WantedSite[]> =>
  rowsOf<WantedSite>(
    db,
    sql`SELECT ${columns} FROM ${wantedSites}
        WHERE ${isWanted} AND s.id > ${after} AND (${hasAnotherBasis} OR ${lacksOrder})
        ORDER BY s.id LIMIT ${limit}`,
  );

/** The verified domains that a site wants one for now; none where it wants none. */
export async function wantedNames(db: Queryable, siteId: number): Promise<string[]> {
  const [row] = await rowsOf<Pick<WantedSite, 'names'>>(
    db,
    sql`SELECT w.names FROM ${wantedSites} WHERE ${isWanted} AND s.id = ${siteId}`,
  );
  return row?.names ?? [];
}

/** What certificates of a site cover, and go on doing so whatever the DNS says meanwhile; not once a renewal fails for that. */
export async function keptNames(db: Queryable, siteId: number): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`SELECT u.name FROM certificate_order o, unnest(o.domains) AS u (name)
        WHERE o.site_id = ${siteId} AND o.certificate_id IS NOT NULL AND NOT (${failsByDns})`,
  );
  return rows.map(({ name }) => name);
}

/** Those of the names that no certificate of a site covers for a while yet. */
export async function uncoveredOf(
  db: Queryable,
  siteId: number,
  names: readonly string[],
): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`SELECT u.name FROM site s, unnest(${texts(names)}) AS u (name)
        WHERE s.id = ${siteId} AND NOT ${isCovered(sql`u.name`)}`,
  );
  return rows.map(({ name }) => name);
}

/** Orders that the platform made and whose site wants none any more follow its domains as those do that people made. */
export const releaseUnwanted = (db: Queryable) =>
  db.execute(
    sql`UPDATE certificate_order o SET basis = '', replan_at = NULL WHERE o.automatic AND o.basis <> ''
          AND NOT EXISTS (SELECT FROM ${wantedSites} WHERE ${isWanted} AND s.id = o.site_id)`,
  );

/** Whether a site gets certificates by itself. */
export async function isAutomatic(db: Queryable, siteId: number): Promise<boolean> {
  const [row] = await rowsOf<{ wanted: boolean | null }>(
    db,
    sql`SELECT ${inEffect('auto_certificate')} = 'true'::jsonb AS wanted FROM ${wantedSites} WHERE s.id = ${siteId}`,
  );
  return row?.wanted === true;
}
