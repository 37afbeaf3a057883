import { and, eq, gt, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { order } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { readDefaultOrderId } from '../setting/setting.store.ts';

/** The order that a new site goes to: the one that is wanted, else the platform's own or the customer's newest. */
export async function orderOfNewSite(
  tx: Transaction,
  scope: Scope,
  wanted: number | undefined,
): Promise<number | undefined> {
  return wanted ?? ('all' in scope ? readDefaultOrderId(tx) : newestOrderId(tx, scope.clientId));
}

async function newestOrderId(tx: Transaction, clientId: number): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: sql<number | null>`max(${order.id})` })
    .from(order)
    .where(and(eq(order.clientId, clientId), eq(order.status, 'active'), gt(order.endAt, sql`now()`)));
  return row?.id ?? undefined;
}
