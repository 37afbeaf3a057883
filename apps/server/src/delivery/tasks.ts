import type { DeliveryTaskType } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { createOperation, settleOperations } from '../jobs/operation.store.ts';
import { integers, rowsOf, type Queryable } from './queryable.ts';
import { resendDocuments } from './resend.ts';

/** Tasks of the delivery: operations whose items no worker does. What nodes acknowledge ends them. */

export interface NewTask {
  type: DeliveryTaskType;
  /** What it is about, for people. */
  title: string;
  objectKind: string;
  objectId: number;
  /** Owner of the object; absent for the platform's. */
  clientId?: number | undefined;
  createdBy: string;
}

/** A task starts finished: it becomes pending with its first sub-task, and one that concerns no node stays done. */
export function createTask(tx: Queryable, task: NewTask): Promise<number> {
  const { type, title, objectKind, objectId, clientId, createdBy } = task;
  return createOperation(tx, {
    kind: type,
    title,
    subjectKind: objectKind,
    subjectId: objectId,
    clientId,
    createdBy,
  });
}

/** One sub-task for each enabled node of the line groups, the excepted groups' nodes left out. Returns how many. */
export async function addSubTasks(
  tx: Queryable,
  taskId: number,
  document: { kind: string; key: string; revision: number },
  lineGroupIds: readonly number[],
  exceptLineGroupIds: readonly number[] = [],
): Promise<number> {
  const added = await tx.execute(
    sql`INSERT INTO operation_item (operation_id, node_id, kind, key, revision)
        SELECT ${taskId}, n.id, ${document.kind}, ${document.key}, ${document.revision}
        FROM node n
        WHERE n.enabled
          AND n.id IN (SELECT node_id FROM node_line_group WHERE line_group_id = ANY(${integers(lineGroupIds)}))
          AND n.id NOT IN (
            SELECT node_id FROM node_line_group WHERE line_group_id = ANY(${integers(exceptLineGroupIds)}))`,
  );
  const count = added.rowCount ?? 0;
  if (count > 0)
    await tx.execute(
      sql`UPDATE operation SET state = 'pending', finished_at = NULL, parts_awaited = parts_awaited + ${count}
          WHERE id = ${taskId}`,
    );
  return count;
}

/**
 * Sends nodes what they refused once more, as a new revision of the same document. What is not for a node any more is no
 * longer awaited from it. Returns how many sub-tasks were concerned.
 */
export async function retrySubTasks(tx: Queryable, taskId: number): Promise<number> {
  const failed = await rowsOf<{ id: string; node_id: number; kind: string; key: string }>(
    tx,
    sql`SELECT id, node_id, kind, key FROM operation_item
        WHERE operation_id = ${taskId} AND state = 'failed' AND node_id IS NOT NULL ORDER BY id`,
  );
  if (failed.length === 0) return 0;
  const revisions = await resendDocuments(tx, failed);
  for (const item of failed) {
    const revision = revisions.get(`${item.node_id}/${item.kind}/${item.key}`);
    const state = revision === undefined ? 'superseded' : 'pending';
    await tx.execute(
      sql`UPDATE operation_item SET state = ${state}, revision = coalesce(${revision ?? null}, revision), error = NULL,
            finished_at = CASE WHEN ${state} = 'superseded' THEN now() END
          WHERE id = ${item.id}`,
    );
  }
  await settleOperations(tx, [taskId]);
  return failed.length;
}
