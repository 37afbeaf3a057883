import type { TaskType } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { integers, rowsOf, type Queryable } from './queryable.ts';

export interface NewTask {
  type: TaskType;
  /** What it is about, for people. */
  title: string;
  objectKind: string;
  objectId: number;
  /** Owner of the object; absent for the platform's. */
  clientId?: number | undefined;
  createdBy: string;
}

/** A task starts finished: it becomes pending with its first sub-task, and one that concerns no node stays done. */
export async function createTask(tx: Queryable, task: NewTask): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    tx,
    sql`INSERT INTO task (type, title, object_kind, object_id, client_id, created_by, status, finished_at)
        VALUES (${task.type}, ${task.title}, ${task.objectKind}, ${task.objectId}, ${task.clientId ?? null},
                ${task.createdBy}, 'done', now())
        RETURNING id`,
  );
  return row!.id;
}

/** One sub-task for each enabled node of the line groups, the excepted groups' nodes left out. Returns how many. */
export async function addSubTasks(
  tx: Queryable,
  taskId: number,
  document: { kind: string; key: string; revision: number },
  lineGroupIds: number[],
  exceptLineGroupIds: number[] = [],
): Promise<number> {
  const added = await tx.execute(
    sql`INSERT INTO sub_task (task_id, node_id, kind, key, revision)
        SELECT ${taskId}, n.id, ${document.kind}, ${document.key}, ${document.revision}
        FROM node n
        WHERE n.enabled
          AND n.id IN (SELECT node_id FROM node_line_group WHERE line_group_id = ANY(${integers(lineGroupIds)}))
          AND n.id NOT IN (
            SELECT node_id FROM node_line_group WHERE line_group_id = ANY(${integers(exceptLineGroupIds)}))`,
  );
  const count = added.rowCount ?? 0;
  if (count > 0)
    await tx.execute(sql`UPDATE task SET status = 'pending', finished_at = NULL WHERE id = ${taskId}`);
  return count;
}

/**
 * Brings tasks in line with their sub-tasks: pending while one is, failed when one failed, else done. The rows are
 * locked first, in order: two nodes that finish the last two parts at once would each still see the other's as pending.
 */
export async function settleTasks(tx: Queryable, taskIds: readonly number[]): Promise<void> {
  if (taskIds.length === 0) return;
  const ids = integers([...new Set(taskIds)]);
  await tx.execute(sql`SELECT id FROM task WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`);
  await tx.execute(
    sql`UPDATE task t SET status = s.status, finished_at = CASE WHEN s.status <> 'pending' THEN now() END
        FROM (
          SELECT task_id, CASE WHEN bool_or(status = 'pending') THEN 'pending'
                               WHEN bool_or(status = 'failed') THEN 'failed' ELSE 'done' END AS status
          FROM sub_task WHERE task_id = ANY(${ids}) GROUP BY task_id) s
        WHERE t.id = s.task_id AND t.status <> s.status`,
  );
}
