import type { Transaction } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import { advanceOrder, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { foreignNames, servingSites, type ServingSite } from './order-names.ts';
import { OrderProblem } from './order-problem.ts';

/** What the steps of a try have in common. */

export interface Try {
  services: Services;
  row: OrderRow;
  signal: AbortSignal;
}

/** Writes how far the try is, with its lines, in a transaction of its own. */
export const advance = (
  { services, row, signal }: Try,
  columns: Parameters<typeof advanceOrder>[2],
  steps: readonly NewStep[],
  also?: (tx: Transaction) => Promise<unknown>,
): Promise<OrderRow> => {
  signal.throwIfAborted();
  return services.db.transaction(async (tx) => {
    const after = await advanceOrder(tx, row, columns, steps);
    await also?.(tx);
    return after;
  });
};

/**
 * The names are the customer's at this moment, and by http-01 a site of theirs is served under each. The platform's own are what
 * an administrator says, and no site's.
 */
export async function assertNames({ services: { db }, row }: Try): Promise<Map<string, ServingSite>> {
  if (row.clientId === null) return new Map();
  const [foreign] = await foreignNames(db, row.clientId, row.domains);
  if (foreign !== undefined) throw new OrderProblem('name_not_served', foreign);
  const sites = await servingSites(db, row.clientId, row.domains);
  const unserved = row.challenge === 'http-01' ? row.domains.find((name) => !sites.has(name)) : undefined;
  if (unserved !== undefined) throw new OrderProblem('name_not_served', unserved);
  return sites;
}

export const waitedSeconds = ({ waitingSince }: OrderRow): number =>
  waitingSince === null ? 0 : (Date.now() - waitingSince.getTime()) / 1000;

/** As the authority says, between a second and a minute. */
export const secondsUntil = (at: Date | undefined, least: number): number =>
  Math.min(60, Math.max(least, at === undefined ? 0 : (at.getTime() - Date.now()) / 1000));
