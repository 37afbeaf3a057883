import type { CertificateOrderProblem, CertificateStepKind } from '@breakwater/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { certificateOrder, certificateStep } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

export type OrderRow = typeof certificateOrder.$inferSelect;
type Columns = Partial<typeof certificateOrder.$inferInsert>;

export interface NewStep {
  kind: CertificateStepKind;
  problem?: CertificateOrderProblem;
  detail?: string;
  facts?: Record<string, string>;
}

/** Somebody changed the order, or another did the same step: what comes next is to be looked at anew. */
export class Overtaken extends Error {}

export const orderWithin = (scope: Scope, id: number) =>
  and(eq(certificateOrder.id, id), owned(certificateOrder, scope));

/** Undefined for one that is gone. */
export async function readOrderRow(db: Db | Transaction, id: number): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(certificateOrder).where(eq(certificateOrder.id, id));
  return row;
}

/** How many lines one timeline keeps. */
const stepsMax = 400;

export async function addSteps(tx: Transaction, orderId: number, steps: readonly NewStep[]): Promise<void> {
  if (steps.length === 0) return;
  await tx.insert(certificateStep).values(
    steps.map(({ kind, problem = null, detail = '', facts = {} }) => ({
      orderId,
      kind,
      problem,
      detail: detail.replaceAll('\0', '').toWellFormed().slice(0, 2000),
      facts,
    })),
  );
}

export async function trimSteps(tx: Transaction, orderId: number): Promise<void> {
  await tx.execute(
    sql`DELETE FROM certificate_step WHERE order_id = ${orderId} AND id <= (
          SELECT id FROM certificate_step WHERE order_id = ${orderId} ORDER BY id DESC OFFSET ${stepsMax} LIMIT 1)`,
  );
}

/**
 * Writes how far a try is, where it is still the task's that does it and nobody did the same meanwhile (`phase`); with what is
 * written the timeline has its lines. Throws `Overtaken` otherwise.
 */
export async function advanceOrder(
  tx: Transaction,
  row: OrderRow,
  columns: Columns,
  steps: readonly NewStep[] = [],
): Promise<OrderRow> {
  const [after] = await tx
    .update(certificateOrder)
    .set({ ...columns, updatedAt: sql`${certificateOrder.updatedAt}` })
    .where(
      and(
        eq(certificateOrder.id, row.id),
        eq(certificateOrder.operationId, row.operationId!),
        eq(certificateOrder.phase, row.phase),
        eq(certificateOrder.orderUrl, row.orderUrl),
      ),
    )
    .returning();
  if (!after) throw new Overtaken();
  await addSteps(tx, row.id, steps);
  return after;
}

/** Newest first. */
export async function listSteps(
  db: Db,
  scope: Scope,
  id: number,
  query: { current_page: number; page_size: number },
) {
  const [row] = await db
    .select({ id: certificateOrder.id })
    .from(certificateOrder)
    .where(orderWithin(scope, id));
  if (!row) throw notFound();
  const where = eq(certificateStep.orderId, id);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(certificateStep)
      .where(where)
      .orderBy(desc(certificateStep.id))
      .limit(limit)
      .offset(offset),
    db.$count(certificateStep, where),
  ]);
  const list = rows.map(({ id: stepId, at, kind, problem, detail, facts }) => ({
    id: stepId,
    at: iso(at),
    kind,
    problem,
    detail,
    facts,
  }));
  return listPage(query, list, total);
}
