import { cacheRule, cacheRuleSection, speedOptimize } from '@breakwater/contract';
import { siteDocument } from '@breakwater/contract/edge-document';
import { describe, expect, it } from 'vitest';
import { compileCacheRules, compileCacheSettings, compileSpeed } from './cache-publish.ts';

describe('the document of a site', () => {
  it('leaves out of its cache settings what is as by default', () => {
    const section = cacheRuleSection.parse({ rules: [{ type: 'all', ttl_seconds: 5 }] });
    expect(compileCacheSettings(section)).toEqual({});
    expect(Object.keys(compileCacheRules(section)[0]!).toSorted()).toEqual(
      ['action', 'content', 'enabled', 'query_names', 'query_policy', 'ttl_seconds', 'type'].toSorted(),
    );
    expect(compileSpeed(speedOptimize.parse({}))).toEqual({});
  });

  it('carries what is set, the end of development mode in seconds', () => {
    const section = cacheRuleSection.parse({
      rules: [
        { type: 'suffix', content: ['css'], match_content_type: false, browser_ttl_seconds: 0, min_uses: 2 },
      ],
      cache_header: false,
      development_until: '2026-01-01T00:00:01.500Z',
    });
    expect(compileCacheSettings(section)).toEqual({
      cache_settings: { cache_header: false, always_online: false, development_until: 1_767_225_601 },
    });
    expect(compileCacheRules(section)[0]).toMatchObject({
      match_content_type: false,
      browser_ttl_seconds: 0,
      min_uses: 2,
    });
  });

  it('is one that the contract takes, whatever a rule sets', () => {
    const full = cacheRule.parse({
      type: 'folder',
      content: ['/x/'],
      case_insensitive: true,
      ttl_by_status: [{ statuses: [404], ttl_seconds: 3 }],
      key_headers: ['Accept-Language'],
      no_cache_cookies: ['session_*'],
      slice_bytes: 1_048_576,
      max_size_bytes: 10,
    });
    const compiled = compileCacheRules(cacheRuleSection.parse({ rules: [full] }));
    expect(siteDocument.shape.cache_rule.safeParse(compiled).success).toBe(true);
    expect(compiled[0]!.key_headers).toEqual(['accept-language']);
  });
});

describe('a cache rule', () => {
  const messageOf = (rule: object) =>
    cacheRule
      .safeParse({ type: 'all', ...rule })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it.each([
    [{ key_headers: ['cookie'] }, 'key_headers.0', 'field_name_reserved'],
    [{ key_headers: ['a b'] }, 'key_headers.0', 'field_name'],
    [{ key_cookies: ['a=b'] }, 'key_cookies.0', 'cookie_name'],
    [{ key_cookies: ['a*'] }, 'key_cookies.0', 'cookie_name'],
    [
      { ttl_by_status: [{ statuses: [206], ttl_seconds: 1 }] },
      'ttl_by_status.0.statuses.0',
      'status_not_cacheable',
    ],
    [{ slice_bytes: 1_048_576, lock: false }, 'slice_bytes', 'slice_needs_lock'],
    [{ min_size_bytes: 2, max_size_bytes: 1 }, 'max_size_bytes', 'size_reversed'],
  ])('is refused: %j', (rule, path, message) => {
    expect(messageOf(rule)).toEqual([[path, message]]);
  });
});

describe('preload', () => {
  it.each(['style.css', '/a b', '/a>; rel=x', '/a,b', 'javascript:x', '/a"', '/a\r\nX: y'])(
    'refuses %j',
    (url) => {
      expect(speedOptimize.safeParse({ preload: [{ path: '/', url, as: 'style' }] }).success).toBe(false);
    },
  );
});
