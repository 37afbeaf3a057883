import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { suitsSuffix } from '../http/content-type.ts';
import { extensionOf } from '../http/path.ts';

/** What a rule says of an answer, once it is there. */

/** The lifetime that it forces on a status, if any. */
export function ruleLifetime(rule: EdgeCacheRule, status: number, isForced: boolean): number | undefined {
  if (rule.action !== 'cache') return undefined;
  for (const each of rule.ttl_by_status ?? [])
    for (const wanted of each.statuses) if (wanted === status) return each.ttl_seconds;
  return isForced ? rule.ttl_seconds : undefined;
}

/** Whether an answer is too small or too large for it; of one whose size is not stated nobody knows. */
export function isOfOtherSize(rule: EdgeCacheRule, length: number | undefined): boolean {
  const { min_size_bytes: min, max_size_bytes: max } = rule;
  if (min === undefined && max === undefined) return false;
  if (length === undefined) return true;
  return (min !== undefined && length < min) || (max !== undefined && length > max);
}

/** Whether an answer is no file of the kind that a rule for suffixes is about: the rule then says nothing of it. */
export function isNoSuchFile(
  rule: EdgeCacheRule,
  path: string | undefined,
  contentType: string | undefined,
): boolean {
  if (rule.type !== 'suffix' || rule.match_content_type === false || path === undefined) return false;
  return !suitsSuffix(extensionOf(path), contentType);
}
