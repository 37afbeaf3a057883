import { accessRule, guardRule, matcherRule } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { sayRule } from './say-rule.ts';

const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const access = accessRule.parse({
  action: 'deny',
  only_paths: ['/admin/'],
  address_lists: [7, 8],
  addresses,
});

test('a rule is told by its own name where it has one', () => {
  expect(
    sayRule({ name: 'Office', section: 'access_control', outline: { rule: access, lists: [] } }, 'en'),
  ).toBe('Office');
});

test('a rule without a name is told by what it does, with the names of lists that are known', () => {
  const outline = { rule: access, lists: [{ id: 7, name: 'Scanners' }] };
  const rule = { name: '', section: 'access_control' as const, outline };
  expect(sayRule(rule, 'en')).toBe('Block /admin/ 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4 … Scanners, #8');
  expect(sayRule(rule, 'zh')).toMatch(/^拒绝 \/admin\/ /);
});

test('a custom rule is told by when it does what', () => {
  const items = [{ field: 'address_list', operator: 'in', values: ['7'] }];
  const { action, condition } = matcherRule.parse({ action: 'ban', condition: { items } });
  const lists = [{ id: 7, name: 'Scanners' }];
  const say = (rule: object) =>
    sayRule({ name: '', section: 'matcher_rule', outline: { rule: { ...rule }, lists } }, 'en');
  expect(say({ action, condition })).toBe('Address list is in Scanners → Block the IP');
  expect(say({ action: 'block' })).toBe('All requests → Block');
});

test('a list that is deleted is told from one that is not the reader’s to know', () => {
  const outline = { rule: access, lists: [{ id: 8, name: null }] };
  const rule = { name: '', section: 'access_control' as const, outline };
  expect(sayRule(rule, 'en')).toMatch(/ #7, deleted list #8$/);
  expect(sayRule(rule, 'zh')).toMatch(/#7、已删除的列表 #8$/);
});

test('a rule of CC guard is told by what it counts, and what follows', () => {
  const say = (rule: object, language: 'zh' | 'en' = 'en') =>
    sayRule(
      { name: '', section: 'cc_guardian_rule', outline: { rule: guardRule.parse(rule), lists: [] } },
      language,
    );
  expect(say({})).toBe(
    'More than 100 in 10 s (All requests, counted by Client IP) → Browser challenge (JavaScript), 1 min',
  );
  const key = [{ part: 'header', name: 'x-token' }];
  const items = [{ field: 'path', operator: 'starts_with', values: ['/login'] }];
  const rule = { key, condition: { items }, count: 'origin', action: 'ban', hold_seconds: 3600 };
  expect(say(rule)).toBe(
    'Only Path starts with /login · More than 100 in 10 s (Requests to the origin, counted by Header x-token) → Block IP, 1 h',
  );
  expect(say({ key: [] }, 'zh')).toBe(
    '10 秒内超过 100 次（全部请求，合并统计）→ 浏览器验证（JavaScript），1 分钟',
  );
});

test('nothing is said of a rule of which nothing is known', () => {
  expect(sayRule({ name: '' }, 'en')).toBe('');
});
