import { expect, test } from 'vitest';
import { choices, numberFilter, selectFilter, textFilter } from './filters.ts';
import { isAllowed } from './restricted.ts';
import { wordsOf } from './words.text.ts';

test('what a screen says follows from what its entity is called, in both languages', () => {
  const { add, empty, saved, removeBody } = wordsOf.zh('区域');
  expect([add, empty, saved, removeBody('华东')]).toEqual([
    '添加区域',
    '还没有区域',
    '区域已保存',
    '将删除区域“华东”。',
  ]);
  const latin = wordsOf.zh('DNS 账号');
  expect([latin.title, latin.add, latin.removed]).toEqual(['DNS 账号', '添加 DNS 账号', 'DNS 账号已删除']);
  const english = wordsOf.en('line group');
  expect([english.title, english.add, english.empty, english.removed, english.removeTitle]).toEqual([
    'Line groups',
    'Add line group',
    'No line groups yet',
    'Line group deleted',
    'Delete this line group?',
  ]);
  expect(wordsOf.en('policy', 'policies').title).toBe('Policies');
  expect(Object.keys(wordsOf.zh('区域'))).toEqual(Object.keys(wordsOf.en('area')));
});

test('a column or a filter is there for those whom it is for', () => {
  const may = (name: string) => name === 'listClients';
  expect(isAllowed({}, 'user', may)).toBe(true);
  expect(isAllowed({ role: 'admin' }, 'user', may)).toBe(false);
  expect(isAllowed({ role: 'admin' }, 'admin', may)).toBe(true);
  expect(isAllowed({ needs: 'listClients' }, 'user', may)).toBe(true);
  expect(isAllowed({ needs: 'listNodes' }, 'admin', may)).toBe(false);
});

test('filters stand in the bar, numbers and what says so unfold', () => {
  const states = choices(['on', 'off'], { on: 'On', off: 'Off' });
  expect(states).toEqual([
    { value: 'on', label: 'On' },
    { value: 'off', label: 'Off' },
  ]);
  expect(textFilter('name', 'Name')).toMatchObject({ kind: 'text', inBar: true });
  expect(numberFilter('id', 'ID')).toMatchObject({ kind: 'number', inBar: false });
  expect(selectFilter('state', 'State', states, { folded: true, role: 'admin' })).toMatchObject({
    options: states,
    inBar: false,
    role: 'admin',
  });
});
