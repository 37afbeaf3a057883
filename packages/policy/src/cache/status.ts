/** What became of a request at the cache. */
export interface CacheOutcome {
  /** As nginx has it: `HIT`, `MISS`, `EXPIRED`, `STALE`, `UPDATING`, or `BYPASS`. */
  state: string;
  method: string;
  /** 0: the origin has not answered. */
  originStatus: number;
  isStored: boolean;
}

/** Why the origin was asked. Whether it was the variant alone that was missing is not known. */
const forwarded: Record<string, string> = { MISS: 'miss', EXPIRED: 'stale' };

/** This cache's member of `Cache-Status` (RFC 9211). */
export function cacheStatus({ state, method, originStatus, isStored }: CacheOutcome): string {
  if (state === 'HIT') return 'Breakwater; hit';
  if (state === 'STALE' || state === 'UPDATING') return 'Breakwater; hit; detail=stale';
  const isLookedUp = method === 'GET' || method === 'HEAD';
  const parts = ['Breakwater', `fwd=${forwarded[state] ?? (isLookedUp ? 'bypass' : 'method')}`];
  if (originStatus > 0) parts.push(`fwd-status=${originStatus}`);
  if (isStored) parts.push('stored');
  return parts.join('; ');
}
