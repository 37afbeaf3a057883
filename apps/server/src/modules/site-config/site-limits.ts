import type { SiteSnapshot } from '@breakwater/contract';
import { and, count, eq, isNull } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { order, product, site } from '../../db/schema.ts';

/** What an order's product allows of sites and their domains. */

export type Bought = Awaited<ReturnType<typeof readOrder>>;

export async function readOrder(tx: Transaction, id: number) {
  const [row] = await tx
    .select({ order, limits: product.limits })
    .from(order)
    .innerJoin(product, eq(product.id, order.productId))
    .where(eq(order.id, id));
  return row!;
}

export async function checkLimits(
  tx: Transaction,
  bought: Bought,
  snapshot: SiteSnapshot,
  adds: boolean,
): Promise<void> {
  const { sites, domains_per_site: domains } = bought.limits;
  if (domains !== null && snapshot.domains.length > domains) throw new ApiError('limit_reached');
  if (!adds || sites === null) return;
  const [counted] = await tx
    .select({ total: count() })
    .from(site)
    .where(and(eq(site.orderId, bought.order.id), isNull(site.removedAt)));
  if ((counted?.total ?? 0) >= sites) throw new ApiError('limit_reached');
}
