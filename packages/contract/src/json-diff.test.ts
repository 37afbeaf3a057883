import { expect, test } from 'vitest';
import { diffJson } from './json-diff.ts';

const rule = (name: string, more: object = {}) => ({ type: 'folder', content: [name], lock: true, ...more });

test('values are compared by their dotted path', () => {
  expect(diffJson({ a: { b: 1 }, c: 2 }, { a: { b: 3 }, d: null })).toEqual([
    { path: 'a.b', before: 1, after: 3 },
    { path: 'c', before: 2 },
    { path: 'd', after: null },
  ]);
});

test('an item that goes changes none of those after it', () => {
  const [a, b, c] = [rule('/a/'), rule('/b/'), rule('/c/')];
  expect(diffJson({ rules: [a, b, c] }, { rules: [b, c] })).toEqual([{ path: 'rules.0', before: a }]);
  expect(diffJson(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual([
    { path: '0', before: 'a' },
    { path: '2', after: 'd' },
  ]);
});

test('one that moved is told once, with where it was', () => {
  const [a, b, c] = [rule('/a/'), rule('/b/'), rule('/c/')];
  expect(diffJson({ rules: [a, b, c] }, { rules: [c, a, b] })).toEqual([
    { path: 'rules.0', from: 2, of: [c] },
  ]);
  expect(diffJson(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([{ path: '0', after: 'c', from: 2 }]);
});

test('one that was edited beside a new one is known by what it still says', () => {
  const [before, after] = [rule('/a/', { ttl: 1 }), rule('/a/', { ttl: 2 })];
  expect(diffJson({ rules: [before] }, { rules: [after, { type: 'all' }] })).toEqual([
    { path: 'rules.0.ttl', before: 1, after: 2, of: [after] },
    { path: 'rules.1', after: { type: 'all' } },
  ]);
});

test('items with a name are known by it, wherever they stand', () => {
  const user = (name: string, tries: number) => ({ name, tries });
  expect(diffJson([user('ann', 1), user('bob', 1)], [user('bob', 2), user('carl', 1)])).toEqual([
    { path: '0', before: user('ann', 1) },
    { path: '0.tries', before: 1, after: 2, of: [user('bob', 2)] },
    { path: '1', after: user('carl', 1) },
  ]);
});

test('a condition is one value, and what names an item is short', () => {
  const item = (values: string[]) => ({
    ...rule('/a/'),
    note: 'x'.repeat(200),
    condition: { items: values },
  });
  const [entry, ...others] = diffJson({ rules: [item(['1'])] }, { rules: [item(['2'])] });
  expect(others).toEqual([]);
  expect(entry).toEqual({
    path: 'rules.0.condition',
    before: { items: ['1'] },
    after: { items: ['2'] },
    of: [rule('/a/')],
  });
});
