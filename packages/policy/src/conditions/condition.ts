import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';
import type {
  ConditionDecoder,
  ConditionFieldName,
  ConditionOperator,
} from '@breakwater/contract/condition-fields';
import { parseAddress, isInNetworks, parseNetworks, type Network } from '../address/ip.ts';
import { parseDay, parseMinutes } from './clock.ts';
import { decodeText } from './decode.ts';
import { lowerAscii, parseWhole } from '../lib/text.ts';
import { hasWord, matchWildcard } from './text-match.ts';

/**
 * When a rule applies. A condition is made ready once, when its site is loaded; a request's facts are read only as far as
 * they are needed. Strings are byte strings.
 */

/**
 * A value of the request: absent, one, or several of which one has to suit. `name`: of a header, an argument, a cookie. Of
 * `address_list` it is a list's id, and the value 1 or 0: whether the list names the visitor; absent: that is not known here.
 * False: what the request has of a field is not known, so no test of it is decided.
 */
export type Facts = (field: ConditionFieldName, name: string) => Fact;
export type Fact = string | number | string[] | false | undefined;

/** Absent: the pattern could not be decided within its ceiling. */
export type TryRegex = (subject: string, pattern: string, insensitive: boolean) => boolean | undefined;

/** 1 yes, 0 no, -1 not decided. What that means is for the rule to say: see `docs/conditions.md`. */
export type Verdict = 1 | 0 | -1;

export interface PreparedLeaf {
  /** Its place among all leaves, from 0. */
  index: number;
  field: ConditionFieldName;
  /** Headers in lower case. */
  name: string;
  /** None: what the request has is looked at as it is. */
  decode: readonly ConditionDecoder[];
  asksLength: boolean;
  operator: ConditionOperator;
  isNegated: boolean;
  isFolded: boolean;
  values: string[];
  networks: Network[];
  numbers: number[];
  /** First and last of each range, both within it. */
  ranges: number[];
}

export interface PreparedCondition {
  isAll: boolean;
  isNegated: boolean;
  /** Of each item one of the two. */
  items: { leaf: PreparedLeaf | undefined; group: PreparedCondition | undefined }[];
}

export function prepareCondition(condition: ConditionGroup): PreparedCondition {
  return prepareGroup(condition, { leaves: 0 });
}

function prepareGroup(group: ConditionGroup, count: { leaves: number }): PreparedCondition {
  const items: PreparedCondition['items'] = [];
  for (const item of group.items) {
    const inner = item as Partial<ConditionGroup>;
    if (inner.items === undefined)
      items.push({ leaf: prepareLeaf(item as ConditionLeaf, count.leaves++), group: undefined });
    else items.push({ leaf: undefined, group: prepareGroup(item as ConditionGroup, count) });
  }
  return { isAll: group.match === 'all', isNegated: group.negated, items };
}

/** What never counts by case: it is in lower case in every request. */
const folded: Record<string, boolean> = {
  host: true,
  extension: true,
  file_extension: true,
  referer_host: true,
  sni: true,
  header_names: true,
};

function prepareLeaf(leaf: ConditionLeaf, index: number): PreparedLeaf {
  const { field, operator } = leaf;
  const decode = leaf.decode ?? [];
  const isFolded = leaf.ignore_case || folded[field] === true;
  const values: string[] = [];
  for (const written of leaf.values)
    values.push(isFolded && operator !== 'regex' ? lowerAscii(written) : written);
  const name = leaf.name ?? '';
  const prepared: PreparedLeaf = {
    index,
    field,
    name: field === 'header' || field === 'response_header' ? lowerAscii(name) : name,
    decode,
    asksLength: decode.length > 0 && decode[decode.length - 1] === 'length',
    operator,
    isNegated: leaf.negated,
    isFolded,
    values,
    networks: operator === 'in' && field !== 'address_list' ? parseNetworks(leaf.values) : [],
    numbers: [],
    ranges: [],
  };
  prepareNumbers(prepared);
  return prepared;
}

function prepareNumbers(leaf: PreparedLeaf): void {
  for (const value of leaf.values) {
    const dots = value.indexOf('..');
    if (leaf.operator === 'in_range' && dots >= 0) {
      leaf.ranges.push(numberOf(leaf.field, value.substring(0, dots)));
      leaf.ranges.push(numberOf(leaf.field, value.substring(dots + 2)));
    } else leaf.numbers.push(numberOf(leaf.field, value));
  }
}

/** What is no number compares with nothing. */
function numberOf(field: string, text: string): number {
  if (field === 'time_of_day') return parseMinutes(text) ?? -1;
  if (field === 'date') return parseDay(text) ?? -1;
  return parseWhole(text) ?? -1;
}

/** What a request is asked, and what is noted of it. */
export interface Asked {
  facts: Facts;
  tryRegex: TryRegex;
  /** The leaf that was looked at last: it decided. */
  decidedBy: number;
  /** By the index of a leaf, for who wants to see them: filled with `unasked` before. */
  outcomes?: (Verdict | typeof unasked)[];
  /** The same request with another reading of its path, for rules that have to hold for all readings. */
  reading?: Reading;
}

export interface Reading {
  path: string;
  asked: Asked;
}

/** A leaf that was not looked at, since others had decided. */
export const unasked = 2;

export function unaskedOutcomes(condition: PreparedCondition): (Verdict | typeof unasked)[] {
  const outcomes: (Verdict | typeof unasked)[] = [];
  for (const { leaf, group } of condition.items) {
    if (leaf !== undefined) outcomes.push(unasked);
    else for (const outcome of unaskedOutcomes(group!)) outcomes.push(outcome);
  }
  return outcomes;
}

export function evaluateCondition(condition: PreparedCondition, asked: Asked): Verdict {
  const { isAll } = condition;
  let verdict: Verdict = isAll ? 1 : 0;
  for (const { leaf, group } of condition.items) {
    const one = leaf === undefined ? evaluateCondition(group!, asked) : evaluateLeaf(leaf, asked);
    if (one === -1) verdict = -1;
    else if ((one === 1) !== isAll) {
      verdict = one;
      break;
    }
  }
  return condition.isNegated ? opposite(verdict) : verdict;
}

function opposite(verdict: Verdict): Verdict {
  if (verdict === -1) return -1;
  return verdict === 1 ? 0 : 1;
}

function evaluateLeaf(leaf: PreparedLeaf, asked: Asked): Verdict {
  const verdict = testLeaf(leaf, asked);
  const shown = leaf.isNegated ? opposite(verdict) : verdict;
  asked.decidedBy = leaf.index;
  if (asked.outcomes !== undefined) asked.outcomes[leaf.index] = shown;
  return shown;
}

function testLeaf(leaf: PreparedLeaf, asked: Asked): Verdict {
  if (leaf.field === 'address_list') return testLists(leaf, asked.facts);
  const fact = asked.facts(leaf.field, leaf.name);
  if (fact === false) return -1;
  if (leaf.decode.length > 0 && fact !== undefined && typeof fact !== 'number')
    return testDecoded(leaf, fact, asked.tryRegex);
  const { operator } = leaf;
  if (operator === 'is_empty') return isEmpty(fact) ? 1 : 0;
  if (fact === undefined) return 0;
  if (operator === 'has' || operator === 'has_all') return testNames(leaf, fact) ? 1 : 0;
  if (typeof fact === 'number') return testNumber(leaf, fact) ? 1 : 0;
  if (operator === 'in') return testAddress(leaf, fact) ? 1 : 0;
  if (typeof fact === 'string') return testText(leaf, fact, asked.tryRegex);
  let verdict: Verdict = 0;
  for (const text of fact) {
    const one = testText(leaf, text, asked.tryRegex);
    if (one === 1) return 1;
    if (one === -1) verdict = -1;
  }
  return verdict;
}

/** Of several values one has to suit; one of which nothing could be decoded leaves it undecided, unless another suits. */
function testDecoded(leaf: PreparedLeaf, fact: string | string[], tryRegex: TryRegex): Verdict {
  let verdict: Verdict = 0;
  for (const text of typeof fact === 'string' ? [fact] : fact) {
    const decoded = decodeText(text, leaf.decode);
    const one = decoded === undefined ? -1 : testOneDecoded(leaf, decoded, tryRegex);
    if (one === 1) return 1;
    if (one === -1) verdict = -1;
  }
  return verdict;
}

function testOneDecoded(leaf: PreparedLeaf, text: string, tryRegex: TryRegex): Verdict {
  if (leaf.asksLength) return testNumber(leaf, text.length) ? 1 : 0;
  if (leaf.operator === 'is_empty') return text === '' ? 1 : 0;
  return testText(leaf, text, tryRegex);
}

function isEmpty(fact: string | number | string[] | undefined): boolean {
  if (fact === undefined || fact === '') return true;
  if (typeof fact === 'number' || typeof fact === 'string') return false;
  for (const text of fact) if (text !== '') return false;
  return true;
}

function testNames(leaf: PreparedLeaf, fact: string | number | string[]): boolean {
  if (typeof fact === 'number' || typeof fact === 'string') return false;
  const needsAll = leaf.operator === 'has_all';
  for (const value of leaf.values) {
    let isThere = false;
    for (const name of fact) if ((leaf.isFolded ? lowerAscii(name) : name) === value) isThere = true;
    if (isThere !== needsAll) return isThere;
  }
  return needsAll;
}

function testAddress(leaf: PreparedLeaf, fact: string | string[]): boolean {
  if (typeof fact !== 'string') return false;
  const address = parseAddress(fact);
  return address !== undefined && isInNetworks(address, leaf.networks);
}

function testLists({ values }: PreparedLeaf, facts: Facts): Verdict {
  let verdict: Verdict = 0;
  for (const list of values) {
    const isListed = facts('address_list', list);
    if (isListed === 1) return 1;
    if (isListed === undefined) verdict = -1;
  }
  return verdict;
}

function testNumber(leaf: PreparedLeaf, fact: number): boolean {
  const { operator, numbers, ranges } = leaf;
  if (operator === 'exists') return true;
  if (operator === 'in_range') {
    for (let index = 0; index < ranges.length; index += 2) {
      const first = ranges[index]!;
      const last = ranges[index + 1]!;
      // Of the day: over midnight.
      const isInside = first <= last ? fact >= first && fact <= last : fact >= first || fact <= last;
      if (isInside) return true;
    }
    return false;
  }
  for (const number of numbers) {
    if (operator === 'equals' && fact === number) return true;
    if (operator === 'greater_than' && fact > number) return true;
    if (operator === 'at_least' && fact >= number) return true;
    if (operator === 'less_than' && fact < number) return true;
    if (operator === 'at_most' && fact <= number) return true;
  }
  return false;
}

function testText(leaf: PreparedLeaf, fact: string, tryRegex: TryRegex): Verdict {
  const { operator } = leaf;
  if (operator === 'exists') return 1;
  if (operator === 'longer_than') return fact.length > leaf.numbers[0]! ? 1 : 0;
  if (operator === 'shorter_than') return fact.length < leaf.numbers[0]! ? 1 : 0;
  if (operator === 'regex') return testPatterns(leaf, fact, tryRegex);
  const text = leaf.isFolded ? lowered(fact) : fact;
  const needsAll = operator === 'contains_all' || operator === 'contains_all_words';
  for (const value of leaf.values) if (suits(operator, text, value) !== needsAll) return needsAll ? 0 : 1;
  return needsAll ? 1 : 0;
}

let lastFact = '';
let lastLowered = '';

/** Many tests of a site ask the same field one after the other. */
function lowered(fact: string): string {
  if (fact !== lastFact) {
    lastLowered = lowerAscii(fact);
    lastFact = fact;
  }
  return lastLowered;
}

function suits(operator: ConditionOperator, text: string, value: string): boolean {
  if (operator === 'equals') return text === value;
  if (operator === 'starts_with') return text.startsWith(value);
  if (operator === 'ends_with') return text.endsWith(value);
  if (operator === 'wildcard') return matchWildcard(text, value);
  if (operator === 'contains' || operator === 'contains_all') return text.indexOf(value) >= 0;
  if (operator === 'contains_word' || operator === 'contains_all_words') return hasWord(text, value);
  return false;
}

function testPatterns(leaf: PreparedLeaf, fact: string, tryRegex: TryRegex): Verdict {
  let verdict: Verdict = 0;
  for (const pattern of leaf.values) {
    const found = tryRegex(fact, pattern, leaf.isFolded);
    if (found === true) return 1;
    if (found === undefined) verdict = -1;
  }
  return verdict;
}
