import type { Condition, Language } from '@breakwater/contract';
import { sayCondition } from '../../../domain/condition/say-condition.ts';
import { byteUnitFor, byteUnits } from '../../../kit/fields/amount-text.ts';
import { formatDateTime } from '../../../kit/format.ts';
import { sayDuration } from '../../../kit/say-duration.ts';
import { siteChangeText } from './change.text.ts';

/** What fields of a configuration are called, and how what stands in them is said. */

/** Names of what a configuration has by number, as far as the reader may know them. */
export interface Names {
  list: (id: number) => string;
  certificate: (id: number) => string;
  captcha: (id: number) => string;
}

/** A value that is told as a whole: a plain one, a condition, or a list of plain ones. */
export interface FieldWords {
  kind: 'field';
  label: string;
  say: (value: unknown, names: Names) => string;
  /** What it says is never shown. */
  isSecret?: boolean;
}
/** Fields together, under a heading or without one. */
export interface GroupWords {
  kind: 'group';
  label: string;
  fields: Record<string, Words>;
}
export interface ListWords {
  kind: 'list';
  /** One of its items. */
  item: string;
  /** What an item is known by; empty: by its place. What it is made of may be incomplete. */
  name: (item: never, names: Names) => string;
  /** All that is worth saying of an item that comes or goes. */
  summary: (item: never, names: Names) => string;
  fields: Record<string, Words>;
}
export type Words = FieldWords | GroupWords | ListWords;

/**
 * Words for every field of a value, so that a field of the contract without words does not compile. `x_set` is left
 * out: it only says that the secret `x` is stored.
 */
export type WordsOf<Value> = {
  [Name in keyof Required<Value> as Name extends `${string}_set` ? never : Name]: Words;
};

export const group = (label: string, fields: Record<string, Words>): GroupWords => ({
  kind: 'group',
  label,
  fields,
});

/** A sentence about a list of hundreds names the first few, and how many more there are. */
const shownMax = 6;
/** Characters of a text, such as the HTML of an error page. */
const textMax = 80;

/** The makers of words in a language. */
export function wordMakers(language: Language) {
  const t = siteChangeText[language];
  const field = (label: string, say: FieldWords['say']): FieldWords => ({
    kind: 'field',
    label,
    // Absent, or set to nothing: an optional field has no other value to be told.
    say: (value, names) => (value === undefined || value === null ? t.unset : say(value, names)),
  });
  const cut = (value: unknown): string => {
    const text = String(value).replaceAll(/\s+/g, ' ').trim();
    return text === '' ? t.empty : text.length > textMax ? `${text.slice(0, textMax)}…` : text;
  };
  const several = (values: readonly string[]): string =>
    values.length === 0
      ? t.empty
      : values.slice(0, shownMax).join(t.list) +
        (values.length > shownMax ? ` ${t.more(values.length - shownMax)}` : '');
  return {
    t,
    several,
    sayDuration: (seconds: number) => sayDuration(seconds, language),
    text: (label: string) => field(label, cut),
    flag: (label: string) => field(label, (value) => (value === true ? t.on : t.off)),
    choice: (label: string, labels: Readonly<Record<string, string>>) =>
      field(label, (value) => labels[String(value)] ?? String(value)),
    seconds: (label: string) => field(label, (value) => sayDuration(Number(value), language)),
    bytes: (label: string, suffix = '') => field(label, (value) => bytes(Number(value)) + suffix),
    time: (label: string) => field(label, (value) => formatDateTime(String(value), language) ?? t.unset),
    condition: (label = t.condition) =>
      ({
        kind: 'field',
        label,
        // Without one it is for all.
        say: (value, { list }) =>
          value ? sayCondition(value as Condition, language, (id) => list(Number(id))) : t.every,
      }) satisfies FieldWords,
    secret: (label: string): FieldWords => ({ ...field(label, () => t.secretSet), isSecret: true }),
    /** Plain values: each by itself, too. */
    values: (label: string, one: (value: never, names: Names) => string = cut) =>
      field(label, (value, names) =>
        Array.isArray(value)
          ? several(value.map((each) => one(each as never, names)))
          : one(value as never, names),
      ),
  };
}
export type WordMakers = ReturnType<typeof wordMakers>;

/** In the largest unit in which it is whole, as the form's field has it. */
function bytes(value: number): string {
  const size = byteUnitFor(value, 'B');
  return `${value / size} ${byteUnits.find((unit) => unit.size === size)!.name}`;
}
