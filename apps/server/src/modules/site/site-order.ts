import { and, eq, gt, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { order } from '../../db/schema.ts';
import { ownerOfNew, owns, type Scope } from '../../scope.ts';
import { invalid } from '../../api-error.ts';
import { readDefaultOrderId } from '../setting/setting.store.ts';
import { readOrder, type Bought } from '../site-config/site-config.service.ts';

/** The order that a new site goes to: the one that is wanted, else the platform's own or the customer's newest. */
export async function orderOfNewSite(
  tx: Transaction,
  scope: Scope,
  wanted: number | undefined,
): Promise<number | undefined> {
  if (wanted !== undefined) return wanted;
  const owner = ownerOfNew(scope);
  return owner === null ? readDefaultOrderId(tx) : newestOrderId(tx, owner);
}

async function newestOrderId(tx: Transaction, clientId: number): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: sql<number | null>`max(${order.id})` })
    .from(order)
    .where(and(eq(order.clientId, clientId), eq(order.status, 'active'), gt(order.endAt, sql`now()`)));
  return row?.id ?? undefined;
}

/** The order a new site goes to, locked so that two new sites cannot both take its last place. */
export async function lockOrder(tx: Transaction, scope: Scope, wanted: number | undefined): Promise<Bought> {
  const id = await orderOfNewSite(tx, scope, wanted);
  if (id === undefined) throw invalid('order_id', 'required');
  const [locked] = await tx.select().from(order).where(eq(order.id, id)).for('update');
  const visible = locked && owns(scope, locked);
  if (!visible || locked.status !== 'active' || locked.endAt.getTime() <= Date.now())
    throw invalid('order_id', 'does_not_exist');
  return readOrder(tx, id);
}
