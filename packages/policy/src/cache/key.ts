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
