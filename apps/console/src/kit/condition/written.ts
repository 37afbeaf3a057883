import { condition, type Condition } from '@breakwater/contract';
import { parseCondition, type ConditionTextProblem } from '@breakwater/policy/condition-parse';
import { issueKey } from '../form.tsx';

export type ReadCondition =
  | { value: Condition }
  /** `at` from 1; `issue` is a key of the contract's, `problem` one of the parser's. */
  | { at: number; problem: ConditionTextProblem }
  | { at: number; issue: string };

/** What a text says, or the first thing that is wrong with it. */
export function readWritten(text: string): ReadCondition {
  const { condition: tree, places, problem, at } = parseCondition(text);
  if (tree === undefined) return { at: at + 1, problem: problem! };
  const checked = condition.safeParse(tree, { error: issueKey });
  if (checked.success) return { value: checked.data };
  const issue = checked.error.issues[0]!;
  const leaf = ordinalOf(tree, issue.path);
  return { at: (places[leaf] ?? 0) + 1, issue: issue.message };
}

type Path = readonly PropertyKey[];
interface Items {
  items?: readonly Items[];
}

/** How many leaves stand before the one that a path such as `items.1.items.0.values` leads to. */
function ordinalOf(group: Items, path: Path): number {
  const place = path[0] === 'items' && typeof path[1] === 'number' ? path[1] : undefined;
  if (place === undefined || group.items === undefined) return 0;
  const before = group.items.slice(0, place).reduce((sum, item) => sum + countLeaves(item), 0);
  return before + ordinalOf(group.items[place] ?? {}, path.slice(2));
}

function countLeaves(item: Items): number {
  return item.items === undefined ? 1 : item.items.reduce((sum, each) => sum + countLeaves(each), 0);
}
