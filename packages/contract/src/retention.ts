import * as z from 'zod';
import { defineRoutes } from './define.ts';

const days = z.int().min(1).max(3650);

/**
 * Days after which what is over goes. What is under way stays however long it takes, and so does the newest revision of
 * a site.
 */
export const retention = z.strictObject({
  operation_log_days: days.min(7).default(180),
  /** With their parts, one a node. */
  task_days: days.default(30),
  site_revision_days: days.min(7).default(365),
  site_batch_days: days.default(90),
});
export type Retention = z.infer<typeof retention>;

export const retentionRoutes = defineRoutes({
  getRetention: {
    method: 'GET',
    path: '/prod-api/setting/retention',
    summary: 'How many days operations, tasks, site revisions and batches are kept.',
    access: { kind: 'admin', permission: 'setting.read' },
    response: retention,
  },
  updateRetention: {
    method: 'PUT',
    path: '/prod-api/setting/retention',
    summary:
      'Change how many days operations, tasks, site revisions and batches are kept. What is older goes within minutes.',
    access: { kind: 'admin', permission: 'setting.retention' },
    body: retention,
    response: retention,
  },
});
