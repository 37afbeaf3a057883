import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { percentDecode, splitTarget } from './path.ts';

interface Argument {
  name: string;
  text: string;
}

/**
 * What of a query tells cached answers apart. `all` keeps it byte for byte; `sorted`, `include` and `exclude` keep the named
 * or the other arguments (`sorted`: all), ordered by name, so that the order a visitor wrote them in does not matter. Arguments
 * of one name keep their order, since many origins read them as a list.
 */
function queryForKey(rule: EdgeCacheRule | undefined, query: string | undefined): string | undefined {
  if (rule === undefined || rule.query_policy === 'all' || query === undefined) return query;
  if (rule.query_policy === 'none') return undefined;
  const policy = rule.query_policy;
  const kept: Argument[] = [];
  for (const text of query.split('&')) {
    const equals = text.indexOf('=');
    const name = percentDecode(equals < 0 ? text : text.substring(0, equals));
    const isKept = policy === 'sorted' || isNamed(rule.query_names, name) === (policy === 'include');
    if (text !== '' && isKept) kept.push({ name, text });
  }
  if (kept.length === 0) return undefined;
  const texts: string[] = [];
  for (const argument of sortedByName(kept)) texts.push(argument.text);
  return texts.join('&');
}

/** A merge sort, for it is stable in both languages and no long query makes it quadratic. */
function sortedByName(list: Argument[]): Argument[] {
  if (list.length < 2) return list;
  const middle = Math.floor(list.length / 2);
  const left: Argument[] = [];
  const right: Argument[] = [];
  for (let index = 0; index < list.length; index++) (index < middle ? left : right).push(list[index]!);
  const a = sortedByName(left);
  const b = sortedByName(right);
  const merged: Argument[] = [];
  let j = 0;
  for (const item of a) {
    while (j < b.length && b[j]!.name < item.name) merged.push(b[j++]!);
    merged.push(item);
  }
  while (j < b.length) merged.push(b[j++]!);
  return merged;
}

function isNamed(names: string[], name: string): boolean {
  for (const candidate of names) if (candidate === name) return true;
  return false;
}

/**
 * The key of a cached answer. It carries the scheme, because an origin may send one scheme to the other, and the path
 * as it was written, because that is what the origin was asked.
 */
export function cacheKey(
  siteKey: string,
  scheme: string,
  host: string,
  target: string,
  rule: EdgeCacheRule | undefined,
): string {
  const { path, query } = splitTarget(target);
  const kept = queryForKey(rule, query);
  return `${siteKey} ${scheme}://${host}${path}${kept === undefined ? '' : '?' + kept}`;
}
