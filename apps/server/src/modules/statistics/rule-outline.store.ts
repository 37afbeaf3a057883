import {
  accessRule,
  guardRule,
  matcherRule,
  outlineTextMax,
  outlineValuesMax,
  type RuledSection,
} from '@breakwater/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { addressList } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

/** What a rule does, shortened to what a line tells of it. Nothing of what no schema knows any more. */
export function outlineOf(section: RuledSection, rule: unknown) {
  // A rule can have thousands of values, and a page of lines many rules.
  const begun = withBegunLists(rule);
  if (section === 'access_control') return withBegunTexts(accessRule.safeParse(begun).data);
  if (section === 'cc_guardian_rule') return withBegunTexts(guardOutline(begun));
  const { data } = matcherRule.safeParse(begun);
  return (
    data && withBegunTexts({ action: data.action, ...(data.condition && { condition: data.condition }) })
  );
}

function guardOutline(rule: unknown) {
  const { data } = guardRule.safeParse(rule);
  if (data === undefined) return undefined;
  const { condition, count, key, requests, period_seconds, action, challenge, hold_seconds } = data;
  return {
    count,
    key,
    requests,
    period_seconds,
    action,
    challenge,
    hold_seconds,
    ...(condition && { condition }),
  };
}

/** Of lists the first few. */
function withBegunLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, outlineValuesMax).map(withBegunLists);
  return typeof value === 'object' && value !== null ? eachField(value, withBegunLists) : value;
}

/** Of texts the beginning. */
function withBegunTexts<Value>(value: Value): Value {
  const begun = (each: unknown): unknown => {
    if (typeof each === 'string' && each.length > outlineTextMax) return `${each.slice(0, outlineTextMax)}…`;
    if (Array.isArray(each)) return each.map(begun);
    return typeof each === 'object' && each !== null ? eachField(each, begun) : each;
  };
  return begun(value) as Value;
}

const eachField = (value: object, change: (field: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]));

/** Names of lists by their ids, of those that are the caller's to know; null of those that are deleted. */
export async function listNames(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<Map<number, string | null>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  // Whether a list is there is told of any of them, its name only to those whose it is.
  const rows = await db
    .select({
      id: addressList.id,
      name: sql<
        string | null
      >`CASE WHEN ${owned(addressList, scope) ?? sql`true`} THEN ${addressList.name} END`,
    })
    .from(addressList)
    .where(inArray(addressList.id, wanted));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    wanted.flatMap((id): [number, string | null][] => {
      const name = names.get(id);
      return name === null ? [] : [[id, name ?? null]];
    }),
  );
}
