import type { StorageDecision } from '@breakwater/policy/cache/storage';
import { field } from './answer.ts';

/**
 * Tells the cache the lifetime. How long an answer may be stale it takes from `Cache-Control` only, and reads more there
 * than is right: then it gets one of ours, and the origin's own beside it, which the front puts back. True: so it was.
 */
export function instructCache(storage: StorageDecision): boolean {
  const { ttl, staleWhileRevalidate, staleIfError } = storage;
  const header = ngx.header;
  // What is asked for each time is too old from the beginning.
  header['X-Accel-Expires'] = ttl === 0 ? '@1' : ttl;
  if (!isReplaced(storage)) return false;
  header['X-Breakwater-Cache-Control'] = field('Cache-Control');
  if (ttl === 0) {
    header['Cache-Control'] = undefined;
    return true;
  }
  let text = `max-age=${ttl}`;
  if (staleWhileRevalidate !== undefined) text = `${text}, stale-while-revalidate=${staleWhileRevalidate}`;
  if (staleIfError !== undefined) text = `${text}, stale-if-error=${staleIfError}`;
  // Whichever of the two came first, the cache would not look at the second.
  header['X-Accel-Expires'] = undefined;
  header['Cache-Control'] = text;
  return true;
}

export function isReplaced({ staleWhileRevalidate, staleIfError }: StorageDecision): boolean {
  const own = field('Cache-Control');
  const isStale = staleWhileRevalidate !== undefined || staleIfError !== undefined;
  return isStale || (own !== undefined && !isPlain(own));
}

/** Directives that keep the cache from nothing; the lifetime is overruled. */
const plainDirectives: Record<string, boolean> = {
  public: true,
  immutable: true,
  'no-transform': true,
  'must-revalidate': true,
  'proxy-revalidate': true,
};

function isPlain(cacheControl: string): boolean {
  for (const item of cacheControl.split(',')) {
    const [name] = string.match(item, '^%s*([%a-]+)%s*$');
    const [lifetime] = string.match(item, '^%s*s?%-?max%-?age=[1-9]%d?%d?%d?%d?%d?%d?%d?%d?%s*$');
    if (lifetime === undefined && (name === undefined || plainDirectives[name] !== true)) return false;
  }
  return true;
}
