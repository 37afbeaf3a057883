import type { LogRetention } from '@breakwater/contract/statistics';
import { type Database, type Run, timestamp } from './database.ts';
import { rollupKeys, rollupSums } from './schema.ts';

const dayMs = 24 * 3600 * 1000;

/** Lines of a minute keep arriving for a while after it; what comes later still is merged in the next round. */
const settledAfterMs = 3 * 60_000;
const minutesPerMerge = 1440;

/** A node may still ship a file it kept through a long outage, so positions outlive the records of a short policy. */
const positionDaysMin = 90;

export async function deleteExpired(
  database: Database,
  retention: LogRetention,
  now: Date,
): Promise<{ records: number; rollupRows: number }> {
  const daysAgo = (days: number) => timestamp(now.getTime() - days * dayMs);
  return database.write(async (run) => {
    const records = await run('DELETE FROM access_log WHERE time < $before', {
      before: daysAgo(retention.record_days),
    });
    const before = daysAgo(retention.rollup_days);
    const rollups = await run('DELETE FROM rollup_minute WHERE minute < $before', { before });
    await run('DELETE FROM log_coverage WHERE last_minute < $before', { before });
    await run(
      `UPDATE log_coverage SET first_minute = date_trunc('minute', $before + INTERVAL 59999 MILLISECOND)
       WHERE first_minute < $before`,
      { before },
    );
    await run('DELETE FROM log_position WHERE updated_at < $before', {
      before: daysAgo(Math.max(retention.record_days, positionDaysMin)),
    });
    return { records: Number(records[0]?.Count ?? 0), rollupRows: Number(rollups[0]?.Count ?? 0) };
  });
}

/** Makes one row of all rollup rows with the same key, a bounded number of minutes at a time. */
export async function mergeRollups(database: Database, now: Date): Promise<void> {
  const before = timestamp(now.getTime() - settledAfterMs);
  let merged = minutesPerMerge;
  while (merged === minutesPerMerge) {
    merged = await database.write(async (run) => mergeMinutes(run, before));
  }
}

async function mergeMinutes(run: Run, before: ReturnType<typeof timestamp>): Promise<number> {
  const [minutes] = await run(
    `CREATE OR REPLACE TEMP TABLE merge_minute AS
     SELECT DISTINCT minute FROM rollup_minute WHERE NOT merged AND minute < $before
     ORDER BY minute LIMIT ${minutesPerMerge}`,
    { before },
  );
  const count = Number(minutes?.Count ?? 0);
  if (count === 0) return 0;
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_rollup AS
     SELECT ${rollupKeys}, ${rollupSums.map((name) => `sum(${name})`).join(', ')}
     FROM rollup_minute SEMI JOIN merge_minute USING (minute) GROUP BY ${rollupKeys} ORDER BY minute`,
  );
  await run('DELETE FROM rollup_minute WHERE minute IN (FROM merge_minute)');
  await run('INSERT INTO rollup_minute SELECT *, true FROM merge_rollup');
  return count;
}
