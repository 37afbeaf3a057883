import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { site, siteAddressList, siteCertificate, siteDomain } from '../../db/schema.ts';
import type { Transaction } from '../../db/database.ts';
import { awaitedKeys } from '../../delivery/delivery-state.ts';
import {
  lockSite,
  lockSiteAnyhow,
  siteTask,
  toPublished,
  unpublishSite,
  siteWithin,
  type Author,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';

/**
 * Deleting a site. Its domains are free and its nodes are told at once; the site itself stays to be seen until every
 * node has said that it dropped it.
 */
export async function removeSite(services: SiteWriter, { session, scope }: Author, id: number) {
  return services.db.transaction(async (tx) => {
    const row = await lockSite(tx, siteWithin(scope, id));
    const taskId = await unpublish(tx, services, row, session.name);
    await tx.update(site).set({ removedAt: new Date() }).where(eq(site.id, id));
    await finishRemovals(tx, [id]);
    return taskId;
  });
}

/** Deletes a site without waiting for its nodes. Those that are away drop it when they come back. */
export async function removeSiteForced(services: SiteWriter, { session, scope }: Author, id: number) {
  return services.db.transaction(async (tx) => {
    const row = await lockSiteAnyhow(tx, siteWithin(scope, id));
    const taskId = row.site.removedAt === null ? await unpublish(tx, services, row, session.name) : null;
    await tx.delete(site).where(eq(site.id, id));
    return taskId;
  });
}

async function unpublish(
  tx: Transaction,
  { secrets }: SiteWriter,
  row: Awaited<ReturnType<typeof lockSite>>,
  name: string,
): Promise<number | null> {
  const published = toPublished(row);
  await tx.delete(siteDomain).where(eq(siteDomain.siteId, row.site.id));
  await tx.delete(siteCertificate).where(eq(siteCertificate.siteId, row.site.id));
  await tx.delete(siteAddressList).where(eq(siteAddressList.siteId, row.site.id));
  return unpublishSite(tx, secrets, published, siteTask('site_remove', published, { name }));
}

/** Lets go of deleted sites that no node has any more: of all, or of those named. Returns how many went. */
export async function finishRemovals(tx: Transaction, ids?: readonly number[]): Promise<number> {
  const going = await tx
    .select({ id: site.id })
    .from(site)
    .where(and(isNotNull(site.removedAt), ids && inArray(site.id, [...ids])));
  if (going.length === 0) return 0;
  const awaited = await awaitedKeys(
    tx,
    'site',
    going.map(({ id }) => String(id)),
  );
  const gone = going.map(({ id }) => id).filter((id) => !awaited.has(String(id)));
  if (gone.length > 0) await tx.delete(site).where(inArray(site.id, gone));
  return gone.length;
}
