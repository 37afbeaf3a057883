import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { cookieForKey, hasCookieNamed } from '../http/cookies.ts';
import { lowerAscii } from '../lib/text.ts';

/** Request fields by lower-case name; the lines of one name joined by line breaks, which no line can hold; of cookies by semicolons. */
export type RequestFields = Record<string, string | undefined>;

/**
 * What a rule adds to the cache key of a request; empty where it adds nothing. Each value stands behind its length, so
 * that no visitor can write one that reads as another's.
 */
export function cacheVariant(rule: EdgeCacheRule, fields: RequestFields): string {
  const parts: string[] = [];
  if (rule.vary_device === true) parts.push(isPhone(fields['user-agent'] ?? '') ? 'phone' : 'other');
  for (const name of rule.key_headers ?? []) parts.push(part(name, fields[name]));
  for (const name of rule.key_cookies ?? [])
    parts.push(`${name}${cookieForKey(fields.cookie ?? '', name) ?? '-'}`);
  return parts.join(' ');
}

/**
 * An absent value is none, which is not the empty one. Each line stands for itself, since origins differ in what they make of
 * several; without the line break, as the key goes to the fetch server in a field.
 */
function part(name: string, value: string | undefined): string {
  if (value === undefined) return `${name}-`;
  const lines = value.split('\n').map((line) => `${line.length}:${line}`);
  return `${name}=${lines.join('+')}`;
}

/** Phones say so in these words, and most of them in the first; tablets count as other devices. */
const phoneMarks = ['mobi', 'opera mini', 'blackberry', 'windows phone'];

function isPhone(userAgent: string): boolean {
  const text = lowerAscii(userAgent);
  for (const mark of phoneMarks) if (text.indexOf(mark) >= 0) return true;
  return false;
}

/** Whether a request goes around the cache for the cookies it carries. */
export function bypassesByCookie(rule: EdgeCacheRule, cookie: string | undefined): boolean {
  const names = rule.no_cache_cookies;
  return cookie !== undefined && names !== undefined && hasCookieNamed(cookie, names);
}

/**
 * The field for which a request goes around the cache, if any: the origin gets it as the visitor wrote it (`passed`), and the
 * rule does not keep answers apart by it.
 */
export function bypassingField(
  passed: readonly string[],
  rule: EdgeCacheRule | undefined,
  fields: RequestFields,
): string | undefined {
  for (const name of passed) {
    if (fields[name] === undefined) continue;
    let isKeyed = false;
    for (const keyed of rule?.key_headers ?? []) if (keyed === name) isKeyed = true;
    if (!isKeyed) return name;
  }
  return undefined;
}
