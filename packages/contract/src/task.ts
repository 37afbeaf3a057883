import * as z from 'zod';
import { count, dateTime, id, idParams, listOf, listQuery, optionalIdText } from './common.ts';
import { defineRoutes } from './define.ts';

/** `pending` until every node has answered; `failed` when one refused; `done` when all that count have acknowledged. */
export const taskStatuses = ['pending', 'done', 'failed'] as const;
/** `superseded`: a newer revision of the same object reached the node first. */
export const subTaskStatuses = ['pending', 'done', 'failed', 'superseded'] as const;
export const taskTypes = [
  'site_create',
  'site_update',
  'site_remove',
  'site_sync',
  'site_level_update',
  'certificate_update',
  'address_list_update',
  'ip_data_update',
  'order_move',
] as const;
export type TaskType = (typeof taskTypes)[number];

export const task = z.strictObject({
  id,
  type: z.enum(taskTypes),
  /** What it is about, for people: a domain, a certificate's name. */
  title: z.string(),
  object_kind: z.string(),
  object_id: id,
  status: z.enum(taskStatuses),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  created_by: z.string(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});
export type Task = z.infer<typeof task>;
export const subTask = z.strictObject({
  /** There are as many as nodes times documents: more than ids of other things. */
  id: count,
  task_id: id,
  node_id: id,
  node_name: z.string(),
  kind: z.string(),
  key: z.string(),
  revision: z.int(),
  status: z.enum(subTaskStatuses),
  error: z.string().nullable(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});

export const taskRoutes = defineRoutes({
  listTasks: {
    method: 'GET',
    path: '/prod-api/task',
    summary: 'Tasks, newest first.',
    access: { kind: 'admin', permission: 'task.read' },
    query: listQuery({
      status: z.enum(taskStatuses).optional(),
      type: z.enum(taskTypes).optional(),
      object_id: optionalIdText,
    }),
    response: listOf(task),
  },
  getTask: {
    method: 'GET',
    path: '/prod-api/task/{id}',
    summary: 'One task.',
    access: { kind: 'admin', permission: 'task.read' },
    params: idParams,
    response: task,
  },
  listSubTasks: {
    method: 'GET',
    path: '/prod-api/sub_task',
    summary: 'The parts of a task, one a node and document.',
    access: { kind: 'admin', permission: 'task.read' },
    query: listQuery({ task_id: optionalIdText, status: z.enum(subTaskStatuses).optional() }),
    response: listOf(subTask),
  },
});
