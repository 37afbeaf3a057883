import { defineConsumer, nameOf } from '../events/define-consumer.ts';
import type { Schedule } from './define-job.ts';
import { runSoon } from './schedule-run.ts';

/** Lets work by the clock run at once that follows from what happened. */
export const dueWorkConsumer = (schedules: readonly Schedule[]) =>
  defineConsumer({
    name: 'due_work',
    consume: async (tx, events) => {
      const told = new Set(events.map(nameOf));
      const names = schedules
        .filter(({ after = [] }) => after.some((name) => told.has(name)))
        .map(({ name }) => name);
      if (names.length > 0) await runSoon(tx, names);
    },
  });
