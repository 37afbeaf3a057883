import { expect, it } from 'vitest';
import { faultOf } from './fault-of.ts';

const at = (error: Error) =>
  Object.assign(error, {
    stack: `${error.name}: ${error.message}\n    at f (https://cdn.example.com/assets/shell-CR5NoO22.js:1:42)\n    at https://cdn.example.com/assets/react-D4.js:7:9`,
  });

/** As `ApiError`, whose module needs a browser. */
const refused = (message: string) =>
  at(Object.assign(new Error(message), { name: 'ApiError', code: 40_000 }));

it('says of an error in the code what it is and where', () =>
  expect(faultOf(at(new TypeError('x is not a function')), '/dashboard')).toEqual({
    name: 'TypeError',
    message: 'x is not a function',
    stack: ['shell-CR5NoO22.js:1:42', 'react-D4.js:7:9'],
    path: '/dashboard',
  }));

it('says nothing of what an error was about', () => {
  for (const reason of [
    at(new Error('cannot save hunter2')),
    at(new SyntaxError('Unexpected token h in JSON: hunter2')),
    refused('hunter2 is too short'),
    'hunter2',
    { password: 'hunter2' },
    undefined,
  ])
    expect(JSON.stringify(faultOf(reason, '/dashboard'))).not.toContain('hunter2');
  expect(faultOf(refused('hunter2'), '/').message).toBe('code 40000');
});

it('is no longer than the server takes', () => {
  const { message, stack } = faultOf(
    Object.assign(new TypeError('x'.repeat(900)), { stack: '/a.js:1:1\n'.repeat(50) }),
    '/',
  );
  expect(message).toHaveLength(200);
  expect(stack).toHaveLength(8);
});
