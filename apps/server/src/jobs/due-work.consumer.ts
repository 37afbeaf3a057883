import { sql } from 'drizzle-orm';
import { texts } from '../delivery/queryable.ts';
import { defineConsumer, nameOf } from '../events/define-consumer.ts';
import type { Schedule } from './define-job.ts';
import { jobsChannel } from './operation.store.ts';

/** Lets work by the clock run at once that follows from what happened. What runs just now runs once more. */
export const dueWorkConsumer = (schedules: readonly Schedule[]) =>
  defineConsumer({
    name: 'due_work',
    consume: async (tx, events) => {
      const told = new Set(events.map(nameOf));
      const names = schedules
        .filter(({ after = [] }) => after.some((name) => told.has(name)))
        .map(({ name }) => name);
      if (names.length === 0) return;
      await tx.execute(
        sql`UPDATE schedule SET again = claim IS NOT NULL, next_at = CASE WHEN claim IS NULL THEN now() ELSE next_at END
            WHERE name = ANY(${texts(names)})`,
      );
      await tx.execute(sql`SELECT pg_notify(${jobsChannel}, 'work')`);
    },
  });
