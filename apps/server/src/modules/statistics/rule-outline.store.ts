import {
  accessRule,
  matcherRule,
  outlineTextMax,
  outlineValuesMax,
  type AskedSection,
} from '@breakwater/contract';
import { and, inArray } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { addressList } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

/** What a rule does, shortened to what a line tells of it. Nothing of what no schema knows any more. */
export function outlineOf(section: AskedSection, rule: unknown) {
  // A rule can have thousands of values, and a page of lines many rules.
  const begun = withBegunLists(rule);
  if (section === 'access_control') return withBegunTexts(accessRule.safeParse(begun).data);
  const { data } = matcherRule.safeParse(begun);
  return (
    data && withBegunTexts({ action: data.action, ...(data.condition && { condition: data.condition }) })
  );
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

/** Names of lists by their ids, of those that are the caller's to know. */
export async function listNames(db: Db, scope: Scope, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: addressList.id, name: addressList.name })
    .from(addressList)
    .where(and(owned(addressList, scope), inArray(addressList.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
