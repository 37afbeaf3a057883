import type { UrlRewriteRule } from '@breakwater/contract/site-config/content-rewrite';
import { prepareCondition, type PreparedCondition } from '../conditions/condition.ts';
import { splitTarget } from '../http/path.ts';
import { readPath } from '../http/request-path.ts';
import { withQuery } from './redirect.ts';
import { joinPath, matchPath, preparePath, type FindRegex, type PathMatcher } from './match.ts';
import {
  fillAddress,
  isPersonalTemplate,
  parseTemplate,
  type RewriteRequest,
  type TemplatePart,
} from './template.ts';

/** An enabled rule made ready; `index` is its place among all of the site, from 0. */
export interface PreparedUrlRewrite {
  index: number;
  rule: UrlRewriteRule;
  path: PathMatcher;
  to: TemplatePart[];
  isPersonal: boolean;
  condition?: PreparedCondition;
}

export interface RewrittenUrl {
  target: string;
  /** The rules that changed it, in their order. */
  indexes: number[];
}

const targetBytesMax = 8000;

export function prepareUrlRewrites(rules: UrlRewriteRule[]): PreparedUrlRewrite[] {
  const prepared: PreparedUrlRewrite[] = [];
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    if (!rule.enabled) continue;
    const to = parseTemplate(rule.to);
    const path = preparePath(rule.type, rule.from, rule.case_insensitive);
    const ready: PreparedUrlRewrite = { index, rule, path, to, isPersonal: isPersonalTemplate(to) };
    if (rule.condition !== undefined) ready.condition = prepareCondition(rule.condition);
    prepared.push(ready);
  }
  return prepared;
}

/** What the origin is asked for, and the cache is asked with. `holds`: whether a rule's own condition is met. */
export function rewriteUrl(
  rewrites: PreparedUrlRewrite[],
  request: RewriteRequest,
  holds: (rewrite: PreparedUrlRewrite) => boolean,
  find: FindRegex,
): RewrittenUrl {
  const indexes: number[] = [];
  let target = request.target;
  for (const rewrite of rewrites) {
    const { path, query } = splitTarget(target);
    const match = matchPath(rewrite.path, readPath(path), find);
    if (match === undefined || !holds(rewrite)) continue;
    const { rule } = rewrite;
    let next = fillAddress(rewrite.to, { ...request, target }, match.groups);
    if (rule.type === 'prefix') next = joinPath(next, path, match.rest);
    while (next.startsWith('//')) next = next.substring(1);
    if (rule.keep_query && query !== undefined) next = withQuery(next, query);
    if (next.length > targetBytesMax) continue;
    target = next;
    indexes.push(rewrite.index);
    if (rule.flow === 'break') break;
  }
  return { target, indexes };
}
