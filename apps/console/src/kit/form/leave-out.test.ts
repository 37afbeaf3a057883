import { expect, test } from 'vitest';
import * as z from 'zod';
import { leaveOut } from './leave-out.ts';
import { Shown } from './shown.ts';

const rule = z.object({
  action: z.enum(['block', 'redirect']),
  url: z.url().or(z.literal('')).default(''),
  users: z.array(z.object({ name: z.string().min(1) })).default([]),
});
const schema = z.object({ port: z.int().max(65_535), rules: z.array(rule) });
const row = { action: 'block' as const, url: '', users: [] };

/** The fields were all there once; those of `now` still are. */
function screen(now: string[]): Shown {
  const shown = new Shown();
  const labels = {
    port: 'Port',
    'rules.1.action': 'Action',
    'rules.1.url': 'URL',
    'rules.0.users.0.name': 'User',
  };
  for (const [path, label] of Object.entries({ rules: 'Rules', ...labels })) {
    const remove = shown.add({ path, label, isDeep: path !== 'rules' });
    if (!now.includes(path)) remove();
  }
  return shown;
}
const left = <Values extends object>(values: Values, now: string[], paths: string[]) =>
  leaveOut(
    schema,
    values,
    { paths, defaults: { port: 443, rules: [{ ...row, url: 'https://a.example/' }] } },
    screen(now),
  );

test('a hidden field has what was there before, and in a row of a list what the schema takes for nothing', () => {
  const values = { port: 99_999, rules: [{ ...row, url: 'nowhere' }] };
  expect(left(values, ['rules', 'rules.0.action'], ['port', 'rules.0.url'])).toEqual({
    port: 443,
    rules: [{ ...row, url: undefined }],
  });
  expect(values.rules[0]!.url).toBe('nowhere');
});

test('what is shown counts', () => {
  const values = { port: 99_999, rules: [] };
  expect(left(values, ['port'], ['port'])).toBe(values);
});

test('what was never on the screen is left to be told', () => {
  const values = { port: 1, rules: [], size: 'wrong' };
  expect(left(values, [], ['size'])).toBe(values);
});

test('rows that are hidden go with what is wrong in one, but never with what is shown', () => {
  const values = { port: 1, rules: [{ ...row, users: [{ name: '' }] }] };
  const path = 'rules.0.users.0.name';
  expect(left(values, ['rules'], [path]).rules).toEqual([{ ...row, users: undefined }]);
  const shown = screen(['rules']);
  shown.add({ path: 'rules.0.users', label: 'Users', isDeep: false });
  expect(leaveOut(schema, values, { paths: [path], defaults: {} }, shown)).toBe(values);
});

test('a place is called by the fields on the way to it and the numbers of rows', () => {
  const shown = screen([]);
  expect(shown.nameOf('rules.4.url')).toBe('Rules 5 · URL');
  expect(shown.nameOf('rules.0.size')).toBe('Rules 1 · size');
  expect(shown.nameOf('port')).toBe('Port');
  expect(shown.nameOf('other.2.part')).toBe('other 3 · part');
});
