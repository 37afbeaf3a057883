import type { TaskType } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { ApiError, notFound } from '../api-error.ts';
import { integers, rowsOf, texts, type Queryable } from '../delivery/queryable.ts';

/** What workers are told on when a transaction commits: `work` is there, something was asked to end (`cancel`), `events` happened. */
export const jobsChannel = 'breakwater_jobs';

const tell = (tx: Queryable, what: 'work' | 'cancel') =>
  tx.execute(sql`SELECT pg_notify(${jobsChannel}, ${what})`);

export interface NewOperation {
  kind: TaskType;
  /** What it is about, for people. */
  title: string;
  subjectKind: string;
  subjectId?: number | undefined;
  /** Whose it is; absent for the platform's. */
  clientId?: number | undefined;
  /** What the work counts by where that is not its items. */
  total?: number;
  /** Under whose name it is done, where what it does asks for permission. */
  author?: { type: 'admin' | 'client' | 'member'; id: number };
  createdBy: string;
}

/** An operation starts finished: it becomes pending with its first item, and one that has none stays done. */
export async function createOperation(tx: Queryable, operation: NewOperation): Promise<number> {
  const { kind, title, subjectKind, subjectId, clientId, total, author, createdBy } = operation;
  const [row] = await rowsOf<{ id: number }>(
    tx,
    sql`INSERT INTO operation (kind, title, subject_kind, subject_id, client_id, total, progress, author_type, author_id,
          created_by, state, finished_at)
        VALUES (${kind}, ${title}, ${subjectKind}, ${subjectId ?? null}, ${clientId ?? null}, ${total ?? null},
          ${total === undefined ? null : 0}, ${author?.type ?? null}, ${author?.id ?? null}, ${createdBy}, 'done', now())
        RETURNING id`,
  );
  return row!.id;
}

/** One thing that a worker is to do. */
export interface NewItem {
  /** The line of what was sent, from 1. */
  position?: number;
  title?: string;
  kind: string;
  /** Of the object; absent while that is still to be made. */
  key?: string;
}

/** Gives items to the workers, in this order. */
export async function addItems(tx: Queryable, operationId: number, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return;
  const positions = sql`${sql.param(items.map(({ position }) => position ?? null))}::integer[]`;
  await tx.execute(
    sql`INSERT INTO operation_item (operation_id, position, title, kind, key, next_at)
        SELECT ${operationId}, i.position, i.title, i.kind, i.key, now()
        FROM unnest(${positions}, ${texts(items.map(({ title }) => title ?? null))},
          ${texts(items.map(({ kind }) => kind))}, ${texts(items.map(({ key }) => key ?? ''))})
          WITH ORDINALITY AS i (position, title, kind, key, place) ORDER BY i.place`,
  );
  await settleOperations(tx, [operationId]);
  await tell(tx, 'work');
}

/**
 * Brings operations in line with their items. The rows are locked first, in order: two that finish the last two items at
 * once would each still see the other's as pending. Whoever locks items as well locks them before.
 */
export async function settleOperations(tx: Queryable, operationIds: readonly number[]): Promise<void> {
  if (operationIds.length === 0) return;
  const ids = integers([...new Set(operationIds)]);
  await tx.execute(sql`SELECT id FROM operation WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`);
  await tx.execute(
    sql`UPDATE operation o SET state = s.state, next_at = s.next_at,
          parts_awaited = s.awaited, parts_refused = s.refused,
          finished_at = CASE WHEN s.state IN ('pending', 'running') THEN NULL ELSE now() END
        FROM (
          SELECT operation_id, min(next_at) AS next_at,
            count(*) FILTER (WHERE node_id IS NOT NULL AND state = 'pending') AS awaited,
            count(*) FILTER (WHERE node_id IS NOT NULL AND state = 'failed') AS refused,
            CASE WHEN bool_and(state = 'pending') THEN 'pending'
                 WHEN bool_or(state IN ('pending', 'running')) THEN 'running'
                 WHEN bool_or(state = 'failed') THEN 'failed'
                 WHEN bool_or(state = 'cancelled') THEN 'cancelled' ELSE 'done' END AS state
          FROM operation_item WHERE operation_id = ANY(${ids}) GROUP BY operation_id) s
        WHERE o.id = s.operation_id AND (o.state, o.next_at, o.parts_awaited, o.parts_refused)
          IS DISTINCT FROM (s.state, s.next_at, s.awaited, s.refused)`,
  );
}

/** A part of a delivery that a node has judged: its state before and after. */
export interface JudgedPart {
  operation_id: number;
  former: string;
  state: string;
}

/**
 * The same for parts of deliveries whose state was just changed, by what each change makes of the counts: what it costs does not
 * grow with the number of nodes.
 */
export async function settleDeliveries(tx: Queryable, parts: readonly JudgedPart[]): Promise<void> {
  if (parts.length === 0) return;
  const changes = new Map<number, { awaited: number; refused: number }>();
  const is = (state: string, wanted: string) => (state === wanted ? 1 : 0);
  for (const { operation_id: id, former, state } of parts) {
    const change = changes.get(id) ?? { awaited: 0, refused: 0 };
    change.awaited += is(state, 'pending') - is(former, 'pending');
    change.refused += is(state, 'failed') - is(former, 'failed');
    changes.set(id, change);
  }
  const ids = [...changes.keys()].toSorted((one, other) => one - other);
  const of = (name: 'awaited' | 'refused') => integers(ids.map((id) => changes.get(id)![name]));
  if (ids.length > 1)
    await tx.execute(sql`SELECT id FROM operation WHERE id = ANY(${integers(ids)}) ORDER BY id FOR UPDATE`);
  await tx.execute(
    sql`UPDATE operation o SET parts_awaited = o.parts_awaited + c.awaited, parts_refused = o.parts_refused + c.refused,
          state = CASE WHEN o.parts_awaited + c.awaited > 0 THEN 'running'
            WHEN o.parts_refused + c.refused > 0 THEN 'failed' ELSE 'done' END,
          finished_at = CASE WHEN o.parts_awaited + c.awaited > 0 THEN NULL ELSE now() END
        FROM unnest(${integers(ids)}, ${of('awaited')}, ${of('refused')}) AS c (id, awaited, refused)
        WHERE o.id = c.id`,
  );
}

/** Lets items wait for a worker again, as if it had never begun them. Returns how many. */
export async function retryItems(tx: Queryable, operationId: number): Promise<number> {
  const { rowCount } = await tx.execute(
    sql`UPDATE operation_item
        SET state = 'pending', attempt = 0, next_at = now(), error = NULL, finished_at = NULL
        WHERE operation_id = ${operationId} AND state IN ('failed', 'cancelled') AND node_id IS NULL`,
  );
  const items = rowCount ?? 0;
  if (items === 0) return 0;
  await tx.execute(
    sql`UPDATE operation SET cancel_requested_at = NULL, progress = CASE WHEN total IS NOT NULL THEN 0 END
        WHERE id = ${operationId}`,
  );
  await settleOperations(tx, [operationId]);
  await tell(tx, 'work');
  return items;
}

/**
 * Ends what waits; what runs is told to, and ends as it can. One that is over stays as it is. Fails with
 * `not_cancellable` where no worker does it.
 */
export async function cancelOperation(tx: Queryable, operationId: number): Promise<void> {
  await endWaiting(tx, operationId);
  const [row] = await rowsOf<{ delivers: boolean }>(
    tx,
    sql`UPDATE operation SET cancel_requested_at = CASE WHEN state IN ('pending', 'running') THEN now() ELSE cancel_requested_at END
        WHERE id = ${operationId}
        RETURNING EXISTS (SELECT FROM operation_item i WHERE i.operation_id = operation.id AND i.node_id IS NOT NULL) AS delivers`,
  );
  if (!row) throw notFound();
  if (row.delivers) throw new ApiError('not_cancellable');
  await settleOperations(tx, [operationId]);
  await tell(tx, 'cancel');
}

/** Items of an operation that was asked to end: those that wait, and those whose worker is gone. */
export async function endWaiting(tx: Queryable, operationId: number): Promise<void> {
  await tx.execute(
    sql`UPDATE operation_item SET state = 'cancelled', next_at = NULL, claim = NULL, finished_at = now()
        WHERE id IN (
          SELECT id FROM operation_item
          WHERE operation_id = ${operationId} AND (state = 'pending' OR (state = 'running' AND next_at <= now()))
            AND node_id IS NULL
          ORDER BY id FOR UPDATE)`,
  );
}

/** How far an operation is that does not count by items. False when whoever says so has lost the item. */
export async function reportProgress(database: Queryable, claim: string, progress: number): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`UPDATE operation o SET progress = ${progress}
        FROM operation_item i WHERE i.claim = ${claim} AND o.id = i.operation_id`,
  );
  return (rowCount ?? 0) > 0;
}

/** Removes so many finished operations at most, oldest first, with their items and what their kinds keep of them. */
export const removalOfFinished = (which: SQL, most: number): SQL =>
  sql`DELETE FROM operation WHERE id IN (
    SELECT id FROM operation WHERE ${which} AND state NOT IN ('pending', 'running')
    ORDER BY finished_at LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
