import {
  nodeWafMatcherRoutes,
  wafClasses,
  type MatcherRule,
  type MatcherRuleSection,
} from '@breakwater/contract';
import { and, count, eq } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { wafMatcher } from '../../db/schema.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { implement } from '../../plugins/implement.ts';
import type { AdminSession } from '../../plugins/session.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { changePlatformRules, readPlatformRules } from '../site-level/site-level.service.ts';

export const nodeWafMatcherModule = implement(nodeWafMatcherRoutes, {
  listNodeWafMatchers: async ({ services, query: { name, action, ...page } }) => {
    const { version, rules } = await readPlatformRules(services.db);
    const found = rules
      .map((rule, index) => ({ ...rule, id: index + 1 }))
      .filter((rule) => rule.note.includes(name ?? '') && (action === undefined || rule.action === action));
    const { limit, offset } = pageOf(page);
    return { ...listPage(page, found.slice(offset, offset + limit), found.length), version };
  },
  getNodeWafClasses: async ({ services, scope }) => ({ list: await countClasses(services.db, scope) }),
  getNodeWafMatcherSetting: async ({ services }) => {
    const { version, rules } = await readPlatformRules(services.db);
    return { version, value: { rules } };
  },
  updateNodeWafMatcherSetting: ({ services, session, body: { version, value } }) =>
    change(services, session, version, () => value.rules),
  applyNodeWafMatchers: ({ services, session, scope, body: { version, template_id: template } }) =>
    change(services, session, version, async (rules, tx) => [
      ...rules,
      ...(await rulesOfTemplate(tx, scope, template)),
    ]),
  getNodeWafMatcher: async ({ services, params: { id } }) => {
    const rule = (await readPlatformRules(services.db)).rules[id - 1];
    if (!rule) throw notFound();
    return { ...rule, id };
  },
  createNodeWafMatcher: ({ services, session, body: { version, rule } }) =>
    change(services, session, version, (rules) => [...rules, rule]),
  updateNodeWafMatcher: ({ services, session, params: { id }, body: { version, rule } }) =>
    change(services, session, version, (rules) => replaced(rules, id, [rule])),
  removeNodeWafMatcher: ({ services, session, params: { id }, query: { version } }) =>
    change(services, session, version, (rules) => replaced(rules, id, [])),
});

type Rules = MatcherRuleSection['rules'];

const change = (
  services: Services,
  session: AdminSession,
  version: number,
  after: (rules: Rules, tx: Transaction) => Rules | Promise<Rules>,
) => changePlatformRules(services, session, version, after);

function replaced(rules: Rules, id: number, by: MatcherRule[]): Rules {
  if (rules[id - 1] === undefined) throw notFound();
  return rules.toSpliced(id - 1, 1, ...by);
}

async function rulesOfTemplate(tx: Transaction, scope: Scope, id: number): Promise<MatcherRule[]> {
  const [row] = await tx
    .select({ rules: wafMatcher.rules })
    .from(wafMatcher)
    .where(and(owned(wafMatcher, scope), eq(wafMatcher.id, id)));
  if (!row) throw notFound();
  return row.rules;
}

async function countClasses(db: Db, scope: Scope) {
  const rows = await db
    .select({ kind: wafMatcher.classType, templates: count() })
    .from(wafMatcher)
    .where(owned(wafMatcher, scope))
    .groupBy(wafMatcher.classType);
  return wafClasses.map((kind) => ({
    class_type: kind,
    templates: rows.find((row) => row.kind === kind)?.templates ?? 0,
  }));
}
