import {
  condition,
  conditionFields,
  contentCondition,
  type Condition,
  type ConditionGroup,
} from '@breakwater/contract';
import { parseCondition, type ConditionTextProblem } from '@breakwater/policy/conditions/parse';
import type * as z from 'zod';

export type ReadCondition =
  | { value: Condition }
  /** `at` from 1; `issue` is a key of the contract's, `problem` one of the parser's. */
  | { at: number; problem: ConditionTextProblem }
  | { at: number; issue: string };

/** What a text says, or the first thing that is wrong with it. `content`: it may ask for the request's content. */
export function readWritten(text: string, content: boolean, error?: z.core.$ZodErrorMap): ReadCondition {
  const { condition: tree, places, problem, at } = parseCondition(text);
  if (tree === undefined) return { at: at + 1, problem: problem! };
  const unknown = fieldNames(tree).findIndex((field) => !(field in conditionFields));
  if (unknown >= 0) return { at: places[unknown]! + 1, issue: 'condition_field' };
  const checked = (content ? contentCondition : condition).safeParse(
    tree,
    error === undefined ? {} : { error },
  );
  if (checked.success) return { value: checked.data };
  const issue = checked.error.issues[0]!;
  const leaf = ordinalOf(tree, issue.path);
  return { at: (places[leaf] ?? 0) + 1, issue: issue.message };
}

type Path = readonly PropertyKey[];
type Item = ConditionGroup | ConditionGroup['items'][number];

/** How many leaves stand before the one that a path such as `items.1.items.0.values` leads to. */
function ordinalOf(item: Item, path: Path): number {
  const place = path[0] === 'items' && typeof path[1] === 'number' ? path[1] : undefined;
  if (place === undefined || !('items' in item)) return 0;
  const before = item.items.slice(0, place).reduce((sum, each) => sum + fieldNames(each).length, 0);
  const inner = item.items[place];
  return inner === undefined ? before : before + ordinalOf(inner, path.slice(2));
}

/** Of all leaves, in their order. */
function fieldNames(item: Item): string[] {
  return 'items' in item ? item.items.flatMap(fieldNames) : [item.field];
}
