import * as z from 'zod';
import { count, created, dateTime, id, idParams, listOf, listQuery, optionalIdText, time } from './common.ts';
import { defineRoutes } from './define.ts';

/**
 * A task is work that outlasts a request. `pending` before any part of it has begun, `running` until the last has ended;
 * then `failed` when one failed, `cancelled` when somebody ended it before, else `done`.
 */
export const taskStatuses = ['pending', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
/**
 * Of one part. `unchanged`: nothing was left to do. `superseded`: a newer revision of the same document reached the node
 * first, or the document is not for the node any more.
 */
export const subTaskStatuses = [
  'pending',
  'running',
  'done',
  'unchanged',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type SubTaskStatus = (typeof subTaskStatuses)[number];

/** Tasks that bring documents to nodes: their parts end as the nodes acknowledge them. */
export const deliveryTaskTypes = [
  'site_create',
  'site_update',
  'site_remove',
  'site_sync',
  'site_refresh',
  'site_level_update',
  'certificate_update',
  'address_list_update',
  'captcha_account_update',
  'ip_data_update',
  'known_vulnerability_update',
  'site_move',
  'site_reject',
] as const;
/** Tasks whose parts a worker does. */
export const jobTaskTypes = [
  'site_batch',
  'order_move',
  'data_export',
  'task_removal',
  'certificate_order',
  'site_prefetch',
  'site_refresh_pattern',
  'blacklist_scan',
] as const;
export const taskTypes = [...deliveryTaskTypes, ...jobTaskTypes] as const;
export type DeliveryTaskType = (typeof deliveryTaskTypes)[number];
export type JobTaskType = (typeof jobTaskTypes)[number];
export type TaskType = (typeof taskTypes)[number];

export const task = z.strictObject({
  id,
  type: z.enum(taskTypes),
  /** What it is about, for people: a domain, a certificate's name. */
  title: z.string(),
  object_kind: z.string(),
  /** Null where it is about no single object. */
  object_id: id.nullable(),
  status: z.enum(taskStatuses),
  /** Parts, or what the task counts by (an export its records). */
  total: count,
  /** Those that ended well, `unchanged` and `superseded` ones too. */
  done: count,
  failed: count,
  /** It was asked to end; parts that are under way may still do so. */
  cancelling: z.boolean(),
  created_by: z.string(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});
export type Task = z.infer<typeof task>;
export const subTask = z.strictObject({
  /** There are as many as nodes times documents: more than ids of other things. */
  id: count,
  task_id: id,
  /** What it is about, for people; empty where kind and key say it. */
  title: z.string(),
  /** Whose acknowledgement ends it; null of parts that a worker does. */
  node_id: id.nullable(),
  node_name: z.string().nullable(),
  kind: z.string(),
  key: z.string(),
  revision: count.nullable(),
  status: z.enum(subTaskStatuses),
  /** How often a worker has begun it. */
  attempt: z.int(),
  /** When a worker tries again; null unless one has failed at it. */
  next_at: dateTime.nullable(),
  /** What went wrong last: in the node's words, or in the reader's language. */
  error: z.string().nullable(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});
export type SubTask = z.infer<typeof subTask>;

/** Of what the reader may see; customers are not told who works for the platform. */
export const workItem = task.omit({ created_by: true });
export type WorkItem = z.infer<typeof workItem>;
/** How long what ended is among the work that is shown, in minutes; what failed stays for longer. */
export const workShownMinutes = { ended: 15, failed: 24 * 60 } as const;
export const workListMax = 12;

const perStatus = z.record(z.enum(taskStatuses), count);

/** Work by the clock: it runs on one server at a time, however many there are. */
export const scheduleNames = [
  'log-retention',
  'log-sums',
  'node-nonces',
  'node-resources',
  'origin-health',
  'site-guard',
  'site-suspensions',
  'site-removals',
  'address-lists',
  'ip-data',
  'ip-files',
  'known-vulnerabilities',
  'site-documents',
  'site-refreshes',
  'site-rejects',
  'rule-lists',
  'rule-notices',
  'attack-notices',
  'served-certificates',
  'certificate-endings',
  'domain-checks',
  'data-exports',
  'certificate-orders',
  'certificate-sites',
  'retention',
  'site-visits',
  'floods',
  'filings',
  'seal-values',
  'idempotency-keys',
  'callbacks',
  'account-sessions',
  'sign-in-attempts',
] as const;
export type ScheduleName = (typeof scheduleNames)[number];
export const schedule = z.strictObject({
  name: z.enum(scheduleNames),
  every_seconds: z.int(),
  running: z.boolean(),
  next_at: dateTime,
  /** The last run that ended; null before the first. */
  last_at: dateTime.nullable(),
  last_milliseconds: z.int().nullable(),
  /** Why it failed; null when it did not. */
  last_error: z.string().nullable(),
});
export type Schedule = z.infer<typeof schedule>;

const read = { kind: 'admin', permission: 'task.read' } as const;
const write = { kind: 'admin', permission: 'task.write' } as const;

export const taskRoutes = defineRoutes({
  listTasks: {
    method: 'GET',
    path: '/prod-api/task',
    summary: 'List tasks, newest first.',
    access: read,
    query: listQuery({
      status: z.enum(taskStatuses).optional(),
      type: z.enum(taskTypes).optional(),
      object_id: optionalIdText,
      /** Those alone that ended before. */
      finished_before: time.optional(),
    }),
    response: listOf(task),
  },
  getTaskStats: {
    method: 'GET',
    path: '/prod-api/task/stats',
    summary: 'Count tasks by status and type.',
    access: read,
    response: z.strictObject({
      statuses: perStatus,
      /** Those that failed within a day. */
      failed_today: count,
      types: z.array(z.strictObject({ type: z.enum(taskTypes), statuses: perStatus })),
    }),
  },
  getTaskActions: {
    method: 'GET',
    path: '/prod-api/task/actions',
    summary: 'List task types with the number of tasks of each, most first.',
    access: read,
    response: z.strictObject({
      actions: z.array(z.strictObject({ type: z.enum(taskTypes), total: count })),
    }),
  },
  listRunningTasks: {
    method: 'GET',
    path: '/prod-api/task/running',
    summary: 'List tasks that are pending or running, newest first.',
    access: read,
    query: listQuery({}),
    response: listOf(task),
  },
  getWork: {
    method: 'GET',
    path: '/prod-api/work',
    summary:
      'What is under way of what the caller may see, and what ended lately, newest first: customers are told of what is theirs.',
    access: { kind: 'signed_in' },
    response: z.strictObject({
      /** How many wait or are under way; the list has some of them. */
      open: count,
      list: z.array(workItem).max(workListMax),
    }),
  },
  getSchedules: {
    method: 'GET',
    path: '/prod-api/task/schedule',
    summary: 'List scheduled jobs with their next run and the result of the last one.',
    access: read,
    response: z.strictObject({ schedules: z.array(schedule) }),
  },
  getTask: {
    method: 'GET',
    path: '/prod-api/task/{id}',
    summary: 'Get a task.',
    access: read,
    params: idParams,
    response: task,
  },
  retryTask: {
    method: 'POST',
    path: '/prod-api/task/{id}/retry',
    summary:
      'Retry the failed and cancelled sub-tasks of a task. For a deployment, documents are sent again to the nodes that rejected them.',
    access: write,
    params: idParams,
    response: z.strictObject({ parts: count }),
  },
  cancelTask: {
    method: 'POST',
    path: '/prod-api/task/{id}/cancel',
    summary: 'Cancel a task. What is already done is kept. Deployments cannot be cancelled.',
    access: write,
    params: idParams,
    response: task,
  },
  removeTasks: {
    method: 'DELETE',
    path: '/prod-api/task',
    summary: 'Delete tasks that ended before a given time, with their sub-tasks. This runs as a task itself.',
    access: { kind: 'admin', permission: 'task.delete' },
    query: z.strictObject({
      before: time,
      /** How many the list of those counted. Where there are more or fewer by now, none is deleted. */
      expected_total: z.coerce.number().pipe(count),
    }),
    response: created,
  },
  listSubTasks: {
    method: 'GET',
    path: '/prod-api/sub_task',
    summary: 'List the sub-tasks of a task: one for each node and document, or for each item processed.',
    access: read,
    query: listQuery({ task_id: optionalIdText, status: z.enum(subTaskStatuses).optional() }),
    response: listOf(subTask),
  },
});
