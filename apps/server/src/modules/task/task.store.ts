import type { subTaskStatuses, taskStatuses, TaskType } from '@breakwater/contract';
import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { node, subTask, task } from '../../db/schema.ts';

export interface TaskFilter {
  current_page: number;
  page_size: number;
  status?: (typeof taskStatuses)[number] | undefined;
  type?: TaskType | undefined;
  object_id?: number | undefined;
}

export async function listTasks(db: Db, query: TaskFilter) {
  const where = and(
    query.status && eq(task.status, query.status),
    query.type && eq(task.type, query.type),
    query.object_id ? eq(task.objectId, query.object_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectTasks(db).where(where).orderBy(desc(task.id)).limit(limit).offset(offset),
    db.$count(task, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getTask(db: Db, id: number) {
  const [row] = await selectTasks(db).where(eq(task.id, id));
  if (!row) throw notFound();
  return present(row);
}

export interface SubTaskFilter {
  current_page: number;
  page_size: number;
  task_id?: number | undefined;
  status?: (typeof subTaskStatuses)[number] | undefined;
}

export async function listSubTasks(db: Db, query: SubTaskFilter) {
  const where = and(
    query.task_id ? eq(subTask.taskId, query.task_id) : undefined,
    query.status && eq(subTask.status, query.status),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ subTask, nodeName: node.name })
      .from(subTask)
      .innerJoin(node, eq(node.id, subTask.nodeId))
      .where(where)
      .orderBy(desc(subTask.taskId), asc(subTask.id))
      .limit(limit)
      .offset(offset),
    db.$count(subTask, where),
  ]);
  const list = rows.map(({ subTask: row, nodeName }) => ({
    id: row.id,
    task_id: row.taskId,
    node_id: row.nodeId,
    node_name: nodeName,
    kind: row.kind,
    key: row.key,
    revision: row.revision,
    status: row.status,
    error: row.error,
    created_at: iso(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
  }));
  return listPage(query, list, total);
}

function selectTasks(db: Db) {
  const parts = (condition?: SQL) => db.$count(subTask, and(eq(subTask.taskId, task.id), condition));
  return db
    .select({
      task,
      total: parts(),
      done: parts(inArray(subTask.status, ['done', 'superseded'])),
      failed: parts(eq(subTask.status, 'failed')),
    })
    .from(task)
    .$dynamic();
}

function present({ task: row, total, done, failed }: Awaited<ReturnType<typeof selectTasks>>[number]) {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    object_kind: row.objectKind,
    object_id: row.objectId,
    status: row.status,
    total,
    done,
    failed,
    created_by: row.createdBy,
    created_at: iso(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
  };
}
