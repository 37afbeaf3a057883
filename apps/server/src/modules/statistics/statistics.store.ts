import type { UsageKind } from '@breakwater/contract';
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { client, lineGroup, node, order, site, siteDomain } from '../../db/schema.ts';
import { owned, seesAll, type Scope } from '../../scope.ts';

/** The orders whose traffic goes through a line group now. */
async function ordersOfLineGroup(db: Db, scope: Scope, lineGroupId: number): Promise<number[]> {
  const rows = await db
    .select({ id: order.id })
    .from(order)
    .where(and(eq(order.lineGroupId, lineGroupId), owned(order, scope)));
  return rows.map(({ id }) => id);
}

/** The log knows orders, and not through which line group each goes. */
export async function withOrders<Filter extends { line_group_id?: number | undefined }>(
  db: Db,
  scope: Scope,
  { line_group_id, ...filter }: Filter,
) {
  if (line_group_id === undefined) return filter;
  return { ...filter, order_ids: await ordersOfLineGroup(db, scope, line_group_id) };
}

/** The node with an application id. */
export async function nodeOf(db: Db, appId: string): Promise<number | undefined> {
  const [row] = await db.select({ id: node.id }).from(node).where(eq(node.appId, appId));
  return row?.id;
}

/** What people know sites or orders by: a site's first domain, an order's number. */
export async function namesOf(
  db: Db,
  scope: Scope,
  kind: UsageKind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await (kind === 'order' ? orderNames(db, scope, ids) : siteNames(db, scope, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Of nodes only the operator knows more than their numbers. */
export async function nodeNames(db: Db, scope: Scope, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0 || !seesAll(scope)) return new Map();
  const rows = await db
    .select({ id: node.id, name: node.name })
    .from(node)
    .where(inArray(node.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What the operator knows customers by. */
export async function clientNames(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0 || !seesAll(scope)) return new Map();
  const rows = await db
    .select({ id: client.id, name: client.name })
    .from(client)
    .where(inArray(client.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The line groups that orders go through, by the orders' ids. */
export async function lineGroupNames(
  db: Db,
  scope: Scope,
  orderIds: readonly number[],
): Promise<Map<number, string>> {
  if (orderIds.length === 0 || !seesAll(scope)) return new Map();
  const rows = await db
    .select({ id: order.id, name: lineGroup.name })
    .from(order)
    .innerJoin(lineGroup, eq(lineGroup.id, order.lineGroupId))
    .where(inArray(order.id, [...orderIds]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function orderNames(db: Db, scope: Scope, ids: readonly number[]) {
  return db
    .select({ id: order.id, name: order.orderNo })
    .from(order)
    .where(and(inArray(order.id, [...ids]), owned(order, scope)));
}

function siteNames(db: Db, scope: Scope, ids: readonly number[]) {
  return db
    .select({ id: site.id, name: siteDomain.domain })
    .from(site)
    .innerJoin(siteDomain, and(eq(siteDomain.siteId, site.id), eq(siteDomain.position, 0)))
    .where(and(inArray(site.id, [...ids]), owned(site, scope)));
}
