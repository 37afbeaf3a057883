import type { Retention } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import { readRetention } from '../setting/setting.store.ts';

interface Prune {
  name: string;
  days: (setting: Retention) => number;
  /** Rows of one transaction. */
  rows: number;
  /** Deletes at most so many that ended before. What another transaction holds is left for the next run. */
  remove: (before: SQL, rows: number) => SQL;
}

/** Parts of tasks before tasks, which would take any number of them along in one transaction. */
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
    name: 'sub_task',
    days: (setting) => setting.task_days,
    rows: 2000,
    remove: (before, rows) =>
      sql`DELETE FROM sub_task WHERE id IN (
        SELECT s.id FROM (
          SELECT id FROM task WHERE status <> 'pending' AND finished_at < ${before} FOR UPDATE SKIP LOCKED) t
        JOIN sub_task s ON s.task_id = t.id LIMIT ${rows})`,
  },
  {
    name: 'task',
    days: (setting) => setting.task_days,
    rows: 500,
    remove: (before, rows) =>
      sql`DELETE FROM task WHERE id IN (
        SELECT id FROM task t WHERE status <> 'pending' AND finished_at < ${before}
          AND NOT EXISTS (SELECT FROM sub_task s WHERE s.task_id = t.id)
        LIMIT ${rows} FOR UPDATE SKIP LOCKED)`,
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
    remove: (before, rows) =>
      sql`DELETE FROM site_batch WHERE id IN (
        SELECT id FROM site_batch WHERE finished_at < ${before} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`,
  },
];

/** One run leaves the rest to the next, so that it never outlasts a server that stops. */
const longestMilliseconds = 60_000;

/** Removes what is older than the setting says, in small transactions. Returns how many rows of each table went. */
export async function pruneOldRows({ db }: Services, now = new Date()): Promise<Record<string, number>> {
  const setting = await readRetention(db);
  const deadline = Date.now() + longestMilliseconds;
  const removed: Record<string, number> = {};
  for (const prune of prunes) {
    const before = sql`${new Date(now.getTime() - prune.days(setting) * 86_400_000)}`;
    removed[prune.name] = await removeAll(db, prune, before, deadline);
  }
  return removed;
}

async function removeAll(db: Db, { rows, remove }: Prune, before: SQL, deadline: number): Promise<number> {
  let removed = 0;
  while (Date.now() < deadline) {
    const { rowCount } = await db.execute(remove(before, rows));
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < rows) break;
  }
  return removed;
}
