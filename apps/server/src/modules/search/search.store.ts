import { searchHitsMax, type Permission, type SearchHit } from '@breakwater/contract';
import { and, asc, desc, eq, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { contains, containsDomain } from '../../db/page.ts';
import { client, lineGroup, node, nodeIp, order, product, site, siteDomain } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

/** What the search dialog shows while one types: a few of each kind that one may read, customers only what is theirs. */
export async function searchEntities(
  db: Db,
  scope: Scope,
  held: ReadonlySet<Permission>,
  keyword: string,
): Promise<SearchHit[]> {
  const found = await Promise.all([
    held.has('site.read') ? searchSites(db, scope, keyword) : [],
    held.has('node.read') ? searchNodes(db, keyword) : [],
    held.has('client.read') ? searchClients(db, keyword) : [],
    held.has('product.read') ? searchProducts(db, keyword) : [],
    held.has('order.read') ? searchOrders(db, scope, keyword) : [],
  ]);
  return found.flat();
}

/** A site is found by any of its domains and named by the first that matches, the shortest before longer ones. */
async function searchSites(db: Db, scope: Scope, keyword: string): Promise<SearchHit[]> {
  const rows = await db
    .select({ id: site.id, title: sql<string>`min(${siteDomain.domain})`, detail: client.name })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .innerJoin(client, eq(client.id, site.clientId))
    .where(and(containsDomain(siteDomain.domain, keyword), owned(site, scope)))
    .groupBy(site.id, client.name)
    .orderBy(sql`min(length(${siteDomain.domain}))`, asc(site.id))
    .limit(searchHitsMax);
  return rows.map((row) => ({ kind: 'site', ...row }));
}

async function searchNodes(db: Db, keyword: string): Promise<SearchHit[]> {
  const rows = await db
    .select({ id: node.id, title: node.name, detail: sql<string>`coalesce(min(${nodeIp.ip}), '')` })
    .from(node)
    .leftJoin(nodeIp, eq(nodeIp.nodeId, node.id))
    .where(or(contains(node.name, keyword), contains(nodeIp.ip, keyword)))
    .groupBy(node.id)
    .orderBy(asc(node.name))
    .limit(searchHitsMax);
  return rows.map((row) => ({ kind: 'node', ...row }));
}

async function searchClients(db: Db, keyword: string): Promise<SearchHit[]> {
  const rows = await db
    .select({ id: client.id, title: client.name, detail: client.email })
    .from(client)
    .where(or(contains(client.name, keyword), contains(client.email, keyword)))
    .orderBy(asc(client.name))
    .limit(searchHitsMax);
  return rows.map((row) => ({ kind: 'client', ...row }));
}

async function searchProducts(db: Db, keyword: string): Promise<SearchHit[]> {
  const rows = await db
    .select({ id: product.id, title: product.name, detail: lineGroup.name })
    .from(product)
    .innerJoin(lineGroup, eq(lineGroup.id, product.lineGroupId))
    .where(contains(product.name, keyword))
    .orderBy(asc(product.name))
    .limit(searchHitsMax);
  return rows.map((row) => ({ kind: 'product', ...row }));
}

async function searchOrders(db: Db, scope: Scope, keyword: string): Promise<SearchHit[]> {
  const rows = await db
    .select({ id: order.id, title: order.orderNo, detail: product.name })
    .from(order)
    .innerJoin(product, eq(product.id, order.productId))
    .where(and(contains(order.orderNo, keyword), owned(order, scope)))
    .orderBy(desc(order.id))
    .limit(searchHitsMax);
  return rows.map((row) => ({ kind: 'order', ...row }));
}
