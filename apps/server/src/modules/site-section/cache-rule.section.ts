import { cacheRule, type CacheRuleSection, type EdgeCacheRule } from '@breakwater/contract';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const cacheRuleSection = defineSection('cache_rule', {
  // A list of rules is what this section was once all about.
  completedBy: { rules: [] },
  uses: askedByRules,
  publishOwn(own) {
    const { rules, development_until: _, ...settings } = own;
    return {
      ...(rules === undefined ? {} : { cache_rule: compileCacheRules({ rules }) }),
      ...(Object.keys(settings).length === 0 ? {} : { cache_settings: settings }),
    };
  },
  publish(value) {
    const development = compileDevelopment(value);
    return Object.keys(development).length === 0 ? {} : { cache_settings: development };
  },
});

const plainRule = cacheRule.parse({ type: 'all' });
/** What every rule has carried from the first edge on, and nodes count on. */
const always = new Set<string>([
  'type',
  'content',
  'action',
  'ttl_seconds',
  'query_policy',
  'query_names',
  'enabled',
]);

export function compileCacheRules({ rules }: Pick<CacheRuleSection, 'rules'>): EdgeCacheRule[] {
  return rules.map(
    (rule) =>
      Object.fromEntries(
        Object.entries(rule).filter(
          ([name, value]) => always.has(name) || !isSame(value, plainRule[name as keyof typeof plainRule]),
        ),
      ) as EdgeCacheRule,
  );
}

/** What a site's cache is told beside its rules and what it inherits. */
export function compileDevelopment({ development_until: until }: CacheRuleSection): {
  development_until?: number;
} {
  return until === undefined ? {} : { development_until: Math.floor(Date.parse(until) / 1000) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
