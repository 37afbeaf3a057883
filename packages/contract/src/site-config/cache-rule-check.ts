import type * as z from 'zod';
import { patternProblem } from '../condition-check.ts';

/** What `checkCacheRule` looks at. */
interface CheckedRule {
  type: string;
  content: string[];
  case_insensitive: boolean;
  query_policy: string;
  query_names: string[];
  lock: boolean;
  slice_bytes: number;
  min_size_bytes?: number | undefined;
  max_size_bytes?: number | undefined;
}

/** What of a cache rule depends on several of its fields. */
export function checkCacheRule(rule: CheckedRule, issues: z.core.$ZodRawIssue[]): void {
  const add = (path: (string | number)[], message: string, input: unknown) =>
    issues.push({ code: 'custom', path, message, input });
  if (rule.type === 'all' ? rule.content.length > 0 : rule.content.length === 0)
    add(['content'], 'cache_rule_content', rule.content);
  rule.content.forEach((item, index) => {
    const message = contentProblem(rule.type, item, rule.case_insensitive);
    if (message !== undefined) add(['content', index], message, item);
  });
  const needsNames = rule.query_policy === 'include' || rule.query_policy === 'exclude';
  if (needsNames && rule.query_names.length === 0) add(['query_names'], 'required', rule.query_names);
  if (!rule.lock && rule.slice_bytes > 0) add(['slice_bytes'], 'slice_needs_lock', rule.slice_bytes);
  const { min_size_bytes: min, max_size_bytes: max } = rule;
  if (min !== undefined && max !== undefined && min > max) add(['max_size_bytes'], 'size_reversed', max);
}

function contentProblem(type: string, item: string, isFolded: boolean): string | undefined {
  if ((type === 'folder' || type === 'full_path') && !item.startsWith('/')) return 'path_absolute';
  if (type === 'suffix' && !/^[A-Za-z0-9_-]{1,20}$/.test(item)) return 'suffix_plain';
  if (type === 'regex') return patternProblem(item, isFolded);
  return undefined;
}
