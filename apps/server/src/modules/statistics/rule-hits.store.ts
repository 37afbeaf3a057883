import type { LevelRef, MatcherRule } from '@breakwater/contract';
import { identityText } from '@breakwater/policy/protect/matchers';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { order, site, siteLevel } from '../../db/schema.ts';
import type { RuleHit } from '../../logs/log-store.ts';
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

interface Hit {
  place: number;
  day: number;
  week: number;
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
): Promise<Hit[]> {
  const [row] = await db
    .select({ config: site.config })
    .from(site)
    .where(and(owned(site, scope), eq(site.id, siteId)));
  if (!row) throw notFound();
  const start = Date.now() - 7 * dayMs;
  const source = { revisions: sql`site_revision WHERE site_id = ${siteId}`, rules: sql`snapshot` };
  const lists = await readLists(db, source, start);
  const count = (times: number[]) =>
    logStore.ruleHits(scope, { site_id: siteId, section: 'matcher_rule', times }, signal);
  return hitsOf(row.config.matcher_rule?.rules ?? [], lists, count);
}

/** The same of the rules of a level, at all sites that it is for. */
export async function levelRuleHits(
  { db, logStore }: Services,
  scope: Scope,
  { level, target_id: target }: LevelRef,
  signal?: AbortSignal,
): Promise<Hit[]> {
  const [row] = await db
    .select({ id: siteLevel.id, values: siteLevel.values })
    .from(siteLevel)
    .where(and(eq(siteLevel.level, level), eq(siteLevel.targetId, target)));
  if (!row) return [];
  const start = Date.now() - 7 * dayMs;
  const source = { revisions: sql`site_level_revision WHERE level_id = ${row.id}`, rules: sql`"values"` };
  const lists = await readLists(db, source, start);
  const of = await sitesOf(db, level, target);
  const count = (times: number[]) =>
    logStore.ruleHits(scope, { ...of, section: `matcher_rule ${level}`, times }, signal);
  return hitsOf(row.values.matcher_rule?.rules ?? [], lists, count);
}

/** Which lines can name rules of the level; of a product, those of the sites that have it now. */
async function sitesOf(
  db: Db,
  level: LevelRef['level'],
  target: number,
): Promise<{ client_id?: number; site_ids?: number[] }> {
  if (level === 'global') return {};
  if (level === 'client') return { client_id: target };
  const rows = await db
    .select({ id: site.id })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .where(eq(order.productId, target));
  return { site_ids: rows.map(({ id }) => id) };
}

async function hitsOf(
  rules: MatcherRule[],
  lists: RuleList[],
  count: (times: number[]) => Promise<RuleHit[]>,
): Promise<Hit[]> {
  const now = Date.now();
  if (rules.length === 0 || lists.length === 0) return [];
  const times = [...new Set([...lists.map(({ from }) => from), now - dayMs])]
    .filter((time) => time >= lists[0]!.from && time < now)
    .toSorted((a, b) => a - b);
  const hits = rules.map((_, place) => ({ place, day: 0, week: 0 }));
  for (const { stretch, entry, requests } of await count([...times, now])) {
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

interface RuleSource {
  /** The table of versions, and which of them. */
  revisions: SQL;
  /** The column that holds sections. */
  rules: SQL;
}

/** What the rules were, from the start on. */
async function readLists(db: Db, { revisions, rules }: RuleSource, start: number): Promise<RuleList[]> {
  const ofThem = sql`${rules} -> 'matcher_rule' -> 'rules'`;
  const rows = await rowsOf<{ from: string; rules: MatcherRule[] | null }>(
    db,
    sql`SELECT "from", rules FROM (
          SELECT version, created_at AS "from", ${ofThem} AS rules,
            lag(${ofThem}) OVER (ORDER BY version) AS before, row_number() OVER (ORDER BY version) AS n
          FROM ${revisions} AND version >= coalesce(
            (SELECT max(version) FROM ${revisions} AND created_at <= ${new Date(start).toISOString()}::timestamptz), 0)
        ) each WHERE n = 1 OR rules IS DISTINCT FROM before ORDER BY version DESC LIMIT ${changesMax}`,
  );
  return rows
    .toReversed()
    .map(({ from, rules: each }) => ({ from: Math.max(start, new Date(from).getTime()), rules: each ?? [] }));
}
