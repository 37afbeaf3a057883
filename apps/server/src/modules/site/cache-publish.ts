import {
  cacheRule,
  cacheRuleSection,
  speedOptimize,
  type CacheRuleSection,
  type EdgeCacheRule,
  type SiteDocument,
  type SpeedOptimize,
} from '@breakwater/contract';

/** How a site's delivery settings travel to its nodes: what is as by default is left out, for nodes hold it in memory. */

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

export function compileCacheSettings(section: CacheRuleSection): Pick<SiteDocument, 'cache_settings'> {
  const { cache_header, always_online, development_until: until } = section;
  const plain = cacheRuleSection.parse({ rules: [] });
  if (isSame({ ...section, rules: [] }, plain)) return {};
  return {
    cache_settings: {
      cache_header,
      always_online,
      ...(until === undefined ? {} : { development_until: Math.floor(Date.parse(until) / 1000) }),
    },
  };
}

export function compileSpeed(speed: SpeedOptimize): Pick<SiteDocument, 'speed_optimize'> {
  return isSame(speed, speedOptimize.parse({})) ? {} : { speed_optimize: speed };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
