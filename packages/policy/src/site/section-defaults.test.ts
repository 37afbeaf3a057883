import { siteSections } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { sectionDefaults } from './section-defaults.ts';

describe('the defaults at the edge', () => {
  const { cache_settings: cacheSettings, certificate_settings: none, ...sections } = sectionDefaults;

  it.each(Object.keys(sections))('are those of the contract: %s', (name) => {
    expect(sections[name]).toEqual(siteSections[name as 'security'].parse(undefined));
  });

  it('are those of the contract for what the cache does beside its rules', () => {
    expect({ rules: [], ...cacheSettings }).toEqual(siteSections.cache_rule.parse(undefined));
  });

  it('are none for HTTPS, where what is absent has its default at the place that reads it', () => {
    expect(none).toEqual({});
  });
});
