import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { parseDirectives } from '../http/cache-control.ts';
import { heldOf, holding, keep } from '../lib/holding.ts';

/**
 * The `Cache-Control` that a visitor gets in place of the origin's, or nothing where that stays. It says that the answer
 * may be kept for so long from now on: its age is added, since browsers count a stored answer's `Age` and `Date` too.
 * What the origin keeps from caches stays so, unless the rule says to ignore it.
 */
export function browserCacheControl(
  rule: EdgeCacheRule,
  status: number,
  age: number,
  cacheControl: string | undefined,
): string | undefined {
  const seconds = rule.browser_ttl_seconds;
  if (seconds === undefined || rule.action === 'bypass') return undefined;
  if (status !== 304 && status !== 206 && (status < 200 || status > 399)) return undefined;
  if (rule.ignore_cache_control !== true && cacheControl !== undefined && isKeptBack(cacheControl))
    return undefined;
  return seconds === 0 ? 'no-cache' : `max-age=${seconds + age}`;
}

/** Origins say the same again and again, and to read it takes longer than all else of a hit's header. */
const keptBack = holding<boolean>(1000);

function isKeptBack(cacheControl: string): boolean {
  return heldOf(keptBack, cacheControl) ?? readKeptBack(cacheControl);
}

function readKeptBack(cacheControl: string): boolean {
  const directives = parseDirectives(cacheControl);
  const isBack =
    directives['no-store'] !== undefined ||
    directives.private !== undefined ||
    directives['no-cache'] !== undefined;
  if (cacheControl.length <= 200) keep(keptBack, cacheControl, isBack);
  return isBack;
}
