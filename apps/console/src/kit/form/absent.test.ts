import { expect, it } from 'vitest';
import * as z from 'zod';
import { withAbsent } from './absent.ts';

const item = z.strictObject({ id: z.string(), note: z.string().optional() });
const schema = z.strictObject({
  host: z.string().optional(),
  list: z.array(item).default([]),
  inner: z.strictObject({ deep: z.number().optional() }).nullable(),
  kind: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('a'), one: z.string().optional() }),
      z.strictObject({ type: z.literal('b'), two: z.string().optional() }),
    ])
    .optional(),
});

it('has each field of the schema, at every depth, and of a choice those of the kind that is there', () => {
  const value = { list: [{ id: 'x' }], inner: {}, kind: { type: 'b' as const } };
  expect(withAbsent(schema, value)).toStrictEqual({
    host: undefined,
    list: [{ id: 'x', note: undefined }],
    inner: { deep: undefined },
    kind: { type: 'b', two: undefined },
  });
});

it('leaves what is there, and what holds nothing', () => {
  const value = { host: 'h', list: [], inner: null, kind: undefined };
  expect(withAbsent(schema, value)).toStrictEqual(value);
  expect(withAbsent(z.string(), 'text')).toBe('text');
});
