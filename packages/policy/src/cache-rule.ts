import type { CacheRule } from '@breakwater/contract/site-config/cache-rule';
import { extensionOf } from './path.ts';

/** Regular expressions are matched by whoever calls: PCRE in nginx, `RegExp` elsewhere, both on byte strings. */
export type MatchRegex = (subject: string, pattern: string) => boolean;

/** An enabled rule made ready for matching; `index` is its place among all rules of the site, from 0. */
export interface PreparedRule {
  index: number;
  rule: CacheRule;
  /** suffix and full_path: the contents as a set. */
  exact: Record<string, boolean>;
  /** folder: with the closing slash. regex: the patterns. */
  list: string[];
}

export function prepareCacheRules(rules: CacheRule[]): PreparedRule[] {
  const prepared: PreparedRule[] = [];
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    if (!rule.enabled) continue;
    const exact: Record<string, boolean> = {};
    const list: string[] = [];
    for (const item of rule.content) {
      if (rule.type === 'suffix') exact[item.toLowerCase()] = true;
      else if (rule.type === 'full_path') exact[item] = true;
      else if (rule.type === 'folder' && !item.endsWith('/')) list.push(item + '/');
      else list.push(item);
    }
    prepared.push({ index, rule, exact, list });
  }
  return prepared;
}

/** The first rule that matches a normalised path; none: the site follows its origin. */
export function matchCacheRule(
  prepared: PreparedRule[],
  path: string,
  matchRegex: MatchRegex,
): PreparedRule | undefined {
  const extension = extensionOf(path);
  for (const candidate of prepared) {
    if (matches(candidate, path, extension, matchRegex)) return candidate;
  }
  return undefined;
}

function matches(candidate: PreparedRule, path: string, extension: string, matchRegex: MatchRegex): boolean {
  const type = candidate.rule.type;
  if (type === 'all') return true;
  if (type === 'suffix') return candidate.exact[extension] === true;
  if (type === 'full_path') return candidate.exact[path] === true;
  for (const item of candidate.list) {
    if (type === 'folder' ? path.startsWith(item) : matchRegex(path, item)) return true;
  }
  return false;
}
