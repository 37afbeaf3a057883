import type { Scope } from '../../scope.ts';
import type { RuleHit, RuleHitFilter } from '../log-store.ts';
import type { Run } from './database.ts';
import { whereOf } from './search.ts';

/** More rules than a section can have, with all that they can do. */
const entriesMax = 20_000;

/** All rules of a section in one pass over what left an entry. */
export async function countRuleHits(
  run: Run,
  scope: Scope,
  { site_id, client_id, site_ids, section, times }: RuleHitFilter,
): Promise<RuleHit[]> {
  const start = times[0]!;
  const filters = {
    site_id,
    client_id,
    start_time: new Date(start).toISOString(),
    end_time: new Date(times.at(-1)!).toISOString(),
  };
  const { where, values } = whereOf(scope, filters);
  // In which stretch a record lies: how many of the times before the last one it is not before.
  const changes = times.slice(1, -1);
  const stretch = changes.map((_, index) => `+ (epoch_ms(time) >= $change${index})::INTEGER`).join(' ');
  // Whole numbers, so they stand in the question itself: there may be tens of thousands.
  const some = site_ids === undefined ? '' : ` AND site_id IN (${site_ids.map(Number).join(', ') || 'NULL'})`;
  const rows = await run(
    `SELECT stretch, entry, count(*) AS requests
     FROM (SELECT 0 ${stretch} AS stretch, unnest(string_split(waf, '; ')) AS entry FROM access_log ${where} AND waf <> ''${some})
     WHERE regexp_full_match(entry, $section || ' [1-9][0-9]*=[a-z_]+')
     GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${entriesMax}`,
    { ...values, section, ...Object.fromEntries(changes.map((time, index) => [`change${index}`, time])) },
  );
  return rows.map((row) => ({
    stretch: Number(row.stretch),
    entry: String(row.entry),
    requests: Number(row.requests),
  }));
}
