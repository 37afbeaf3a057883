import { refreshQuotas, type RefreshQuota } from '@breakwater/contract';
import { and, eq, gt, sql } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { refreshUse } from '../../db/schema.ts';
import { limitNow, limitOf } from '../customer-limit/customer-limit.service.ts';

/** What customers may refresh and prefetch within the last 24 hours; operators as much as they like. */

export interface HeldQuota {
  clientId: number;
  quota: RefreshQuota;
  /** Null without end. */
  left: number | null;
}

/**
 * What is left of a customer's quota. Nobody else uses it until the transaction ends, for their row is locked; so it is to be called before
 * other rows are.
 */
export async function holdQuota(tx: Transaction, clientId: number, quota: RefreshQuota): Promise<HeldQuota> {
  const limit = await limitOf(tx, clientId, quota);
  if (limit === null) return { clientId, quota, left: null };
  return { clientId, quota, left: Math.max(0, limit - (await usedOf(tx, clientId, quota))) };
}

/** Refuses, at a field, what is more than is left. */
export async function useQuota(
  tx: Transaction,
  { clientId, quota, left }: HeldQuota,
  used: number,
  path: string,
): Promise<void> {
  if (left !== null && used > left) throw invalid(path, `refresh_quota:${left}`);
  if (used > 0) await tx.insert(refreshUse).values({ clientId, quota, used });
}

interface QuotaState {
  limit: number | null;
  used: number;
}

/** Of a customer; null: of operators. */
export async function readQuotas(db: Db, clientId: number | null) {
  const stateOf = async (quota: RefreshQuota): Promise<[RefreshQuota, QuotaState]> => [
    quota,
    clientId === null
      ? { limit: null, used: 0 }
      : { limit: await limitNow(db, clientId, quota), used: await usedOf(db, clientId, quota) },
  ];
  const states = await Promise.all(refreshQuotas.map(stateOf));
  return Object.fromEntries(states) as Record<RefreshQuota, QuotaState>;
}

const lately = gt(refreshUse.createdAt, sql`now() - interval '24 hours'`);

async function usedOf(db: Db, clientId: number, quota: RefreshQuota): Promise<number> {
  const [row] = await db
    .select({ used: sql<number>`coalesce(sum(${refreshUse.used}), 0)`.mapWith(Number) })
    .from(refreshUse)
    .where(and(eq(refreshUse.clientId, clientId), eq(refreshUse.quota, quota), lately));
  return row!.used;
}

/** What counts no more. */
export const pruneRefreshUse = (db: Db) =>
  db.execute(sql`DELETE FROM refresh_use WHERE created_at < now() - interval '24 hours'`);
