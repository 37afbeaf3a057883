import type { SiteRefresh, SiteRefreshType } from '@breakwater/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { client, site, siteRefresh } from '../../db/schema.ts';
import { listDeliveries, summariseDeliveries } from '../../delivery/delivery-state.ts';
import { authorName, owned, type Scope } from '../../scope.ts';

interface Filter {
  current_page: number;
  page_size: number;
  site_id?: number | undefined;
  client_id?: number | undefined;
  type?: SiteRefreshType | undefined;
}

export async function listSiteRefreshes(db: Db, scope: Scope, query: Filter) {
  const where = and(
    owned(siteRefresh, scope),
    query.site_id ? eq(siteRefresh.siteId, query.site_id) : undefined,
    query.client_id ? eq(siteRefresh.clientId, query.client_id) : undefined,
    query.type && eq(siteRefresh.type, query.type),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectRefreshes(db).where(where).orderBy(desc(siteRefresh.id)).limit(limit).offset(offset),
    db.$count(siteRefresh, where),
  ]);
  return listPage(query, await present(db, scope, rows), total);
}

export async function getSiteRefresh(db: Db, scope: Scope, id: number) {
  const [row] = await selectRefreshes(db).where(and(eq(siteRefresh.id, id), owned(siteRefresh, scope)));
  if (!row) throw notFound();
  const [[item], [stored], [document]] = await Promise.all([
    present(db, scope, [row]),
    db.select({ targets: siteRefresh.targets }).from(siteRefresh).where(eq(siteRefresh.id, id)),
    listDeliveries(db, [{ kind: 'refresh', key: String(id) }]),
  ]);
  return {
    ...item!,
    urls: row.type === 'clean_tag' ? [] : (stored?.targets ?? []),
    tags: row.type === 'clean_tag' ? (stored?.targets ?? []) : [],
    nodes: row.nodesTotal === null ? (document?.nodes ?? []) : [],
  };
}

/** Without all its targets: a page of a list may have a million. */
function selectRefreshes(db: Db) {
  return db
    .select({
      id: siteRefresh.id,
      type: siteRefresh.type,
      mode: siteRefresh.mode,
      siteId: siteRefresh.siteId,
      siteName: sql<string>`coalesce(${site.config} -> 'domains' ->> 0, '')`,
      clientId: siteRefresh.clientId,
      clientName: client.name,
      count: sql<number>`greatest(cardinality(${siteRefresh.targets}), 1)`,
      first: sql<string>`coalesce(${siteRefresh.targets}[1], '')`,
      authorType: siteRefresh.authorType,
      createdBy: siteRefresh.createdBy,
      createdAt: siteRefresh.createdAt,
      nodesApplied: siteRefresh.nodesApplied,
      nodesTotal: siteRefresh.nodesTotal,
    })
    .from(siteRefresh)
    .innerJoin(site, eq(site.id, siteRefresh.siteId))
    .innerJoin(client, eq(client.id, siteRefresh.clientId))
    .$dynamic();
}

async function present(
  db: Db,
  scope: Scope,
  rows: Awaited<ReturnType<typeof selectRefreshes>>,
): Promise<SiteRefresh[]> {
  const open = rows.filter((row) => row.nodesTotal === null).map((row) => String(row.id));
  const deliveries = await summariseDeliveries(db, 'refresh', open);
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    mode: row.mode,
    site_id: row.siteId,
    site_name: row.siteName,
    client_id: row.clientId,
    client_name: row.clientName,
    count: row.count,
    first: row.first,
    created_by: authorName(scope, row.authorType, row.createdBy),
    created_at: iso(row.createdAt),
    delivery: deliveries.get(String(row.id)) ?? settled(row.nodesApplied ?? 0, row.nodesTotal ?? 0),
  }));
}

/** How it stood when nodes no longer needed to be told. */
function settled(applied: number, total: number): SiteRefresh['delivery'] {
  const status = total === 0 ? 'none' : applied < total ? 'pending' : 'applied';
  return { status, nodes_applied: applied, nodes_total: total };
}
