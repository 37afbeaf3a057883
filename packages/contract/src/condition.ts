import * as z from 'zod';
import { inputText, plainExtension } from './common.ts';
import { checkCondition } from './condition-check.ts';
import {
  conditionDecoders,
  conditionDecodersMax,
  conditionFieldNames,
  conditionOperators,
  fieldOf,
} from './condition-fields.ts';

/**
 * When a rule applies: tests of one request, joined by groups. The same everywhere a rule takes a condition; where there is
 * none, the rule applies to every request. `docs/conditions.md` describes it, also as text.
 */

/** One test. Of what the request does not carry every test fails, but `is_empty`. */
const leafShape = z.strictObject({
  field: z.enum(conditionFieldNames),
  /** Which header, argument or cookie; of a clock its distance from UTC, `+08:00`. */
  name: inputText().min(1).max(100).optional(),
  /** Of a text: what it is decoded by first, in order. */
  decode: z.array(z.enum(conditionDecoders)).min(1).max(conditionDecodersMax).optional(),
  operator: z.enum(conditionOperators),
  /** One of them is enough, unless the operator says all. */
  values: z.array(inputText().min(1).max(500)).max(200).default([]),
  negated: z.boolean().default(false),
  /** Of ASCII letters; hosts and extensions never count by case. */
  ignore_case: z.boolean().default(false),
});
/** An extension is compared without its dot; patterns stay as they are written. */
const leaf = leafShape.overwrite((test) =>
  (test.field === 'extension' || test.field === 'file_extension') && test.operator !== 'regex'
    ? { ...test, values: test.values.map(plainExtension) }
    : test,
);
export type ConditionLeaf = z.infer<typeof leaf>;

const joint = { match: z.enum(['all', 'any']).default('all'), negated: z.boolean().default(false) };
const itemsMax = 50;
const inner = z.strictObject({ ...joint, items: z.array(leaf).min(1, { error: 'required' }).max(itemsMax) });
const middle = z.strictObject({
  ...joint,
  items: z
    .array(z.union([leaf, inner]))
    .min(1, { error: 'required' })
    .max(itemsMax),
});

export interface ConditionGroup {
  match: 'all' | 'any';
  negated: boolean;
  items: (ConditionLeaf | ConditionGroup)[];
}

/** Three groups deep at most; the outermost is a group always. */
const outer = z.strictObject({
  ...joint,
  items: z
    .array(z.union([leaf, middle]))
    .min(1, { error: 'required' })
    .max(itemsMax),
});
export const condition = outer.check((context) => checkCondition(context.value, context.issues, false));
/** Of rules that are asked once the request's content is read, or the answer is there: it may have fields of these as well. */
export const contentCondition = outer.check((context) => checkCondition(context.value, context.issues, true));
export type Condition = z.infer<typeof condition>;
export const conditionDepthMax = 3;
export const conditionLeavesMax = 50;

/** The ids of the address lists that it names. */
export function listsOfCondition({ items }: ConditionGroup): number[] {
  return items.flatMap((item) => {
    if ('items' in item) return listsOfCondition(item);
    return fieldOf(item.field).kind === 'list' ? item.values.map(Number) : [];
  });
}
