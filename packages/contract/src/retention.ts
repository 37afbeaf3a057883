import * as z from 'zod';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

const days = z.int().min(1).max(3650);

/**
 * Days after which what is over goes. What is under way stays however long it takes, and so does the newest revision of
 * a site.
 */
export const retention = z.strictObject({
  operation_log_days: days.min(7).default(180),
  /** With their parts, one a node; refreshes of the cache as well. */
  task_days: days.default(30),
  site_revision_days: days.min(7).default(365),
  site_batch_days: days.default(90),
  /** Of pages that are offline, until they are back. */
  violation_days: days.min(7).default(365),
  /** What the activity of things shows. */
  event_days: days.min(7).default(365),
});
export type Retention = z.infer<typeof retention>;

export const retentionSettings = defineSetting('retention', {
  schema: retention,
  initial: {},
  about:
    'Retention of operation logs, tasks, site versions, batch operations, violations and events, in days',
  readBy: settingReaders,
  permission: 'setting.retention',
});

export const retentionRoutes = defineRoutes({
  getRetention: retentionSettings.read,
  updateRetention: retentionSettings.write,
});
