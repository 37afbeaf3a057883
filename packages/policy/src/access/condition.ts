import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';
import {
  evaluateCondition,
  prepareCondition,
  type Asked,
  type PreparedCondition,
  type Reading,
} from '../conditions/condition.ts';
import { extensionOf } from '../http/path.ts';
import type { PathForms } from '../http/path-forms.ts';

/** The condition of a rule of access: what it asks of the path has to hold for all readings of it, as for paths of rules. */
export interface AccessCondition {
  plain: PreparedCondition;
  /** With paths in any letter case, for readings in lower case; absent: nothing is asked of the path. */
  folded: PreparedCondition | undefined;
}

export function prepareAccessCondition(condition: ConditionGroup): AccessCondition {
  return {
    plain: prepareCondition(condition),
    folded: asksPath(condition) ? prepareCondition(inAnyCase(condition)) : undefined,
  };
}

const isOfPath = (leaf: ConditionLeaf): boolean => leaf.field === 'path' || leaf.field === 'extension';

const asGroup = (item: ConditionLeaf | ConditionGroup): ConditionGroup | undefined =>
  (item as Partial<ConditionGroup>).items === undefined ? undefined : (item as ConditionGroup);

const asksPath = (condition: ConditionGroup): boolean => hasTest(condition, isOfPath);

/** Whether any test of a condition is such a one. */
export function hasTest(
  { items }: ConditionGroup,
  isSuch: (this: void, leaf: ConditionLeaf) => boolean,
): boolean {
  for (const item of items) {
    const group = asGroup(item);
    if (group === undefined ? isSuch(item as ConditionLeaf) : hasTest(group, isSuch)) return true;
  }
  return false;
}

function inAnyCase(group: ConditionGroup): ConditionGroup {
  const items: ConditionGroup['items'] = [];
  for (const item of group.items) {
    const inner = asGroup(item);
    if (inner !== undefined) items.push(inAnyCase(inner));
    else if (isOfPath(item as ConditionLeaf)) items.push({ ...(item as ConditionLeaf), ignore_case: true });
    else items.push(item);
  }
  return { ...group, items };
}

/**
 * Whether a request suits it: of a rule that closes, in any reading of the path, and also where it cannot be decided; of
 * one that opens, in every reading.
 */
export function suitsReadings(
  { plain, folded }: AccessCondition,
  forms: PathForms,
  asked: Asked,
  closes: boolean,
): boolean {
  if (folded === undefined) return holds(plain, asked, closes);
  const isPlain = holds(plain, asked, closes);
  if (closes) {
    if (isPlain || holds(folded, atPath(asked, forms.plain), true)) return true;
    for (const form of forms.folded) if (holds(folded, atPath(asked, form), true)) return true;
    return false;
  }
  if (!isPlain) return false;
  for (const form of forms.folded) if (!holds(folded, atPath(asked, form), false)) return false;
  return true;
}

/** Whether what is not known of the request may decide it, in any reading of the path. */
export function isOpenIn({ plain, folded }: AccessCondition, forms: PathForms, asked: Asked): boolean {
  if (evaluateCondition(plain, asked) === -1) return true;
  if (folded === undefined) return false;
  if (evaluateCondition(folded, atPath(asked, forms.plain)) === -1) return true;
  for (const form of forms.folded) if (evaluateCondition(folded, atPath(asked, form)) === -1) return true;
  return false;
}

function holds(condition: PreparedCondition, asked: Asked, closes: boolean): boolean {
  const verdict = evaluateCondition(condition, asked);
  return closes ? verdict !== 0 : verdict === 1;
}

/** The request with another reading of its path: made once for all readings and rules, for LuaJIT compiles no making of functions. */
function atPath(asked: Asked, path: string): Asked {
  asked.reading ??= readingOf(asked);
  asked.reading.path = path;
  return asked.reading.asked;
}

function readingOf({ facts, tryRegex }: Asked): Reading {
  const reading: Reading = {
    path: '',
    asked: {
      facts: (field, name) => {
        if (field === 'path') return reading.path;
        return field === 'extension' ? extensionOf(reading.path) : facts(field, name);
      },
      tryRegex,
      decidedBy: 0,
    },
  };
  return reading;
}
