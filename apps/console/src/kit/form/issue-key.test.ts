import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { issueKey } from './issue-key.ts';

/** What a form says of a value at its field. */
const keyOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: issueKey }).error?.issues[0]?.message;

describe('a field that', () => {
  test.each([
    ['a text with a shortest length', z.string().min(8)],
    ['an address', z.email()],
    ['a choice', z.enum(['month', 'year'])],
    ['a number', z.int()],
  ])('is %s and left empty has to be filled in', (_, schema) => {
    expect(keyOf(schema, '')).toBe('required');
    expect(keyOf(schema, undefined)).toBe('required');
  });

  test('is filled in wrongly says what is wrong', () => {
    expect(keyOf(z.string().min(8), 'short')).toBe('too_short');
    expect(keyOf(z.email(), 'nobody')).toBe('invalid');
    expect(keyOf(z.enum(['month', 'year']), 'day')).toBe('not_an_option');
    expect(keyOf(z.int().min(1), 0)).toBe('too_small');
  });
});
