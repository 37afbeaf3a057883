import type { Retention } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { texts } from '../../delivery/queryable.ts';
import { removalOfFinished } from '../../jobs/operation.store.ts';
import type { Services } from '../../services.ts';
import { readRetention } from '../setting/setting.store.ts';

interface Prune {
  name: string;
  days: (setting: Retention) => number;
  /** Rows of one transaction. */
  rows: number;
  /** Deletes at most so many that ended before. What another transaction holds is left for the next run. */
  remove: (before: SQL, rows: number, consumers: readonly string[]) => SQL;
}

const prunes: Prune[] = [
  {
    name: 'operation_log',
    days: (setting) => setting.operation_log_days,
    rows: 2000,
    remove: (before, rows) =>
      sql`DELETE FROM operation_log WHERE id IN (
        SELECT id FROM operation_log WHERE created_at < ${before} ORDER BY created_at LIMIT ${rows})`,
  },
  {
    name: 'task',
    days: (setting) => setting.task_days,
    // Each takes its parts along, one or more a node.
    rows: 20,
    // Batches are kept by a setting of their own, exports as long as they promise.
    remove: (before, rows) =>
      removalOfFinished(sql`finished_at < ${before} AND kind NOT IN ('site_batch', 'data_export')`, rows),
  },
  {
    name: 'site_refresh',
    days: (setting) => setting.task_days,
    // Each with up to 10,000 URLs.
    rows: 100,
    remove: (before, rows) =>
      sql`DELETE FROM site_refresh WHERE id IN (
        SELECT id FROM site_refresh WHERE created_at < ${before} AND nodes_total IS NOT NULL
        ORDER BY created_at LIMIT ${rows})`,
  },
  {
    name: 'site_revision',
    days: (setting) => setting.site_revision_days,
    rows: 500,
    remove: (before, rows) =>
      sql`DELETE FROM site_revision WHERE id IN (
        SELECT id FROM site_revision r WHERE created_at < ${before}
          AND EXISTS (SELECT FROM site_revision n WHERE n.site_id = r.site_id AND n.version > r.version)
        LIMIT ${rows})`,
  },
  {
    name: 'site_level_revision',
    days: (setting) => setting.site_revision_days,
    rows: 500,
    remove: (before, rows) =>
      sql`DELETE FROM site_level_revision WHERE id IN (
        SELECT id FROM site_level_revision r WHERE created_at < ${before}
          AND EXISTS (SELECT FROM site_level_revision n WHERE n.level_id = r.level_id AND n.version > r.version)
        LIMIT ${rows})`,
  },
  {
    name: 'site_batch',
    days: (setting) => setting.site_batch_days,
    // Each takes its lines along, 5,000 at the most.
    rows: 1,
    remove: (before, rows) => removalOfFinished(sql`finished_at < ${before} AND kind = 'site_batch'`, rows),
  },
  {
    name: 'site_violation',
    days: (setting) => setting.violation_days,
    rows: 1000,
    // What is offline is so by its row.
    remove: (before, rows) =>
      sql`DELETE FROM site_violation WHERE id IN (
        SELECT id FROM site_violation WHERE seen_at < ${before} AND action <> 'blocked' ORDER BY seen_at LIMIT ${rows})`,
  },
  {
    name: 'event',
    days: (setting) => setting.event_days,
    rows: 2000,
    // None that a consumer has not passed, however far behind it is.
    remove: (before, rows, consumers) =>
      sql`DELETE FROM event WHERE id IN (
        SELECT e.id FROM event e WHERE e.at < ${before} AND e.place IS NOT NULL AND NOT EXISTS (
          SELECT FROM event_consumer c WHERE c.name = ANY(${texts(consumers)}) AND c.position < e.place)
        ORDER BY e.at LIMIT ${rows})`,
  },
];

/** For each table, so that none waits for ever behind a larger one. What is left is for the next run. */
const longestMilliseconds = 10_000;

/** Removes what is older than the setting says, in small transactions. Returns how many rows of each table went. */
export async function pruneOldRows(
  { db, jobs }: Services,
  now = new Date(),
): Promise<Record<string, number>> {
  const setting = await readRetention(db);
  const consumers = (jobs.consumers ?? []).map(({ name }) => name);
  const removed: Record<string, number> = {};
  for (const prune of prunes) {
    const before = sql`${new Date(now.getTime() - prune.days(setting) * 86_400_000)}`;
    removed[prune.name] = await removeAll(db, prune, (rows) => prune.remove(before, rows, consumers));
  }
  return removed;
}

async function removeAll(db: Db, { rows }: Prune, removal: (rows: number) => SQL): Promise<number> {
  const deadline = Date.now() + longestMilliseconds;
  let removed = 0;
  while (Date.now() < deadline) {
    const { rowCount } = await db.execute(removal(rows));
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < rows) break;
  }
  return removed;
}
