import {
  certificateSoonDays,
  type SiteCertificateStatus,
  type SiteSelection,
  type SiteStatus,
  type siteSorts,
} from '@breakwater/contract';
import { and, asc, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { contains, containsDomain } from '../../db/page.ts';
import { client, order, site, siteDomain, siteTag } from '../../db/schema.ts';
import { integers } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';

/** Which sites a list, an export or a batch is about. */

export interface SiteFilter {
  domain_name?: string | undefined;
  cname?: string | undefined;
  client_id?: number | undefined;
  order_id?: number | undefined;
  username?: string | undefined;
  site_id?: number | undefined;
  status?: SiteStatus | undefined;
  line_group_id?: number | undefined;
  product_id?: number | undefined;
  source_content?: string | undefined;
  certificate_status?: SiteCertificateStatus | undefined;
  certificate_expires_soon?: 'yes' | 'no' | undefined;
  tags_id?: number | undefined;
}
export interface SiteSorting {
  sort_by: (typeof siteSorts)[number];
  sort_order: 'asc' | 'desc';
}

/** A condition on `site` alone: what is said of other tables is a subquery, so that a count reads no more than it needs. */
export function whereSites(db: Db, scope: Scope, filter: SiteFilter): SQL | undefined {
  const byDomain = db
    .select({ id: siteDomain.siteId })
    .from(siteDomain)
    .where(containsDomain(siteDomain.domain, filter.domain_name));
  const byClient = db
    .select({ id: client.id })
    .from(client)
    .where(or(contains(client.name, filter.username), contains(client.email, filter.username)));
  const byOrder = db
    .select({ id: order.id })
    .from(order)
    .where(eq(order.productId, filter.product_id ?? 0));
  const byTag = db
    .select({ id: siteTag.siteId })
    .from(siteTag)
    .where(eq(siteTag.tagId, filter.tags_id ?? 0));
  return and(
    owned(site, scope),
    filter.domain_name ? inArray(site.id, byDomain) : undefined,
    filter.cname ? contains(site.cnameLabel, cnameLabelOf(filter.cname)) : undefined,
    filter.client_id ? eq(site.clientId, filter.client_id) : undefined,
    filter.username ? inArray(site.clientId, byClient) : undefined,
    filter.site_id ? eq(site.id, filter.site_id) : undefined,
    filter.status ? eq(site.status, filter.status) : undefined,
    filter.line_group_id ? eq(site.lineGroupId, filter.line_group_id) : undefined,
    filter.product_id ? inArray(site.orderId, byOrder) : undefined,
    filter.order_id ? eq(site.orderId, filter.order_id) : undefined,
    contains(sql`(${site.config}->'origin_server_config'->>'origins')`, filter.source_content),
    filter.certificate_status ? byCertificate(filter.certificate_status) : undefined,
    filter.certificate_expires_soon ? byFirstEnd(endsSoon[filter.certificate_expires_soon]) : undefined,
    filter.tags_id ? inArray(site.id, byTag) : undefined,
  );
}

/** A CNAME, whole or in part, is found by its first label, the one that is the site's own. */
const cnameLabelOf = (text: string): string => text.toLowerCase().split('.', 1)[0]!;

/** By the certificate of a site that ends first. */
function byCertificate(status: SiteCertificateStatus): SQL {
  if (status === 'not_enabled')
    return sql`NOT EXISTS (SELECT FROM edge_use u
      WHERE u.user_kind = 'site' AND u.user_id = ${site.id} AND u.dep_kind = 'certificate')`;
  return byFirstEnd(status === 'enabled' ? sql`${firstEnd} > now()` : sql`${firstEnd} <= now()`);
}

const firstEnd = sql`min(c.not_after)`;
const soon = sql`now() + make_interval(days => ${certificateSoonDays})`;
const endsSoon = {
  yes: sql`${firstEnd} > now() AND ${firstEnd} <= ${soon}`,
  no: sql`${firstEnd} > ${soon}`,
};

function byFirstEnd(having: SQL): SQL {
  return sql`${site.id} IN (SELECT u.user_id FROM edge_use u JOIN certificate c
      ON c.id = CASE WHEN u.dep_kind = 'certificate' THEN u.dep_key::integer END
    WHERE u.user_kind = 'site' AND u.dep_kind = 'certificate' GROUP BY u.user_id HAVING ${having})`;
}

/** One page of ids in order: the many other tables of a row are read for these only. */
export async function pageOfSites(
  db: Db,
  where: SQL | undefined,
  sorting: SiteSorting,
  page: { limit: number; offset: number },
): Promise<number[]> {
  const direction = sorting.sort_order === 'asc' ? asc : desc;
  const column = {
    id: site.id,
    domain_name: siteDomain.domain,
    updated_at: site.updatedAt,
    status: site.status,
  }[sorting.sort_by];
  const query = db.select({ id: site.id }).from(site).$dynamic();
  if (sorting.sort_by === 'domain_name')
    void query.leftJoin(siteDomain, and(eq(siteDomain.siteId, site.id), eq(siteDomain.position, 0)));
  const rows = await query
    .where(where)
    .orderBy(direction(column), desc(site.id))
    .limit(page.limit)
    .offset(page.offset);
  return rows.map((row) => row.id);
}

/** The sites of a selection that lie within the scope. */
export function whereSelected(
  db: Db,
  scope: Scope,
  { site_ids: ids, filter }: SiteSelection,
): SQL | undefined {
  return and(
    whereSites(db, scope, filter ?? {}),
    ids === undefined ? undefined : sql`${site.id} = ANY(${integers(ids)})`,
  );
}
