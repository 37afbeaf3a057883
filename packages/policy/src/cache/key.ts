import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { splitTarget } from '../http/path.ts';
import { queryForKey } from './query-key.ts';

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

/** Deeper ones are not told apart: each costs a look at every request below it. */
const foldersMax = 32;

/** The folders that a path lies in, from `/` on, as the path was written. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  let slash = path.indexOf('/');
  while (slash >= 0 && folders.length < foldersMax) {
    folders.push(path.substring(0, slash + 1));
    slash = path.indexOf('/', slash + 1);
  }
  return folders;
}
