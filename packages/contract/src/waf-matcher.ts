import * as z from 'zod';
import type { ConditionGroup } from './condition.ts';
import { description, name, optionalText } from './common.ts';
import { crudRoutes, ownedEntity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { matcherRule, siteMatcherRule } from './site-config/matcher-rule.ts';
import { wafClasses } from './waf-templates.ts';

/** Templates: matcher rules with a name, to be put into sites. A site that has them keeps them when the template changes. */

const wafClass = z.enum(wafClasses);

export const wafMatcherInput = z
  .strictObject({
    name,
    description: description.optional(),
    /** What software the rules are for. */
    class_type: wafClass.default('custom'),
    rules: z.array(siteMatcherRule).max(50).default([]),
  })
  .check((context) => {
    context.value.rules.forEach(({ condition, action }, index) => {
      // Lists are somebody's; rules of a template are for any site.
      if (action === 'list')
        context.issues.push({
          code: 'custom',
          path: ['rules', index, 'action'],
          message: 'waf_template_list',
          input: action,
        });
      if (condition !== undefined && namesList(condition))
        context.issues.push({
          code: 'custom',
          path: ['rules', index, 'condition'],
          message: 'waf_template_list',
          input: condition,
        });
    });
  });

const namesList = ({ items }: ConditionGroup): boolean =>
  items.some((item) => ('items' in item ? namesList(item) : item.field === 'address_list'));

export const wafMatcher = ownedEntity({
  name: z.string(),
  description: z.string(),
  class_type: wafClass,
  rules: z.array(matcherRule),
});
export type WafMatcher = z.infer<typeof wafMatcher>;

export const wafMatcherRoutes = defineRoutes({
  ...crudRoutes('WafMatcher', 'WafMatchers', {
    path: 'waf_matcher',
    owner: 'client',
    permission: 'waf_matcher',
    input: wafMatcherInput,
    item: wafMatcher,
    filters: { name: optionalText, class_type: wafClass.optional() },
    summaries: { list: 'List templates of custom rules by name.' },
  }),
});
