import {
  accessRule,
  matcherRule,
  outlineValuesMax,
  type AskedSection,
  type ConditionGroup,
} from '@breakwater/contract';
import { inArray } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { addressList } from '../../db/schema.ts';

/** What a rule does, shortened to what a line tells of it. Nothing of what no schema knows any more. */
export function outlineOf(section: AskedSection, rule: unknown) {
  if (section === 'access_control') {
    const { data } = accessRule.safeParse(rule);
    return data && begun(data);
  }
  const { data } = matcherRule.safeParse(rule);
  return data && begun({ action: data.action, ...(data.condition && { condition: data.condition }) });
}

/** Each list of it with its first values. */
function begun<Rule extends { condition?: ConditionGroup | undefined }>(rule: Rule): Rule {
  const fields = Object.entries(rule).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, outlineValuesMax) : value,
  ]);
  const short = Object.fromEntries(fields) as Rule;
  return rule.condition === undefined ? short : { ...short, condition: begunGroup(rule.condition) };
}

function begunGroup<Group extends ConditionGroup>(group: Group): Group {
  const items = group.items.map((item) =>
    'items' in item ? begunGroup(item) : { ...item, values: item.values.slice(0, outlineValuesMax) },
  );
  return { ...group, items };
}

/** Names of lists by their ids. */
export async function listNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: addressList.id, name: addressList.name })
    .from(addressList)
    .where(inArray(addressList.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
