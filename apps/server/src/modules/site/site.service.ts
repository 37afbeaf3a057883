import { idText, sitesSelectedMax, type DocumentResult, type SiteSelection } from '@breakwater/contract';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { lineGroup, order, site } from '../../db/schema.ts';
import { changesOf, recordEvents } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { whereSelected } from './site-filter.ts';
import { finishRemovals } from './site-removal.ts';
import { lockUses } from '../../delivery/edge-use.ts';
import { checkPortsIn, documentsUsedBy } from '../site-section/site-section.service.ts';
import { publishSite, siteSubject, siteTask, toPublished } from '../site-publish/site-publish.service.ts';

/** What other modules may ask of sites. */

export { createSite } from './site-create.ts';
export { importNewSite } from './site-new-file.ts';
export { finishRemovals, removeSite, removeSiteForced } from './site-removal.ts';
export { setSiteStatus, settleSuspensions } from './site-status.ts';

/** To be called after a node has acknowledged documents: a site it was the last to drop is gone. */
export async function siteRemovalsAcknowledged(
  tx: Transaction,
  results: readonly DocumentResult[],
): Promise<void> {
  // A key is any text to the contract; of a site it is its id.
  const ids = results.flatMap(({ kind, key }) => {
    const siteId = idText.safeParse(key);
    return kind === 'site' && siteId.success ? [siteId.data] : [];
  });
  if (ids.length > 0) await finishRemovals(tx, ids);
}

/** Moves every site of an order to another line group: new nodes get them, old ones drop them. */
export async function moveOrder(
  services: Services,
  session: Session,
  orderId: number,
  lineGroupId: number,
): Promise<void> {
  const { db, secrets } = services;
  await db.transaction(async (tx) => {
    const [moved] = await tx.select().from(order).where(eq(order.id, orderId)).for('update');
    if (!moved) throw notFound();
    if ((await tx.$count(lineGroup, eq(lineGroup.id, lineGroupId))) === 0)
      throw invalid('line_group_id', 'does_not_exist');
    if (moved.lineGroupId === lineGroupId) return;
    await tx.update(order).set({ lineGroupId }).where(eq(order.id, orderId));
    const rows = await tx
      .select()
      .from(site)
      .where(and(eq(site.orderId, orderId), isNull(site.removedAt)))
      .orderBy(asc(site.id))
      .for('update');
    if (rows.length > sitesMovedMax) throw new ApiError('limit_reached');
    await recordMove(tx, session, moved, lineGroupId, rows);
    for (const { id, config } of rows)
      await checkPortsIn(
        tx,
        { id, domain: config.domains[0] ?? `${id}`, ports: config.listen_port },
        lineGroupId,
      );
    await lockUsesOfSites(tx, rows);
    for (const row of rows) {
      const published = toPublished({ site: row, lineGroupId, productId: moved.productId });
      await publishSite(tx, secrets, published, siteTask('order_move', published, session), { moved: true });
    }
  });
}
/** Of the order and of each of its sites, at once. */
async function recordMove(
  tx: Transaction,
  actor: Session,
  { id, orderNo, clientId, lineGroupId: from }: typeof order.$inferSelect,
  to: number,
  sites: readonly (typeof site.$inferSelect)[],
): Promise<void> {
  const changes = changesOf({ line_group_id: from }, { line_group_id: to });
  const common = { kind: 'line_group_changed', actor, data: { changes } } as const;
  await recordEvents(tx, [
    { ...common, subject: { kind: 'order', id, name: orderNo }, clientId },
    ...sites.map((row) => ({
      ...common,
      subject: siteSubject({ id: row.id, snapshot: row.config }),
      clientId: row.clientId,
    })),
  ]);
}

/** All that goes along, before the first document: one site after the other would wait in a circle with others. */
async function lockUsesOfSites(tx: Transaction, rows: (typeof site.$inferSelect)[]): Promise<void> {
  await lockUses(
    tx,
    [],
    rows.flatMap(({ config }) => documentsUsedBy(config)),
  );
}

/** One transaction holds back every other change of a document while it runs. */
const sitesMovedMax = 5000;

/** The sites of a selection within the scope, in order; a selection of nothing, or of too many, is refused. */
export async function siteIdsOf(db: Db, scope: Scope, selection: SiteSelection): Promise<number[]> {
  const rows = await db
    .select({ id: site.id })
    .from(site)
    .where(whereSelected(db, scope, selection))
    .orderBy(asc(site.id))
    .limit(sitesSelectedMax + 1);
  if (rows.length === 0) throw invalid('sites', 'does_not_exist');
  if (rows.length > sitesSelectedMax) throw new ApiError('too_many');
  return rows.map((row) => row.id);
}
