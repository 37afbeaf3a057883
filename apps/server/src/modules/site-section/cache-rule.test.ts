import { cacheRule, cacheRuleSection } from '@breakwater/contract';
import { siteDocument } from '@breakwater/contract/edge-document';
import { describe, expect, it } from 'vitest';
import { compileCacheRules, compileDevelopment } from './cache-rule.section.ts';

describe('the document of a site', () => {
  it('leaves out of its cache rules what is as by default', () => {
    const section = cacheRuleSection.parse({ rules: [{ type: 'all', ttl_seconds: 5 }] });
    expect(compileDevelopment(section)).toEqual({});
    expect(Object.keys(compileCacheRules(section)[0]!).toSorted()).toEqual(
      ['action', 'content', 'enabled', 'query_names', 'query_policy', 'ttl_seconds', 'type'].toSorted(),
    );
  });

  it('carries what is set, the end of development mode in seconds', () => {
    const section = cacheRuleSection.parse({
      rules: [
        { type: 'suffix', content: ['css'], match_content_type: false, browser_ttl_seconds: 0, min_uses: 2 },
      ],
      development_until: '2026-01-01T00:00:01.500Z',
    });
    expect(compileDevelopment(section)).toEqual({ development_until: 1_767_225_601 });
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
