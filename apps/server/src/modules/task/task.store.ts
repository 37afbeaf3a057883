import {
  taskStatuses,
  type Language,
  type SubTaskStatus,
  type TaskStatus,
  type TaskType,
} from '@breakwater/contract';
import { and, asc, desc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { node, operation, operationItem, schedule } from '../../db/schema.ts';
import type { Schedule } from '../../jobs/define-job.ts';
import { errorSentence } from '../../jobs/item-error.ts';

/** Tasks and sub-tasks are what the API calls operations and their items. */

export interface TaskFilter {
  current_page: number;
  page_size: number;
  status?: TaskStatus | undefined;
  type?: TaskType | undefined;
  object_id?: number | undefined;
  finished_before?: string | undefined;
  /** Those alone that are not over. */
  open?: true;
}

/** A task that is not over has no time at which it ended. */
export const finishedBefore = (time: Date): SQL => lt(operation.finishedAt, time);

export async function listTasks(db: Db, query: TaskFilter) {
  const where = and(
    query.status && eq(operation.state, query.status),
    query.type && eq(operation.kind, query.type),
    query.object_id ? eq(operation.subjectId, query.object_id) : undefined,
    query.finished_before === undefined ? undefined : finishedBefore(new Date(query.finished_before)),
    query.open && inArray(operation.state, ['pending', 'running']),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectTasks(db).where(where).orderBy(desc(operation.id)).limit(limit).offset(offset),
    db.$count(operation, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getTask(db: Db, id: number) {
  const [row] = await selectTasks(db).where(eq(operation.id, id));
  if (!row) throw notFound();
  return present(row);
}

const dayMs = 86_400_000;

/** `actions`: types with how many there are, most first. */
export async function countTasks(db: Db) {
  const since = new Date(Date.now() - dayMs);
  const [rows, failedToday] = await Promise.all([
    db
      .select({ type: operation.kind, status: operation.state, tasks: sql<number>`count(*)::int` })
      .from(operation)
      .groupBy(operation.kind, operation.state),
    db.$count(operation, and(eq(operation.state, 'failed'), gte(operation.finishedAt, since))),
  ]);
  const sum = (some: typeof rows) => some.reduce((total, { tasks }) => total + tasks, 0);
  const perStatus = (some: typeof rows) =>
    Object.fromEntries(
      taskStatuses.map((status) => [status, sum(some.filter((row) => row.status === status))]),
    ) as Record<TaskStatus, number>;
  const types = [...new Set(rows.map(({ type }) => type))].map((type) => {
    const some = rows.filter((row) => row.type === type);
    return { type, total: sum(some), statuses: perStatus(some) };
  });
  types.sort((a, b) => b.total - a.total || a.type.localeCompare(b.type));
  return {
    statuses: perStatus(rows),
    failed_today: failedToday,
    types: types.map(({ type, statuses }) => ({ type, statuses })),
    actions: types.map(({ type, total }) => ({ type, total })),
  };
}

export interface SubTaskFilter {
  current_page: number;
  page_size: number;
  task_id?: number | undefined;
  status?: SubTaskStatus | undefined;
}

export async function listSubTasks(db: Db, query: SubTaskFilter, language: Language) {
  const where = and(
    query.task_id ? eq(operationItem.operationId, query.task_id) : undefined,
    query.status && eq(operationItem.state, query.status),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ item: operationItem, nodeName: node.name })
      .from(operationItem)
      .leftJoin(node, eq(node.id, operationItem.nodeId))
      .where(where)
      .orderBy(desc(operationItem.operationId), asc(operationItem.id))
      .limit(limit)
      .offset(offset),
    db.$count(operationItem, where),
  ]);
  const list = rows.map(({ item, nodeName }) => ({
    id: item.id,
    task_id: item.operationId,
    title: item.title ?? '',
    node_id: item.nodeId,
    node_name: nodeName,
    kind: item.kind,
    key: item.key,
    revision: item.revision,
    status: item.state,
    attempt: item.attempt,
    next_at: item.state === 'pending' && item.attempt > 0 ? isoOrNull(item.nextAt) : null,
    error: errorSentence(item.error, language),
    created_at: iso(item.createdAt),
    finished_at: isoOrNull(item.finishedAt),
  }));
  return listPage(query, list, total);
}

export async function getSchedules(db: Db, schedules: readonly Schedule[]) {
  const rows = new Map((await db.select().from(schedule)).map((row) => [row.name, row]));
  return schedules.flatMap(({ name, everySeconds }) => {
    const row = rows.get(name);
    if (!row) return [];
    return {
      name,
      every_seconds: everySeconds,
      running: row.claim !== null && row.nextAt > new Date(),
      next_at: iso(row.nextAt),
      last_at: isoOrNull(row.lastAt),
      last_milliseconds: row.lastMilliseconds,
      last_error: row.lastError,
    };
  });
}

/** Operations with how many parts they have, and how those ended. */
export function selectTasks(db: Db) {
  const parts = (condition?: SQL) =>
    db.$count(operationItem, and(eq(operationItem.operationId, operation.id), condition));
  return db
    .select({
      operation,
      total: parts(),
      done: parts(inArray(operationItem.state, ['done', 'unchanged', 'superseded'])),
      failed: parts(eq(operationItem.state, 'failed')),
    })
    .from(operation)
    .$dynamic();
}

export function present({
  operation: row,
  total,
  done,
  failed,
}: Awaited<ReturnType<typeof selectTasks>>[number]) {
  return {
    id: row.id,
    type: row.kind,
    title: row.title,
    object_kind: row.subjectKind,
    object_id: row.subjectId,
    status: row.state,
    total: row.total ?? total,
    done: row.progress ?? done,
    failed,
    cancelling: row.cancelRequestedAt !== null && row.finishedAt === null,
    created_by: row.createdBy,
    created_at: iso(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
  };
}
