import { and, eq, isNotNull } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { operation } from '../db/schema.ts';
import type { Services } from '../services.ts';
import { startWorker } from './worker.ts';

/** For tests of a server without the role of a worker: does what waits until this operation is over. */
export async function workThrough(services: Services, operationId: number, workers = 1): Promise<void> {
  const registry = { jobs: services.jobs.jobs, schedules: [] };
  const started = await Promise.all(
    Array.from({ length: workers }, () => startWorker(services, registry, { slots: 2 })),
  );
  const isOver = and(eq(operation.id, operationId), isNotNull(operation.finishedAt));
  try {
    while ((await services.db.$count(operation, isOver)) === 0) await sleep(20);
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
  }
}
