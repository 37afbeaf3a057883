import { invalid } from '../../api-error.ts';
import type { IssueKey, productLimits, RefreshQuota } from '@breakwater/contract';
import { and, eq, gt, sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Db, Transaction } from '../../db/database.ts';
import { client, order, product } from '../../db/schema.ts';

/** What a customer may have beside their sites: what the products of their orders in force allow together. */

type CustomerLimit = Extract<
  keyof z.infer<typeof productLimits>,
  'address_lists' | 'address_list_entries' | 'certificates' | RefreshQuota
>;

/**
 * How many; null without end. The customer's row is locked, so that two who come at once do not both take the last place: to be
 * called before other rows are. Without an order in force there is no bound either, for nothing of theirs is with nodes then.
 */
export async function limitOf(
  tx: Transaction,
  clientId: number,
  name: CustomerLimit,
): Promise<number | null> {
  await tx.select({ id: client.id }).from(client).where(eq(client.id, clientId)).for('no key update');
  return limitNow(tx, clientId, name);
}

/** The same for who only shows it. */
export async function limitNow(db: Db, clientId: number, name: CustomerLimit): Promise<number | null> {
  const rows = await db
    .select({ limits: product.limits })
    .from(order)
    .innerJoin(product, eq(product.id, order.productId))
    .where(and(eq(order.clientId, clientId), eq(order.status, 'active'), gt(order.endAt, sql`now()`)));
  if (rows.length === 0) return null;
  return rows.reduce<number | null>((sum, { limits }) => {
    const each = limits[name] ?? null;
    return sum === null || each === null ? null : sum + each;
  }, 0);
}

/** Refuses, at a field, what would be more than a limit. */
export function assertWithin(count: number, limit: number | null, path: string, issue: IssueKey): void {
  if (limit !== null && count > limit) throw invalid(path, `${issue}:${limit}`);
}
