import type { SiteSnapshot, DeliveryTaskType } from '@breakwater/contract';
import { and, eq, type SQL } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { order, site } from '../../db/schema.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { owned, type Scope } from '../../scope.ts';

/** The row of a site with what publishing needs of it, found and locked for a change. */

/** One site, if it lies within the scope. */
export function siteWithin(scope: Scope, id: number): SQL | undefined {
  return and(eq(site.id, id), owned(site, scope));
}

export interface PublishedSite {
  id: number;
  clientId: number;
  orderId: number;
  productId: number;
  lineGroupId: number;
  snapshot: SiteSnapshot;
}

/** What events of it are about. */
export const siteSubject = ({ id, snapshot }: Pick<PublishedSite, 'id' | 'snapshot'>) =>
  ({ kind: 'site', id, name: snapshot.domains[0] ?? '' }) as const;

export function siteTask(
  type: DeliveryTaskType,
  published: PublishedSite,
  author: { name: string },
): NewTask {
  return {
    type,
    title: published.snapshot.domains[0] ?? String(published.id),
    objectKind: 'site',
    objectId: published.id,
    clientId: published.clientId,
    createdBy: author.name,
  };
}

/** The site with what publishing needs, locked until the transaction ends. One that is being deleted takes no change. */
export async function lockSite(tx: Transaction, where: SQL | undefined) {
  const row = await lockSiteAnyhow(tx, where);
  if (row.site.removedAt !== null) throw new ApiError('site_removing');
  return row;
}

/** As `lockSite`, with nothing in place of an error where there is no such site any more. */
export async function lockSiteIfThere(tx: Transaction, id: number) {
  const row = await findAndLock(tx, eq(site.id, id));
  return row?.site.removedAt === null ? row : undefined;
}

export async function lockSiteAnyhow(tx: Transaction, where: SQL | undefined) {
  const row = await findAndLock(tx, where);
  if (!row) throw notFound();
  return row;
}

async function findAndLock(tx: Transaction, where: SQL | undefined) {
  const [row] = await tx
    .select({ site, productId: order.productId })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .where(where)
    .for('update', { of: site });
  return row;
}

export const toPublished = (row: { site: typeof site.$inferSelect; productId: number }): PublishedSite => ({
  id: row.site.id,
  clientId: row.site.clientId,
  orderId: row.site.orderId,
  productId: row.productId,
  lineGroupId: row.site.lineGroupId,
  snapshot: row.site.config,
});
