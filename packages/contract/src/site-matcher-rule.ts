import * as z from 'zod';
import { id, idParams, integerMax } from './common.ts';
import { defineRoutes } from './define.ts';
import { matcherRule, matcherRulesMax, siteMatcherRule } from './site-config/matcher-rule.ts';

/**
 * The custom rules of one site, rule by rule. A rule is known by its number, as logs name it (`matcher_rule 2`); every change names
 * the site's version, and is a version of the site as a change of the whole section is.
 */

const version = z.int().min(1).max(integerMax);
const saved = z.strictObject({ version, task_id: id.nullable() });
const number = z.int().min(1).max(matcherRulesMax);
const write = { kind: 'both', permission: 'site.write' } as const;
const path = '/prod-api/site/{id}/waf_config/matcher_rule';

export const siteMatcherRuleRoutes = defineRoutes({
  getMatcherRuleInfo: {
    method: 'GET',
    path: `${path}/info`,
    summary: 'Get one custom rule of a site by its number, with the version that changes have to name.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: z.strictObject({ number: z.coerce.number().pipe(number) }),
    response: z.strictObject({ version, number, rule: matcherRule }),
  },
  sortMatcherRules: {
    method: 'PUT',
    path: `${path}/sort`,
    summary:
      'Put the custom rules of a site in another order. Send the number of every rule, in the new order.',
    access: write,
    params: idParams,
    body: z.strictObject({ version, order: z.array(number).max(matcherRulesMax) }),
    response: saved,
  },
  importMatcherRules: {
    method: 'POST',
    path: `${path}/import`,
    summary:
      'Add rules to the custom rules of a site, or replace all of them: given as JSON, or those of a template.',
    access: write,
    params: idParams,
    /** Either rules or a template. */
    body: z.strictObject({
      version,
      rules: z.array(siteMatcherRule).min(1).max(matcherRulesMax).optional(),
      template_id: id.optional(),
      /** `false`: they are added after those that are there. */
      replace: z.boolean().default(false),
    }),
    bodyBytesMax: 2 * 1024 * 1024,
    response: saved,
  },
});
