import type { LogLifecycle } from '@breakwater/contract/log-store';
import type { LogRetention } from '@breakwater/contract/statistics';
import type { Coverage } from '../coverage.ts';
import { type Database, type Row, type Run, timestamp } from './database.ts';
import { type FigureTableName, hostsMax, secondsKeptMs } from '../figure-tables.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { figureTableNames, keysOf, summedColumns } from './figures.ts';

const dayMs = 24 * 3600 * 1000;

/** Lines of a minute keep arriving for a while after it; what comes later still is merged in the next round. */
const settledAfterMs = 3 * 60_000;
/** Times (minutes or hours, by the table) that one transaction merges: others wait for it to end. */
const timesPerMerge = 1440;

/** A node may still ship a file it kept through a long outage, so positions outlive the records of a short policy. */
const positionDaysMin = 90;

/** Tables that are kept as figures are. */
const keptAsFigures = figureTableNames.filter(
  (table) => table !== 'figure_second' && table !== 'visitor_hour',
);

export async function readLifecycle(run: Run, retention: LogRetention): Promise<LogLifecycle> {
  const oldestOf = (table: string) => `(SELECT min(time) FROM ${table})`;
  const [row] = await run(
    `SELECT ${oldestOf('access_log')} AS records, least(${keptAsFigures.map(oldestOf).join(', ')}) AS figures`,
  );
  const at = (value: Row[string] | undefined) => (value ? Date.parse(String(value)) : undefined);
  return lifecycleOf(retention, {
    agesFrom: 'row',
    mergedSeconds: settledAfterMs / 1000,
    oldest: { records: at(row?.records), figures: at(row?.figures) },
    foreignPolicies: [],
  });
}

export async function deleteExpired(
  database: Database,
  coverage: Coverage,
  retention: LogRetention,
  now: Date,
): Promise<{ records: number; rollupRows: number }> {
  const recordsBefore = now.getTime() - retention.record_days * dayMs;
  const figuresBefore = now.getTime() - retention.rollup_days * dayMs;
  const keptFrom = (table: FigureTableName) => {
    if (table === 'figure_second') return now.getTime() - secondsKeptMs;
    // Addresses are records of people, not sums.
    return table === 'visitor_hour' ? recordsBefore : figuresBefore;
  };
  const deleted = await database.write(async (run) => {
    const remove = async (table: string, column: string, before: number) => {
      const [row] = await run(`DELETE FROM ${table} WHERE ${column} < $before`, {
        before: timestamp(before),
      });
      return Number(row?.Count ?? 0);
    };
    const records = await remove('access_log', 'time', recordsBefore);
    let rollupRows = 0;
    for (const table of figureTableNames) rollupRows += await remove(table, 'time', keptFrom(table));
    const positions = now.getTime() - Math.max(retention.record_days, positionDaysMin) * dayMs;
    await remove('log_position', 'updated_at', positions);
    return { records, rollupRows };
  });
  await coverage.forget(figuresBefore);
  return deleted;
}

/** Makes one row of all rows with the same key, a bounded number of minutes or hours at a time. */
export async function mergeFigures(database: Database, now: Date): Promise<void> {
  const before = timestamp(now.getTime() - settledAfterMs);
  for (const table of figureTableNames) {
    // Seconds are gone before it would pay.
    if (table === 'figure_second') continue;
    let merged = timesPerMerge;
    while (merged === timesPerMerge) merged = await database.write((run) => mergeTimes(run, table, before));
  }
  while (await database.write((run) => sortDay(run, before)));
}

async function mergeTimes(
  run: Run,
  table: FigureTableName,
  before: ReturnType<typeof timestamp>,
): Promise<number> {
  const [times] = await run(
    `CREATE OR REPLACE TEMP TABLE merge_time AS
     SELECT DISTINCT time FROM ${table} WHERE merged = 0 AND time < $before ORDER BY time LIMIT ${timesPerMerge}`,
    { before },
  );
  const count = Number(times?.Count ?? 0);
  if (count === 0) return 0;
  const keys = keysOf(table);
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_row AS
     SELECT ${keys} ${summedColumns(table)} FROM ${table} SEMI JOIN merge_time USING (time) GROUP BY ${keys}`,
  );
  if (keys.includes('host')) await foldHosts(run, table, keys);
  await run(`DELETE FROM ${table} WHERE time IN (FROM merge_time)`);
  await run(`INSERT INTO ${table} SELECT *, 1 FROM merge_row ORDER BY time`);
  return count;
}

/** The busiest names stay; the others of the same site count under no name, so that the whole is what it was. */
async function foldHosts(run: Run, table: FigureTableName, keys: string): Promise<void> {
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_many AS
     SELECT time, site_id FROM merge_row GROUP BY ALL HAVING count(DISTINCT host) > ${hostsMax}`,
  );
  const [many] = await run('SELECT count(*) AS count FROM merge_many');
  if (many?.count === 0) return;
  const busy = table === 'visitor_hour' ? 'count(*)' : 'sum(requests)';
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_host AS
     SELECT time, site_id, host FROM merge_row SEMI JOIN merge_many USING (time, site_id)
     WHERE host <> '' GROUP BY time, site_id, host
     QUALIFY row_number() OVER (PARTITION BY time, site_id ORDER BY ${busy} DESC, host) > ${hostsMax}`,
  );
  await run(
    `UPDATE merge_row SET host = '' FROM merge_host
     WHERE merge_row.time = merge_host.time AND merge_row.site_id = merge_host.site_id
       AND merge_row.host = merge_host.host`,
  );
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_row AS
     SELECT ${keys} ${summedColumns(table)} FROM merge_row GROUP BY ${keys}`,
  );
}

/**
 * Writes the minutes of a day that is over in order of site, so that the chart of one site reads few blocks of rows
 * however many sites there are. Returns whether there was such a day.
 */
async function sortDay(run: Run, before: ReturnType<typeof timestamp>): Promise<boolean> {
  const [day] = await run(
    `SELECT min(date_trunc('day', time)) AS first FROM figure_minute
     WHERE merged < 2 AND time < date_trunc('day', $before)`,
    { before },
  );
  if (!day?.first) return false;
  const first = timestamp(Date.parse(String(day.first)));
  const ofDay = `time >= $first AND time < $first + INTERVAL 1 DAY`;
  await run(
    `CREATE OR REPLACE TEMP TABLE merge_row AS SELECT * REPLACE (2 AS merged) FROM figure_minute WHERE ${ofDay}`,
    { first },
  );
  await run(`DELETE FROM figure_minute WHERE ${ofDay}`, { first });
  await run(`INSERT INTO figure_minute SELECT * FROM merge_row ORDER BY site_id, time`);
  await run('DROP TABLE merge_row');
  return true;
}
