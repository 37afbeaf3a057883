import * as z from 'zod';
import { dateTime } from './common.ts';
import { defineRoutes } from './define.ts';

/** The control plane and the machine that it runs on. */
export const systemInfo = z.strictObject({
  version: z.string(),
  started_at: dateTime,
  processors: z.int(),
  /** Share of the processors in use since somebody asked last, 0 to 1. */
  cpu_share: z.number(),
  /** Programs that ran or wanted to, the mean of a minute. */
  load: z.number(),
  memory_used: z.int(),
  memory_total: z.int(),
  /** Of the disk that the data folder lies on. */
  disk_used: z.int(),
  disk_total: z.int(),
  database_bytes: z.int(),
  /** Failures in consoles that no part of them handled, told to this process since its start. */
  console_faults: z.int(),
  console_fault_at: dateTime.nullable(),
});
export type SystemInfo = z.infer<typeof systemInfo>;

export const systemInfoRoutes = defineRoutes({
  getSystemInfo: {
    method: 'GET',
    path: '/prod-api/system_info',
    summary: 'Get the version, start time and machine state of the control plane.',
    access: { kind: 'admin', permission: 'system.read' },
    response: systemInfo,
  },
});
