import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';

/** How often was asked for what is stored only when enough ask for it. What is pushed out of this memory counts anew. */
const uses = ngx.shared.edge_uses;
const daySeconds = 86_400;

/** Counts this request; false: not yet often enough. */
export function isAdmitted(rule: EdgeCacheRule | undefined, key: string): boolean {
  const wanted = rule?.min_uses ?? 1;
  if (wanted <= 1) return true;
  const count = uses.incr(ngx.md5_bin(key), 1, 0, daySeconds) ?? 1;
  return count >= wanted;
}
