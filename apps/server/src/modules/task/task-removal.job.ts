import { sql } from 'drizzle-orm';
import { defineJob, doubling } from '../../jobs/define-job.ts';
import { removalOfFinished } from '../../jobs/operation.store.ts';

/** Each takes its items along, one or more a node. */
const operationsPerStep = 20;

/** Deletes what ended before the time that its item names. Broken off, it goes on with what is left. */
export const taskRemovalJob = defineJob({
  kind: 'task_removal',
  attempts: 5,
  backoffSeconds: doubling(60),
  timeoutSeconds: 6 * 3600,
  run: async ({ services, item, signal }) => {
    const which = sql`finished_at < ${new Date(item.key)}`;
    let removed = 0;
    for (let rows = operationsPerStep; rows === operationsPerStep; removed += rows) {
      signal.throwIfAborted();
      rows = (await services.db.execute(removalOfFinished(which, operationsPerStep))).rowCount ?? 0;
    }
    return { state: removed === 0 ? 'unchanged' : 'done' };
  },
});
