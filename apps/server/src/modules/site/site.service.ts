import { asc, eq } from 'drizzle-orm';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import { lineGroup, order, site } from '../../db/schema.ts';
import type { Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { publishSite, siteTask, toPublished } from './site-publish.ts';

/** What other modules may ask of sites. */

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
      .where(eq(site.orderId, orderId))
      .orderBy(asc(site.id))
      .for('update');
    if (rows.length > sitesMovedMax) throw new ApiError('limit_reached');
    for (const row of rows) {
      const published = toPublished({ site: row, lineGroupId });
      await publishSite(tx, secrets, published, siteTask('order_move', published, session));
    }
  });
}
/** One transaction holds back every other change of a document while it runs. */
const sitesMovedMax = 5000;
