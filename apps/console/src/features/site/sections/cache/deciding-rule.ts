import type { CacheRule } from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { matchCacheRule, prepareCacheRules, readTarget, toByteString } from '@breakwater/policy';

/** The place of the deciding rule, from 0. A whole URL counts by its path. */
export function decidingRule(rules: readonly CacheRule[], address: string): number | undefined {
  // As it was written, and not as `URL` would write it: a node reads what the visitor sent.
  const target = URL.canParse(address) ? address.slice(new URL(address).origin.length) : address;
  const path = readTarget(toByteString(target));
  const asBytes = rules.map((rule) => ({ ...rule, content: rule.content.map(toByteString) }));
  return matchCacheRule(prepareCacheRules(asBytes), path, matchPattern)?.index;
}
