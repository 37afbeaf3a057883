import { eq, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { operation, operationItem, type ItemError } from '../db/schema.ts';
import { rowsOf, texts, type Queryable } from '../delivery/queryable.ts';
import type { Item, Operation, Outcome } from './define-job.ts';
import { endWaiting, settleOperations } from './operation.store.ts';

/**
 * Items as workers take and leave them. A claim is a number that nobody else has: what came of an item is written only
 * where its claim still stands, so that a worker that was taken for dead cannot write over the one that followed it.
 */
export interface Claimed {
  claim: string;
  operation: Operation;
  item: Item;
}

/**
 * The next item, of the operation that has waited longest for its turn: a large one does not hold up the small ones. `again`
 * when there may be more, and nothing was taken; undefined when nothing is due.
 */
export async function claimItem(
  db: Db,
  kinds: readonly string[],
  leaseSeconds: number,
): Promise<Claimed | 'again' | undefined> {
  const claim = randomUUID();
  const [row] = await rowsOf<{ operation_id: number; cancelled: boolean; item_id: string | null }>(
    db,
    sql`WITH due AS MATERIALIZED (
          SELECT id, cancel_requested_at IS NOT NULL AS cancelled FROM operation
          WHERE next_at <= now() AND kind = ANY(${texts(kinds)}) ORDER BY next_at, id LIMIT 1),
        claimed AS (
          UPDATE operation_item SET state = 'running', attempt = attempt + 1, claim = ${claim},
            next_at = now() + make_interval(secs => ${leaseSeconds})
          WHERE id = (
            SELECT i.id FROM operation_item i JOIN due ON i.operation_id = due.id
            WHERE NOT due.cancelled AND i.next_at <= now() ORDER BY i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED)
          RETURNING id, operation_id),
        turn AS (
          UPDATE operation SET next_at = clock_timestamp(), state = 'running'
          WHERE id = (SELECT operation_id FROM claimed))
        SELECT due.id AS operation_id, due.cancelled, claimed.id AS item_id FROM due LEFT JOIN claimed ON true`,
  );
  if (!row) return undefined;
  if (row.item_id !== null) {
    const [found] = await db
      .select({ operation, item: operationItem })
      .from(operationItem)
      .innerJoin(operation, eq(operation.id, operationItem.operationId))
      .where(eq(operationItem.claim, claim));
    return found ? { claim, ...found } : 'again';
  }
  await db.transaction(async (tx) => {
    if (row.cancelled) await endWaiting(tx, row.operation_id);
    await settleOperations(tx, [row.operation_id]);
    // What is due and cannot be taken is in a transaction of its worker's that outlasts the lease.
    await tx.execute(
      sql`UPDATE operation SET next_at = now() + interval '1 second' WHERE id = ${row.operation_id} AND next_at <= now()`,
    );
  });
  return 'again';
}

/** Prolongs leases. Answers those that stand, with whether their operation was asked to end; the others are lost. */
export async function renewItems(
  db: Db,
  claims: readonly string[],
  leaseSeconds: number,
): Promise<Map<string, { cancelled: boolean }>> {
  const ours = sql`claim = ANY(${texts(claims)}::uuid[])`;
  // A row that is locked is in a transaction of its worker's: nobody can take it, and to wait would hold up the others.
  await db.execute(
    sql`UPDATE operation_item SET next_at = now() + make_interval(secs => ${leaseSeconds})
        WHERE id IN (SELECT id FROM operation_item WHERE ${ours} FOR UPDATE SKIP LOCKED)`,
  );
  const rows = await rowsOf<{ claim: string; cancelled: boolean }>(
    db,
    sql`SELECT i.claim, o.cancel_requested_at IS NOT NULL AS cancelled
        FROM operation_item i JOIN operation o ON o.id = i.operation_id WHERE i.${ours}`,
  );
  return new Map(rows.map(({ claim, cancelled }) => [claim, { cancelled }]));
}

/** Whether the item is still whose the claim is; it stays so until the transaction ends. */
export async function holdItem(tx: Queryable, claim: string): Promise<boolean> {
  return (await rowsOf(tx, sql`SELECT id FROM operation_item WHERE claim = ${claim} FOR UPDATE`)).length > 0;
}

/** Returns false, and writes nothing, where another has the item. So do those below. */
export async function finishItem(tx: Queryable, claim: string, { state, key }: Outcome): Promise<boolean> {
  return endItem(tx, claim, state, null, key);
}

export const failItem = (tx: Queryable, claim: string, error: ItemError): Promise<boolean> =>
  endItem(tx, claim, 'failed', error);

export const cancelItem = (tx: Queryable, claim: string): Promise<boolean> =>
  endItem(tx, claim, 'cancelled', null);

async function endItem(
  tx: Queryable,
  claim: string,
  state: Item['state'],
  error: ItemError | null,
  key?: string,
): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`UPDATE operation_item SET state = ${state}, key = coalesce(${key ?? null}, key), next_at = NULL, claim = NULL,
          error = ${error === null ? null : JSON.stringify(error)}::jsonb, finished_at = now()
        WHERE claim = ${claim}`,
  );
  return (rowCount ?? 0) > 0;
}

/** For another try after so many seconds; of a try that does not count, `attempt` stays as it was before it. */
export async function releaseItem(
  tx: Queryable,
  claim: string,
  { afterSeconds, counts, error }: { afterSeconds: number; counts: boolean; error?: ItemError },
): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`UPDATE operation_item SET state = 'pending', claim = NULL, attempt = attempt - ${counts ? 0 : 1},
          next_at = now() + make_interval(secs => ${afterSeconds}),
          error = ${error === undefined ? null : JSON.stringify(error)}::jsonb
        WHERE claim = ${claim}`,
  );
  return (rowCount ?? 0) > 0;
}

/** To be called after an item was left: whoever looked at its operation meanwhile found it taken. */
export async function wakeOperation(database: Queryable, operationId: number): Promise<void> {
  await database.execute(
    sql`UPDATE operation SET next_at = now() WHERE id = ${operationId} AND state IN ('pending', 'running')`,
  );
}
