import type { Condition, ConditionLeaf } from '@breakwater/contract';
import type { Directive } from './nginx-tokens.ts';

/** Which requests a `location` is for: nginx takes `=` first, then patterns, then the longest beginning of the path. */

export interface Scope {
  /** Absent: all paths that no other location takes. */
  path: string | undefined;
  isExact: boolean;
  /** What a rule of this location has to ask besides its own path, so that it leaves the other locations alone. */
  others: ConditionLeaf[];
}
export const wholeServer: Scope = { path: undefined, isExact: false, others: [] };

export interface Place {
  modifier: string;
  path: string;
}

export function placeOf({ args }: Directive): Place {
  const [first = '', second] = args;
  return second === undefined ? { modifier: '', path: first } : { modifier: first, path: second };
}

export function scopeOf(place: Place, all: readonly Place[]): Scope {
  const isExact = place.modifier === '=';
  const path = place.path === '/' && !isExact ? undefined : place.path;
  return { path, isExact, others: isExact ? [] : othersOf(place, all) };
}

function othersOf(place: Place, all: readonly Place[]): ConditionLeaf[] {
  // Named ones are only sent to from within, and challenges of authorities pass by all rules.
  const rivals = all.filter(
    (each) => each !== place && !/^(?:@|\/\.well-known\/acme-challenge)/.test(each.path),
  );
  const isPattern = ({ modifier }: Place) => modifier.startsWith('~');
  const below = rivals.filter((each) => !isPattern(each) && each.path.startsWith(place.path));
  const paths = (isExact: boolean) =>
    below.filter(({ modifier }) => (modifier === '=') === isExact).map((each) => each.path);
  const patterns = place.modifier === '^~' ? [] : rivals.filter(isPattern);
  const patternsOf = (modifier: string) =>
    patterns.filter((each) => each.modifier === modifier).map((each) => each.path);
  return [
    ...not('equals', paths(true)),
    ...not('starts_with', paths(false)),
    ...not('regex', patternsOf('~')),
    ...not('regex', patternsOf('~*'), true),
  ];
}

type PathOperator = 'equals' | 'starts_with' | 'regex';

const pathLeaf = (operator: PathOperator, values: string[]): ConditionLeaf => ({
  field: 'path',
  operator,
  values,
  negated: false,
  ignore_case: false,
});

function not(operator: PathOperator, values: string[], ignoreCase = false): ConditionLeaf[] {
  if (values.length === 0) return [];
  return [{ ...pathLeaf(operator, values), negated: true, ignore_case: ignoreCase }];
}

/** The condition of a rule that names the location's path itself, or of one that does not. */
export function conditionOf(scope: Scope, namesPath: boolean): { condition?: Condition } {
  const { path, isExact, others } = scope;
  const own = path === undefined || namesPath ? [] : [pathLeaf(isExact ? 'equals' : 'starts_with', [path])];
  const items = [...own, ...others];
  return items.length === 0 ? {} : { condition: { match: 'all', negated: false, items } };
}
