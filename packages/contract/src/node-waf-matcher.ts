import * as z from 'zod';
import { id, idParams, integerMax, listOf, listQuery, optionalText } from './common.ts';
import { defineRoutes } from './define.ts';
import { matcherActions, matcherRule, matcherRuleSection } from './site-config/matcher-rule.ts';
import { wafClasses } from './waf-templates.ts';

/**
 * Matcher rules of the platform, which are asked before those of every site: the section `matcher_rule` of the platform's level, rule
 * by rule. A rule is known by its number, as logs name it (`matcher_rule global 2`); every change names the level's version.
 */

/** 0 before anything was set. */
const version = z.int().min(0).max(integerMax);
const saved = z.strictObject({ version, task_id: id.nullable() });
/** From 1, in the order in which they are asked. */
const numbered = matcherRule.safeExtend({ id });
const read = { kind: 'admin', permission: 'site_level.read' } as const;
const write = { kind: 'admin', permission: 'site_level.write' } as const;

export const nodeWafMatcherRoutes = defineRoutes({
  listNodeWafMatchers: {
    method: 'GET',
    path: '/prod-api/node_waf_matcher',
    summary: 'List the global rules in their order, with the version that changes have to name.',
    access: read,
    query: listQuery({ name: optionalText, action: z.enum(matcherActions).optional() }),
    response: listOf(numbered).extend({ version }),
  },
  getNodeWafClasses: {
    method: 'GET',
    path: '/prod-api/node_waf_matcher/class_type',
    summary: 'List the kinds of software that rule templates are for, with the number of templates of each.',
    access: read,
    response: z.strictObject({
      list: z.array(z.strictObject({ class_type: z.enum(wafClasses), templates: z.int() })),
    }),
  },
  getNodeWafMatcherSetting: {
    method: 'GET',
    path: '/prod-api/node_waf_matcher/setting',
    summary: 'Get all global rules at once.',
    access: read,
    response: z.strictObject({ version, value: matcherRuleSection }),
  },
  updateNodeWafMatcherSetting: {
    method: 'PUT',
    path: '/prod-api/node_waf_matcher/setting',
    summary: 'Set all global rules at once, in the order given.',
    access: write,
    body: z.strictObject({ version, value: matcherRuleSection }),
    bodyBytesMax: 2 * 1024 * 1024,
    response: saved,
  },
  applyNodeWafMatchers: {
    method: 'POST',
    path: '/prod-api/node_waf_matcher/apply',
    summary: 'Append the rules of a template to the global rules and deploy them to all nodes.',
    access: write,
    body: z.strictObject({ version, template_id: id }),
    response: saved,
  },
  getNodeWafMatcher: {
    method: 'GET',
    path: '/prod-api/node_waf_matcher/{id}',
    summary: 'Get a global rule by its number.',
    access: read,
    params: idParams,
    response: numbered,
  },
  createNodeWafMatcher: {
    method: 'POST',
    path: '/prod-api/node_waf_matcher',
    summary: 'Append a global rule.',
    access: write,
    body: z.strictObject({ version, rule: matcherRule }),
    response: saved,
  },
  updateNodeWafMatcher: {
    method: 'PUT',
    path: '/prod-api/node_waf_matcher/{id}',
    summary: 'Change a global rule.',
    access: write,
    params: idParams,
    body: z.strictObject({ version, rule: matcherRule }),
    response: saved,
  },
  removeNodeWafMatcher: {
    method: 'DELETE',
    path: '/prod-api/node_waf_matcher/{id}',
    summary: 'Delete a global rule.',
    access: write,
    params: idParams,
    query: z.strictObject({ version: z.coerce.number().pipe(version) }),
    response: saved,
  },
});
