import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { site, siteDomain } from '../../db/schema.ts';
import type { Transaction } from '../../db/database.ts';
import { recordEvent, recordEvents, systemActor, type NewEvent } from '../../events/record-event.ts';
import { awaitedKeys } from '../../delivery/delivery-state.ts';
import {
  lockSite,
  lockSiteAnyhow,
  siteSubject,
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
    await recordEvent(tx, { ...aboutSite(row), kind: 'removal_started', actor: session });
    const taskId = await unpublish(tx, row, session.name);
    await tx.update(site).set({ removedAt: new Date() }).where(eq(site.id, id));
    await finishRemovals(tx, [id]);
    return taskId;
  });
}

/** Deletes a site without waiting for its nodes. Those that are away drop it when they come back. */
export async function removeSiteForced(services: SiteWriter, { session, scope }: Author, id: number) {
  return services.db.transaction(async (tx) => {
    const row = await lockSiteAnyhow(tx, siteWithin(scope, id));
    await recordEvent(tx, { ...aboutSite(row), kind: 'removed', actor: session });
    const taskId = row.site.removedAt === null ? await unpublish(tx, row, session.name) : null;
    await tx.delete(site).where(eq(site.id, id));
    return taskId;
  });
}

const aboutSite = (row: Awaited<ReturnType<typeof lockSite>>): Pick<NewEvent, 'subject' | 'clientId'> => ({
  subject: siteSubject(toPublished(row)),
  clientId: row.site.clientId,
});

async function unpublish(
  tx: Transaction,
  row: Awaited<ReturnType<typeof lockSite>>,
  name: string,
): Promise<number | null> {
  const published = toPublished(row);
  await tx.delete(siteDomain).where(eq(siteDomain.siteId, row.site.id));
  return unpublishSite(tx, published, siteTask('site_remove', published, { name }));
}

/** Lets go of deleted sites that no node has any more: of all, or of those named. Returns how many went. */
export async function finishRemovals(tx: Transaction, ids?: readonly number[]): Promise<number> {
  const going = await tx
    .select({ id: site.id, clientId: site.clientId, name: sql<string | null>`${site.config}->'domains'->>0` })
    .from(site)
    .where(and(isNotNull(site.removedAt), ids && inArray(site.id, [...ids])));
  if (going.length === 0) return 0;
  const awaited = await awaitedKeys(
    tx,
    'site',
    going.map(({ id }) => String(id)),
  );
  const gone = going.filter(({ id }) => !awaited.has(String(id)));
  if (gone.length === 0) return 0;
  const goneIds = gone.map(({ id }) => id);
  const rows = await tx.delete(site).where(inArray(site.id, goneIds)).returning({ id: site.id });
  const deleted = new Set(rows.map(({ id }) => id));
  await recordEvents(
    tx,
    gone
      .filter(({ id }) => deleted.has(id))
      .map(({ id, clientId, name }) => ({
        kind: 'removed',
        subject: { kind: 'site', id, name: name ?? '' },
        clientId,
        actor: systemActor,
      })),
  );
  return deleted.size;
}
