import type { SiteSnapshot, SiteStatus, siteRevision as siteRevisionSchema } from '@breakwater/contract';
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { client, lineGroup, order, product, site, siteDomain, siteRevision } from '../../db/schema.ts';
import { listDeliveries, summariseDeliveries } from '../../delivery/delivery-state.ts';
import type { Scope } from '../../scope.ts';
import { diffJson } from './site.rules.ts';

/** One site, if it lies within the scope. */
export function siteWithin(scope: Scope, id: number): SQL | undefined {
  return and(eq(site.id, id), 'all' in scope ? undefined : eq(site.clientId, scope.clientId));
}

export interface SiteFilter {
  current_page: number;
  page_size: number;
  domain_name?: string | undefined;
  client_id?: number | undefined;
  username?: string | undefined;
  site_id?: number | undefined;
  status?: SiteStatus | undefined;
  line_group_id?: number | undefined;
  product_id?: number | undefined;
  source_content?: string | undefined;
}

export async function listSites(db: Db, scope: Scope, query: SiteFilter) {
  const { limit, offset } = pageOf(query);
  const byDomain = db
    .select({ id: siteDomain.siteId })
    .from(siteDomain)
    .where(contains(siteDomain.domain, query.domain_name));
  const where = and(
    'all' in scope ? undefined : eq(site.clientId, scope.clientId),
    query.domain_name ? inArray(site.id, byDomain) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
    contains(client.name, query.username),
    query.site_id ? eq(site.id, query.site_id) : undefined,
    query.status ? eq(site.status, query.status) : undefined,
    query.line_group_id ? eq(order.lineGroupId, query.line_group_id) : undefined,
    query.product_id ? eq(order.productId, query.product_id) : undefined,
    contains(sql`${site.config}->'origin_server_config'->>'origins'`, query.source_content),
  );
  const [rows, [counted]] = await Promise.all([
    selectSites(db).where(where).orderBy(desc(site.id)).limit(limit).offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(site)
      .innerJoin(client, eq(client.id, site.clientId))
      .innerJoin(order, eq(order.id, site.orderId))
      .where(where),
  ]);
  const list = await present(db, rows);
  return listPage(query, list, counted?.total ?? 0);
}

export async function getSite(db: Db, scope: Scope, id: number) {
  const [row] = await present(db, await selectSites(db).where(siteWithin(scope, id)));
  if (!row) throw notFound();
  return row;
}

/** The configuration and the version a save of it has to name. */
export async function readConfig(
  db: Db,
  scope: Scope,
  id: number,
): Promise<{ version: number; config: SiteSnapshot }> {
  const [row] = await db
    .select({ version: site.version, config: site.config })
    .from(site)
    .where(siteWithin(scope, id));
  if (!row) throw notFound();
  return row;
}

export async function readDelivery(db: Db, scope: Scope, id: number) {
  const { config } = await readConfig(db, scope, id);
  const certificates = config.certificate_settings.certificate_ids.map((certificateId) => ({
    kind: 'certificate' as const,
    key: String(certificateId),
  }));
  return { documents: await listDeliveries(db, [{ kind: 'site', key: String(id) }, ...certificates]) };
}

export async function listRevisions(
  db: Db,
  scope: Scope,
  id: number,
  query: { current_page: number; page_size: number },
) {
  await readConfig(db, scope, id);
  const where = eq(siteRevision.siteId, id);
  const { limit, offset } = pageOf(query);
  // One more than the page: what the oldest on it is compared with.
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(siteRevision)
      .where(where)
      .orderBy(desc(siteRevision.version))
      .limit(limit + 1)
      .offset(offset),
    db.$count(siteRevision, where),
  ]);
  const list = rows.slice(0, limit).map((row, index) => ({
    id: row.id,
    version: row.version,
    section: row.section as z.infer<typeof siteRevisionSchema>['section'],
    author_type: row.authorType,
    author_name: row.authorName,
    created_at: iso(row.createdAt),
    diff: diffJson(rows[index + 1]?.snapshot ?? {}, row.snapshot),
  }));
  return listPage(query, list, total);
}

function selectSites(db: Db) {
  return db
    .select({
      site,
      clientName: client.name,
      productId: product.id,
      productName: product.name,
      lineGroupId: lineGroup.id,
      lineGroupName: lineGroup.name,
    })
    .from(site)
    .innerJoin(client, eq(client.id, site.clientId))
    .innerJoin(order, eq(order.id, site.orderId))
    .innerJoin(product, eq(product.id, order.productId))
    .innerJoin(lineGroup, eq(lineGroup.id, order.lineGroupId))
    .$dynamic();
}

async function present(db: Db, rows: Awaited<ReturnType<typeof selectSites>>) {
  const deliveries = await summariseDeliveries(
    db,
    'site',
    rows.map((row) => String(row.site.id)),
  );
  return rows.map(({ site: row, clientName, productId, productName, lineGroupId, lineGroupName }) => ({
    id: row.id,
    domains: row.config.domains,
    status: row.status,
    client_id: row.clientId,
    client_name: clientName,
    order_id: row.orderId,
    product_id: productId,
    product_name: productName,
    line_group_id: lineGroupId,
    line_group_name: lineGroupName,
    origins: row.config.origin_server_config.origins.map((origin) => origin.address),
    version: row.version,
    delivery: deliveries.get(String(row.id)) ?? { status: 'none' as const, nodes_applied: 0, nodes_total: 0 },
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }));
}
