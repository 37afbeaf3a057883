import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';

/** How often was asked for what is stored only when enough ask for it. What is pushed out of this memory counts anew. */
const uses = ngx.shared.edge_uses;
const daySeconds = 86_400;

/** Whether a rule stores only what is asked for more than once. */
export const isCounted = ({ min_uses: wanted }: EdgeCacheRule): boolean => wanted !== undefined && wanted > 1;

/** Counts this request; false: not yet often enough. */
export function isAdmitted({ min_uses: wanted }: EdgeCacheRule, key: string): boolean {
  const count = uses.incr(ngx.md5_bin(key), 1, 0, daySeconds) ?? 1;
  return count >= wanted!;
}
