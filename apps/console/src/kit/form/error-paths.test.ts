import { expect, test } from 'vitest';
import { allWrong, errorPaths } from './error-paths.ts';

test('errors are found in lists and below fields that are called type, but the server’s and those of a whole list', () => {
  const wrong = { type: 'custom', message: 'invalid' };
  expect(
    errorPaths({
      root: { server: { type: '10001', message: 'refused' } },
      name: { type: 'server', message: 'taken' },
      rules: [undefined, { to: wrong, type: wrong }],
      redirects: { root: { type: 'too_big', message: 'too_long' } },
      deny: { status: wrong },
    }),
  ).toEqual(['rules.1.to', 'rules.1.type', 'deny.status']);
});

test('all that is wrong is found, whoever found it, lists as a whole and objects among it', () => {
  const wrong = (message: string) => ({ type: 'custom', message, ref: { name: 'input' } });
  expect(
    allWrong({
      root: { server: { type: '10001', message: 'refused' } },
      '': wrong('of it all'),
      name: { type: 'server', message: 'taken' },
      lines: { message: 'line 3' },
      message: { type: wrong('below a field called message') },
      rules: Object.assign([undefined, { type: wrong('type') }], { root: wrong('list') }),
      deny: { ...wrong('object'), status: wrong('status') },
    }),
  ).toEqual([
    { path: '', message: 'of it all' },
    { path: 'name', message: 'taken' },
    { path: 'lines', message: 'line 3' },
    { path: 'message.type', message: 'below a field called message' },
    { path: 'rules', message: 'list' },
    { path: 'rules.1.type', message: 'type' },
    { path: 'deny', message: 'object' },
    { path: 'deny.status', message: 'status' },
  ]);
});
