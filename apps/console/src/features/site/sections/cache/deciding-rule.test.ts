import { cacheRule, type CacheRule } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { decidingRule } from './deciding-rule.ts';

const rule = (input: Partial<CacheRule>): CacheRule => ({ ...cacheRule.parse({ type: 'all' }), ...input });
const rules = [
  rule({ type: 'suffix', content: ['jpg'] }),
  rule({ type: 'folder', content: ['/文档/'] }),
  rule({ type: 'regex', content: ['^/api/v[0-9]'] }),
  rule({ type: 'regex', content: ['('] }),
  rule({ type: 'full_path', content: ['/'], enabled: false }),
];

test.each([
  ['/photo.JPG?size=2', 0],
  ['https://www.example.com/a/../photo.jpg', 0],
  ['/%E6%96%87%E6%A1%A3/index.html', 1],
  ['/文档/index.html', 1],
  ['/api/v2/users', 2],
  ['/', undefined],
  ['', undefined],
])('%s', (address, place) => {
  expect(decidingRule(rules, address)).toBe(place);
});
