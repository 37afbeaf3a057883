import type { Usage, UsageKind } from '@breakwater/contract/statistics';
import type { Scope } from '../../scope.ts';
import type { MonitorFilter } from '../log-store.ts';
import { type Database, timestamp } from './database.ts';
import { minuteMs, rangeOf } from '../figure-plan.ts';
import { whereOf } from './monitor-source.ts';
import { askerOf } from './readers.ts';

const sampleMs = 5 * minuteMs;

export async function readUsage(
  database: Database,
  scope: Scope,
  kind: UsageKind,
  filter: MonitorFilter,
  page: { current_page: number; page_size: number },
  now: Date,
): Promise<{ list: Omit<Usage, 'name' | 'client_name'>[]; total: number }> {
  const { start, end } = rangeOf(filter, minuteMs);
  const { condition, values } = whereOf(scope, filter);
  const samples = Math.ceil((Math.min(end, Math.max(now.getTime(), start + 1)) - start) / sampleMs);
  // Of 100 samples the 5 highest are left out, and the sixth is the one.
  const rank = Math.floor(samples * 0.05) + 1;
  const rows = await database.query(
    `WITH sample AS (
       SELECT ${kind}_id AS id, max(client_id) AS client_id, sum(requests) AS requests, sum(bytes_sent)::DOUBLE AS bytes
       FROM figure_minute
       WHERE time >= $start AND time < $end AND ${kind}_id > 0 ${condition}
       GROUP BY ${kind}_id, (epoch_ms(time) - $origin) // ${sampleMs})
     SELECT id, max(client_id) AS client_id, sum(requests)::DOUBLE AS requests, sum(bytes) AS flux,
       max(bytes) * 8000 / ${sampleMs} AS bandwidth_peak,
       coalesce(list_reverse_sort(list(bytes))[${rank}], 0) * 8000 / ${sampleMs} AS bandwidth_95,
       count(*) OVER () AS total
     FROM sample GROUP BY id ORDER BY flux DESC, id
     LIMIT ${page.page_size} OFFSET ${(page.current_page - 1) * page.page_size}`,
    { ...values, start: timestamp(start), end: timestamp(end), origin: start },
    askerOf(scope),
  );
  const list = rows.map((row) => ({
    id: Number(row.id),
    client_id: Number(row.client_id),
    requests: Number(row.requests),
    flux: Number(row.flux),
    bandwidth_peak: Number(row.bandwidth_peak),
    bandwidth_95: Number(row.bandwidth_95),
  }));
  return { list, total: Number(rows[0]?.total ?? 0) };
}
