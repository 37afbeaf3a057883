import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { prepareCondition, type PreparedCondition } from '../conditions/condition.ts';
import { extensionOf } from '../http/path.ts';
import type { RequestPath } from '../http/request-path.ts';
import { lowerAscii } from '../lib/text.ts';

/** Regular expressions are matched by whoever calls: PCRE in nginx, `RegExp` elsewhere, both on byte strings. */
export type MatchRegex = (subject: string, pattern: string, insensitive: boolean) => boolean;

/** An enabled rule made ready for matching; `index` is its place among all rules of the site, from 0. */
export interface PreparedRule {
  index: number;
  rule: EdgeCacheRule;
  /** Whether it says more of a request than whether and by which arguments it is cached. */
  isSpecial: boolean;
  /** The request's own fields are part of the key, or lead around the cache. */
  keysRequest: boolean;
  /** Its requests may go through another place than most: in parts, or without a lock. */
  choosesPlace: boolean;
  /** Absent: it applies to every request. */
  condition: PreparedCondition | undefined;
  /** suffix and full_path: the contents as a set. */
  exact: Record<string, boolean>;
  /** folder: with the closing slash. regex: the patterns. */
  list: string[];
}

export function prepareCacheRules(rules: EdgeCacheRule[]): PreparedRule[] {
  const prepared: PreparedRule[] = [];
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    if (!rule.enabled) continue;
    const exact: Record<string, boolean> = {};
    const list: string[] = [];
    const isFolded = rule.case_insensitive === true && rule.type !== 'regex';
    for (const written of rule.content) {
      const item = isFolded ? lowerAscii(written) : written;
      if (rule.type === 'suffix') exact[item.toLowerCase()] = true;
      else if (rule.type === 'full_path') exact[item] = true;
      else if (rule.type === 'folder' && !item.endsWith('/')) list.push(item + '/');
      else list.push(item);
    }
    const condition = rule.condition === undefined ? undefined : prepareCondition(rule.condition);
    const flags = { keysRequest: keysRequest(rule), choosesPlace: choosesPlace(rule) };
    const isSpecial = flags.keysRequest || flags.choosesPlace || rule.browser_ttl_seconds !== undefined;
    prepared.push({ index, rule, isSpecial, ...flags, condition, exact, list });
  }
  return prepared;
}

function keysRequest(rule: EdgeCacheRule): boolean {
  return (
    isFilled(rule.key_headers) ||
    isFilled(rule.key_cookies) ||
    isFilled(rule.no_cache_cookies) ||
    rule.vary_device === true
  );
}

function choosesPlace(rule: EdgeCacheRule): boolean {
  return rule.lock === false || (rule.slice_bytes !== undefined && rule.slice_bytes > 0);
}

function isFilled(list: string[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** The first rule that a path comes under, whatever its condition; none: the site follows its origin. */
export function matchCacheRule(
  prepared: PreparedRule[],
  path: RequestPath,
  matchRegex: MatchRegex,
): PreparedRule | undefined {
  let isUnsure = path.isMarked;
  for (const candidate of prepared) {
    const extent = extentOf(candidate, path, matchRegex);
    if (extent === 'none') continue;
    if (mayDecide(candidate, extent, isUnsure)) return candidate;
    isUnsure = true;
  }
  return undefined;
}

/**
 * Where rules have conditions: those that a path comes under, in their order and up to the first that applies to every
 * request. The first whose condition suits decides.
 */
export function cacheRuleCandidates(
  prepared: PreparedRule[],
  path: RequestPath,
  matchRegex: MatchRegex,
): PreparedRule[] {
  let isUnsure = path.isMarked;
  const found: PreparedRule[] = [];
  for (const candidate of prepared) {
    const extent = extentOf(candidate, path, matchRegex);
    if (extent === 'none') continue;
    if (!mayDecide(candidate, extent, isUnsure)) {
      isUnsure = true;
      continue;
    }
    found.push(candidate);
    if (candidate.condition === undefined) break;
  }
  return found;
}

/**
 * What one reading of a path puts under a rule and another does not may be somebody's account in the guise of a picture. No
 * rule but one that leads around the cache has a say on such a path, nor on one with marks, from there on.
 */
function mayDecide({ rule }: PreparedRule, extent: Extent, isUnsure: boolean): boolean {
  return rule.action === 'bypass' || (extent === 'all' && !isUnsure);
}

/** Whether any rule is about any reading of a path, though none of them may have a say on it. */
export function isUnderRule(prepared: PreparedRule[], path: RequestPath, matchRegex: MatchRegex): boolean {
  for (const candidate of prepared) if (extentOf(candidate, path, matchRegex) !== 'none') return true;
  return false;
}

/** Of how many readings of a path a rule is about. */
type Extent = 'none' | 'some' | 'all';

function extentOf(candidate: PreparedRule, { plain, others }: RequestPath, matchRegex: MatchRegex): Extent {
  const first = matches(candidate, plain, matchRegex);
  for (const reading of others) if (matches(candidate, reading, matchRegex) !== first) return 'some';
  return first ? 'all' : 'none';
}

function matches(candidate: PreparedRule, path: string, matchRegex: MatchRegex): boolean {
  const type = candidate.rule.type;
  if (type === 'all') return true;
  if (type === 'suffix') return candidate.exact[extensionOf(path)] === true;
  const isFolded = candidate.rule.case_insensitive === true;
  const subject = isFolded && type !== 'regex' ? lowerAscii(path) : path;
  if (type === 'full_path') return candidate.exact[subject] === true;
  for (const item of candidate.list) {
    if (type === 'folder' ? subject.startsWith(item) : matchRegex(path, item, isFolded)) return true;
  }
  return false;
}
