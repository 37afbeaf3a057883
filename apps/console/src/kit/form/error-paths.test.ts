import { expect, test } from 'vitest';
import { errorPaths } from './error-paths.ts';

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
