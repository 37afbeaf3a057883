import { certificateCovers } from '@breakwater/policy/http/host';
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { recordEvent, systemActor, type Actor } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { commitChange } from '../site-config/site-config.service.ts';
import { systemAuthor, type lockSite } from '../site-publish/site-publish.service.ts';
import { addSteps, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { withdrawAnswers } from './http-challenge.ts';
import type { Share } from './order-division.ts';

/** The orders of one site, each for a part of its domains. Whoever makes or divides them has locked the site. */

export async function lockOrdersOfSite(tx: Transaction, siteId: number): Promise<OrderRow[]> {
  const rows = await tx
    .select()
    .from(certificateOrder)
    .where(eq(certificateOrder.siteId, siteId))
    // As everybody locks several; what comes first takes names first.
    .orderBy(certificateOrder.id)
    .for('update');
  return rows.toSorted((one, other) => one.part - other.part);
}

/** Whether its names are changed now: not while a try with them is under way, and never once it was revoked. */
export const isAtRest = ({ state }: OrderRow): boolean => state !== 'working' && state !== 'revoked';

/** Whether it can prove a name. */
export const canProve = ({ challenge }: Pick<OrderRow, 'challenge'>, name: string): boolean =>
  challenge === 'dns-01' || !name.startsWith('*.');

/** What it has of the names of its site, and would take of others. One that is under way gets those once it is over. */
export const shareOf = (order: OrderRow): Share => ({
  id: order.id,
  domains: order.domains,
  takes: (name) => order.state !== 'revoked' && canProve(order, name),
});

type NewOrder = Omit<typeof certificateOrder.$inferInsert, 'name' | 'siteId' | 'clientId' | 'part'> & {
  siteId: number;
  clientId: number;
};

/** Makes one more, which is due at once, beside those that are there. */
export async function addOrder(
  tx: Transaction,
  orders: OrderRow[],
  values: NewOrder,
  { actor, steps }: { actor: Actor; steps: readonly NewStep[] },
): Promise<OrderRow> {
  const parts = new Set(orders.map(({ part }) => part));
  let part = 0;
  while (parts.has(part)) part += 1;
  const [made] = await tx
    .insert(certificateOrder)
    .values({ ...values, name: values.domains[0]!, part, nextAt: sql`now()` })
    .returning();
  orders.push(made!);
  const { id, name, clientId } = made!;
  const subject = { kind: 'certificate_order', id, name } as const;
  await recordEvent(tx, { kind: 'created', subject, clientId, actor });
  await addSteps(tx, id, steps);
  return made!;
}

/** What is under way at the authority for other names is of no use any more. */
const anew = { orderUrl: '', orderKey: null, orderAccountId: null, phase: '', failures: 0 };

/** Changes what an order is for; it is due at once where that makes another certificate. */
export async function changeOrder(
  tx: Transaction,
  order: OrderRow,
  columns: Partial<typeof certificateOrder.$inferInsert>,
  isAnother: boolean,
): Promise<void> {
  const due = isAnother ? { ...anew, nextAt: sql`now()`, renewAt: sql`now()` } : {};
  await tx
    .update(certificateOrder)
    .set({ ...columns, ...due })
    .where(eq(certificateOrder.id, order.id));
}

/**
 * Ends an order whose names have all left the site: its certificate is taken from the site and stays in the list, where another use
 * can be made of it. The last thing in a transaction.
 */
export async function endOrder(
  tx: Transaction,
  { secrets }: Pick<Services, 'secrets'>,
  site: Awaited<ReturnType<typeof lockSite>>,
  { id, name, clientId, certificateId }: OrderRow,
): Promise<void> {
  if (certificateId !== null) await takeFromSite(tx, secrets, site, certificateId);
  await tx.delete(certificateOrder).where(eq(certificateOrder.id, id));
  const subject = { kind: 'certificate_order', id, name } as const;
  await recordEvent(tx, { kind: 'removed', subject, clientId, actor: systemActor });
  await withdrawAnswers(tx, id);
}

async function takeFromSite(
  tx: Transaction,
  secrets: Services['secrets'],
  row: Awaited<ReturnType<typeof lockSite>>,
  certificateId: number,
): Promise<void> {
  const before = row.site.config;
  const { certificate_ids: ids } = before.certificate_settings;
  if (!ids.includes(certificateId)) return;
  const [found] = await tx
    .select({ domains: certificate.domains })
    .from(certificate)
    .where(eq(certificate.id, certificateId));
  const isNeeded = before.domains.some((domain) =>
    found?.domains.some((name) => certificateCovers(name, domain)),
  );
  if (isNeeded) return;
  const settings = {
    ...before.certificate_settings,
    certificate_ids: ids.filter((each) => each !== certificateId),
  };
  const { version } = await commitChange(
    tx,
    { secrets },
    row,
    { ...before, certificate_settings: settings },
    'certificate_settings',
    systemAuthor,
  );
  // Of several that end at once each builds on the one before.
  row.site = { ...row.site, version, config: { ...before, certificate_settings: settings } };
}
