import {
  listsOfRule,
  namedInNotes,
  ruleOfDecision,
  type RuledSection,
  type RuleRef,
} from '@breakwater/contract';
import { isSame } from '@breakwater/contract/list-items';
import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { Scope } from '../../scope.ts';
import { listNames, outlineOf } from './rule-outline.store.ts';

/** What decided, of which site. Without a time: the rules as they are now. */
export interface Decided {
  site_id: number;
  decision: string;
  at?: string;
}

/** Rules of one section of one site and time, which are read together. */
interface Asked {
  key: number;
  site_id: number;
  section: RuledSection;
  level: RuleRef['level'];
  places: number[];
  at: string | null;
}

interface FoundRules {
  key: number;
  level: RuleRef['level'];
  target_id: number;
  /** Of each place the rule that stood there. */
  was: ({ note?: string } | null)[];
  now: unknown[] | null;
}

/**
 * For each decision the rule that it names, as the configuration of its time had it: the second rule of last week may be another
 * one today. One without a name is told by what it did. Sites are those of the caller; rows are theirs already, and of address lists only
 * those that are theirs are named.
 */
export async function ruleRefs(
  db: Db,
  scope: Scope,
  decided: readonly Decided[],
): Promise<(RuleRef | null)[]> {
  const refs: (RuleRef | null)[] = decided.map(() => null);
  const asked = new Map<string, Asked & { decisions: number[] }>();
  for (const [index, { site_id, decision, at = null }] of decided.entries()) {
    const rule = site_id > 0 ? ruleOfDecision(decision) : undefined;
    if (rule === undefined) continue;
    const { section, level, place } = rule;
    const name = `${site_id} ${section} ${level} ${at}`;
    const known = asked.get(name);
    if (known) {
      known.places.push(place);
      known.decisions.push(index);
    } else
      asked.set(name, { key: asked.size, site_id, section, level, at, places: [place], decisions: [index] });
  }
  if (asked.size === 0) return refs;
  const all = [...asked.values()];
  const found = (await readRules(db, all)).flatMap(({ key, level, target_id, was, now }) => {
    const { section, places, decisions } = all[key]!;
    return was.flatMap((rule, index) => {
      if (rule === null) return [];
      const name = rule.note ?? '';
      const place = placeNow(rule, places[index]!, now ?? []);
      const outline = name === '' ? outlineOf(section, rule) : undefined;
      return [{ decision: decisions[index]!, ref: { section, name, place, level, target_id }, outline }];
    });
  });
  const names = await listNames(
    db,
    scope,
    found.flatMap(({ outline }) => (outline ? listsOfRule(outline) : [])),
  );
  for (const { decision, ref, outline } of found) {
    const lists = outline ? new Set(listsOfRule(outline)) : [];
    const known = [...lists].flatMap((id) => {
      const called = names.get(id);
      return called === undefined ? [] : { id, name: called };
    });
    refs[decision] = { ...ref, ...(outline && { outline: { rule: outline, lists: known } }) };
  }
  return refs;
}

interface JudgedLine {
  site_id: number;
  time: string;
  decision: string;
  waf: string;
}

/** Of each line of the log the rule that decided, and those that its notes name. */
export async function ruleRefsOfLines(
  db: Db,
  scope: Scope,
  lines: readonly JudgedLine[],
): Promise<{ rule: RuleRef | null; waf_rules: (RuleRef | null)[] }[]> {
  const decided = lines.map(({ site_id, time, decision, waf }) =>
    [decision, ...namedInNotes(waf)].map((each) => ({ site_id, decision: each, at: time })),
  );
  const refs = await ruleRefs(db, scope, decided.flat());
  let next = 0;
  return decided.map(({ length }) => {
    const [rule = null, ...waf_rules] = refs.slice(next, (next += length));
    return { rule, waf_rules };
  });
}

/** Where a rule stands now: in its place if it is the same, else wherever it was moved. */
function placeNow(rule: unknown, place: number, now: readonly unknown[]): number | null {
  const found = isSame(rule, now[place]) ? place : now.findIndex((each) => isSame(rule, each));
  return found < 0 ? null : found;
}

// Of `asked`: a revision has a section of its own, that which it changed.
const rulesIn = sql.raw(`-> asked.section -> 'rules'`);
const atPlaces = sql.raw(
  `(SELECT jsonb_agg(past.rules -> place ORDER BY number) FROM unnest(places) WITH ORDINALITY AS p(place, number))`,
);

function readRules(db: Db, asked: readonly Asked[]): Promise<FoundRules[]> {
  return rowsOf<FoundRules>(
    db,
    sql`WITH asked AS (
          SELECT a.*, coalesce(at, 'infinity') AS until, s.config, s.client_id, o.product_id
          FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
            AS a(key int, site_id int, section text, level text, places int[], at timestamptz)
          JOIN site s ON s.id = a.site_id JOIN "order" o ON o.id = s.order_id)
        SELECT key, level, site_id AS target_id, ${atPlaces} AS was, config ${rulesIn} AS now
        FROM asked CROSS JOIN LATERAL (
          SELECT r.snapshot ${rulesIn} AS rules FROM site_revision r
          WHERE r.site_id = asked.site_id AND r.created_at <= until ORDER BY version DESC LIMIT 1) past
        WHERE level = 'site' AND section <> 'cc_guardian_rule' AND past.rules IS NOT NULL
        UNION ALL
        SELECT key, asked.level, l.target_id, ${atPlaces}, l."values" ${rulesIn}
        FROM asked JOIN site_level l ON l.level = asked.level
          AND l.target_id = CASE asked.level WHEN 'client' THEN client_id WHEN 'product' THEN product_id ELSE 0 END
        CROSS JOIN LATERAL (
          SELECT r."values" ${rulesIn} AS rules FROM site_level_revision r
          WHERE r.level_id = l.id AND r.created_at <= until ORDER BY version DESC LIMIT 1) past
        WHERE past.rules IS NOT NULL
        UNION ALL
        SELECT key, past.level, past.target_id, ${atPlaces}, past.now
        FROM asked CROSS JOIN LATERAL (
          SELECT * FROM (
            SELECT 0 AS distance, 'site' AS level, site_id AS target_id, config ${rulesIn} AS now, (
              SELECT r.snapshot ${rulesIn} FROM site_revision r
              WHERE r.site_id = asked.site_id AND r.created_at <= until ORDER BY version DESC LIMIT 1) AS rules
            UNION ALL
            SELECT CASE l.level WHEN 'client' THEN 1 WHEN 'product' THEN 2 ELSE 3 END, l.level, l.target_id, l."values" ${rulesIn}, (
              SELECT r."values" ${rulesIn} FROM site_level_revision r
              WHERE r.level_id = l.id AND r.created_at <= until ORDER BY version DESC LIMIT 1)
            FROM site_level l
            WHERE l.target_id = CASE l.level WHEN 'client' THEN client_id WHEN 'product' THEN product_id ELSE 0 END) layer
          WHERE jsonb_typeof(rules) = 'array' ORDER BY distance LIMIT 1) past
        WHERE section = 'cc_guardian_rule'`,
  );
}
