import { orderRoutes } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { order, site } from '../../db/schema.ts';
import { changesOf, recordEvent } from '../../events/record-event.ts';
import { defineJob, doubling, type ItemWork, type Operation, type Outcome } from '../../jobs/define-job.ts';
import type { Secrets } from '../../secrets.ts';
import { withIpData } from '../ip-data/ip-data.service.ts';
import {
  lockSiteIfThere,
  publishSite,
  siteSubject,
  siteTask,
  toPublished,
} from '../site-publish/site-publish.service.ts';
import { checkPortsIn } from '../site-section/site-section.service.ts';

/**
 * Brings the sites of an order to its line group, each in a transaction of its own: new nodes get it, old ones drop it.
 * Nobody is asked again whether they may: the order says already where its sites belong.
 */
export const orderMoveJob = defineJob({
  kind: 'order_move',
  attempts: 4,
  backoffSeconds: doubling(30),
  timeoutSeconds: 120,
  run: (work) => withIpData(work.services, () => moveItem(work)),
  permission: () => Promise.resolve(orderRoutes.changeOrderLineGroup.access.permission),
});

const moveItem = ({ services, operation, item, transact }: ItemWork): Promise<Outcome> =>
  transact(async (tx) => {
    const isMoved = await moveSite(tx, services.secrets, operation, Number(item.key));
    return { state: isMoved ? 'done' : 'unchanged' };
  });

/** To where the order is now, which may be further than when the task began. False where there is nothing to do. */
async function moveSite(tx: Transaction, secrets: Secrets, by: Operation, siteId: number): Promise<boolean> {
  const [goal] = await tx
    .select({ lineGroupId: order.lineGroupId })
    .from(order)
    .where(eq(order.id, by.subjectId!))
    .for('share');
  const found = goal && (await lockSiteIfThere(tx, siteId));
  if (!found || found.site.lineGroupId === goal.lineGroupId) return false;
  const former = toPublished(found);
  const published = { ...former, ...goal };
  const { domains, listen_port: ports } = published.snapshot;
  await checkPortsIn(tx, { id: siteId, domain: domains[0] ?? `${siteId}`, ports }, goal.lineGroupId);
  await tx.update(site).set(goal).where(eq(site.id, siteId));
  await recordEvent(tx, {
    kind: 'line_group_changed',
    subject: siteSubject(published),
    clientId: published.clientId,
    actor: { kind: by.authorType!, id: by.authorId!, name: by.createdBy },
    data: { changes: changesOf({ line_group_id: former.lineGroupId }, { line_group_id: goal.lineGroupId }) },
  });
  await publishSite(tx, secrets, published, siteTask('site_move', published, { name: by.createdBy }), {
    moved: true,
  });
  return true;
}
