/**
 * Why an answer of an origin is kept by the cache, or is not: one for each answer that came from an origin. It stands in
 * the access log as `cache_reason`.
 */
export const storageReasons = [
  'rule_ttl',
  'rule_ttl_zero',
  'rule_bypass',
  'origin_lifetime',
  'heuristic',
  'no_lifetime',
  'stale',
  'no-store',
  'private',
  'no-cache',
  'authorization',
  'method',
  'request_content',
  'request_no_store',
  'status',
  'set_cookie',
  'vary_any',
  'vary_long',
  'size',
  'error_page',
  'bypass',
  'too_long',
  'seldom',
] as const;
export type StorageReason = (typeof storageReasons)[number];
