import type { MatcherRule } from '@breakwater/contract';
import { identityText } from '@breakwater/policy/protect/matchers';
import { and, eq, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { site } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';

const dayMs = 86_400_000;
/** Of more changes within a week only what came after the oldest of these is counted. */
const changesMax = 100;

interface RuleList {
  /** From when on it was in service. */
  from: number;
  rules: MatcherRule[];
}

/**
 * How often each rule of a site was met, as the log says. A line names a rule by its number, which is another rule's after the
 * list was changed: so numbers are read by the list of their time.
 */
export async function ruleHits(
  { db, logStore }: Services,
  scope: Scope,
  siteId: number,
  signal?: AbortSignal,
): Promise<{ place: number; day: number; week: number }[]> {
  const [row] = await db
    .select({ config: site.config })
    .from(site)
    .where(and(owned(site, scope), eq(site.id, siteId)));
  if (!row) throw notFound();
  const rules = row.config.matcher_rule?.rules ?? [];
  const now = Date.now();
  const lists = await readLists(db, siteId, now - 7 * dayMs);
  if (rules.length === 0 || lists.length === 0) return [];
  const times = [...new Set([...lists.map(({ from }) => from), now - dayMs])]
    .filter((time) => time >= lists[0]!.from && time < now)
    .toSorted((a, b) => a - b);
  const found = await logStore.ruleHits(
    scope,
    { site_id: siteId, section: 'matcher_rule', times: [...times, now] },
    signal,
  );
  const hits = rules.map((_, place) => ({ place, day: 0, week: 0 }));
  for (const { stretch, entry, requests } of found) {
    const from = times[stretch]!;
    const list = lists.findLast((each) => each.from <= from);
    const number = Number(/ (\d+)=/.exec(entry)?.[1]);
    const hit = hits[placeNow(list?.rules ?? [], number - 1, rules)];
    if (hit === undefined) continue;
    hit.week += requests;
    if (from >= now - dayMs) hit.day += requests;
  }
  return hits.filter(({ week }) => week > 0);
}

/** Where the rule stands now that stood in a place then; -1: it is gone. */
function placeNow(then: MatcherRule[], place: number, now: MatcherRule[]): number {
  const rule = then[place];
  if (rule === undefined) return -1;
  const text = identityText(rule);
  const isSame = (each: MatcherRule) => identityText(each) === text;
  // Of several that say the same, the one of the same rank.
  const rank = then.slice(0, place).filter(isSame).length;
  return now.flatMap((each, index) => (isSame(each) ? index : []))[rank] ?? -1;
}

/** What the rules were, from the start on. */
async function readLists(db: Db, siteId: number, start: number): Promise<RuleList[]> {
  const rows = await rowsOf<{ from: string; rules: MatcherRule[] | null }>(
    db,
    sql`SELECT "from", rules FROM (
          SELECT version, created_at AS "from", snapshot -> 'matcher_rule' -> 'rules' AS rules,
            lag(snapshot -> 'matcher_rule' -> 'rules') OVER (ORDER BY version) AS before, row_number() OVER (ORDER BY version) AS n
          FROM site_revision WHERE site_id = ${siteId} AND version >= coalesce(
            (SELECT max(version) FROM site_revision WHERE site_id = ${siteId} AND created_at <= ${new Date(start).toISOString()}::timestamptz), 0)
        ) each WHERE n = 1 OR rules IS DISTINCT FROM before ORDER BY version DESC LIMIT ${changesMax}`,
  );
  return rows
    .toReversed()
    .map(({ from, rules }) => ({ from: Math.max(start, new Date(from).getTime()), rules: rules ?? [] }));
}
