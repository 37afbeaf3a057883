import type { RouteName } from '@breakwater/contract';
import type { Choices, Find } from '../kit/fields/choices.ts';
import type { FilterField } from '../kit/filter/filter-bar.tsx';
import type { Restricted } from './restricted.ts';

type Option = { value: string | number; label: string };
interface More {
  /** Unfolds with the others, instead of standing in the bar. */
  folded?: boolean;
  role?: 'admin';
  needs?: RouteName;
  /** The value that is no filter. */
  byDefault?: string;
}
type Filter = Restricted<FilterField>;

const placed = ({ folded = false, ...more }: More) => ({ inBar: !folded, ...more });

export const textFilter = (name: string, label: string, more: More = {}): Filter => ({
  name,
  label,
  kind: 'text',
  ...placed(more),
});

/** By a number, such as an id; nobody types one as a rule, so that it is folded. */
export const numberFilter = (name: string, label: string, more: More = {}): Filter => ({
  name,
  label,
  kind: 'number',
  ...placed({ folded: true, ...more }),
});

export const selectFilter = (
  name: string,
  label: string,
  options: readonly Option[],
  more: More = {},
): Filter => ({ name, label, kind: 'select', options, ...placed(more) });

/** Between two moments, which stand in the address under these names. */
export const rangeFilter = (name: { start: string; end: string }, label: string): Filter => ({
  name,
  label,
  kind: 'range',
  inBar: true,
});

/** One of many objects, found by what it is called. */
export const remoteFilter = (name: string, label: string, found: Choices, more: More = {}): Filter => ({
  name,
  label,
  kind: 'remote',
  choices: found,
  ...placed(more),
});

/** One of many by its name, which is its value. */
export const namedFilter = (name: string, label: string, find: Find<string>, more: More = {}): Filter => ({
  name,
  label,
  kind: 'named',
  find,
  ...placed(more),
});

/** The values of an enum, by their names for people. */
export const choices = <const Value extends string>(
  values: readonly Value[],
  labels: NoInfer<Readonly<Record<Value, string>>>,
): { value: Value; label: string }[] => values.map((value) => ({ value, label: labels[value] }));
