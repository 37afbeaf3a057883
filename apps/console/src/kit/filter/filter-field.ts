import type { ReactNode } from 'react';
import type { Choices, Find } from '../fields/choices.ts';
import type { DateRange } from './date-range.ts';

interface FieldBase {
  label: string;
  /** Stands in the bar; the others unfold. */
  inBar?: boolean;
}
export interface ValueField extends FieldBase {
  name: string;
  /** `select` takes options; `time` a moment in the reader's zone. */
  kind: 'text' | 'number' | 'select' | 'time';
  options?: readonly { value: string | number; label: string; picture?: ReactNode }[];
  /** The value that is no filter: a sort order always has one. */
  byDefault?: string;
}
/** Two moments, held under two names. `byDefault`: the last 24 hours, unless the third name says `yes`, or moments are named. */
export interface RangeField extends FieldBase {
  kind: 'range';
  name: { start: string; end: string; any?: string };
}
/** One of many objects, by its id. */
export interface RemoteField extends FieldBase {
  kind: 'remote';
  name: string;
  choices: Choices;
}
/** One of many by its name, which is its value. */
export interface NamedField extends FieldBase {
  kind: 'named';
  name: string;
  find: Find<string>;
}
export type FilterField = ValueField | RangeField | RemoteField | NamedField;
export type FilterValues = Record<string, unknown>;

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value as string | number);
export const namesOf = (field: FilterField): string[] =>
  field.kind === 'range' ? Object.values(field.name) : [field.name];
export const without = (fields: readonly FilterField[]): FilterValues =>
  Object.fromEntries(fields.flatMap(namesOf).map((name) => [name, undefined]));
export const isSet = (field: FilterField, values: FilterValues): boolean =>
  namesOf(field).some(
    (name) => !['', 'byDefault' in field ? field.byDefault : undefined].includes(textOf(values[name])),
  );

export function rangeOf({ name }: RangeField, values: FilterValues): DateRange {
  return { start: textOf(values[name.start]) || undefined, end: textOf(values[name.end]) || undefined };
}
