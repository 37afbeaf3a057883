import { matcherRulesMax, siteMatcherRuleRoutes, type MatcherRule } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { wafMatcher } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import type { Session } from '../../plugins/session.ts';
import { owned, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readConfig } from './site-config.store.ts';
import { changeSite } from './site-write.ts';

export const siteMatcherRuleModule = implement(siteMatcherRuleRoutes, {
  getMatcherRuleInfo: async ({ services, scope, params, query: { number } }) => {
    const { version, config } = await readConfig(services.db, scope, params.id);
    const rule = config.matcher_rule.rules[number - 1];
    if (!rule) throw invalid('number', 'does_not_exist');
    return { version, number, rule };
  },
  sortMatcherRules: ({ services, session, scope, params, body: { version, order } }) =>
    change(services, { session, scope }, params.id, { version, path: 'order' }, (rules) => {
      // Each once: none is lost, and none is there twice.
      if (order.length !== rules.length || new Set(order).size !== rules.length)
        throw invalid('order', 'matcher_order');
      return order.map((number, place) => rules[number - 1] ?? refuse(`order.${place}`));
    }),
  importMatcherRules: async ({ services, session, scope, params, body }) => {
    const { version, rules: given, template_id: template, replace } = body;
    const added =
      given ?? (template === undefined ? [] : await rulesOfTemplate(services.db, scope, template));
    const path = given === undefined ? 'template_id' : 'rules';
    return change(services, { session, scope }, params.id, { version, path }, (rules) => {
      if ((given === undefined) === (template === undefined)) throw invalid('rules', 'matcher_import');
      const after = replace ? added : [...rules, ...added];
      if (after.length > matcherRulesMax) throw invalid(path, 'matcher_many');
      return after;
    });
  },
});

interface Author {
  session: Session;
  scope: Scope;
}

const refuse = (path: string): never => {
  throw invalid(path, 'matcher_order');
};

const change = (
  services: Services,
  author: Author,
  id: number,
  at: { version: number; path: string },
  after: (rules: MatcherRule[]) => MatcherRule[],
) =>
  changeSite(services, author, id, {
    ...at,
    section: 'matcher_rule',
    apply: (before) => ({ ...before, matcher_rule: { rules: after(before.matcher_rule.rules) } }),
  });

/** A template of the caller's own; of another's nothing is said. */
async function rulesOfTemplate(db: Db, scope: Scope, id: number): Promise<MatcherRule[]> {
  const [row] = await db
    .select({ rules: wafMatcher.rules })
    .from(wafMatcher)
    .where(and(owned(wafMatcher, scope), eq(wafMatcher.id, id)));
  if (!row) throw invalid('template_id', 'does_not_exist');
  return row.rules;
}
