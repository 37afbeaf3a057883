import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';
import type {
  ConditionDecoder,
  ConditionFieldName,
  ConditionOperator,
} from '@breakwater/contract/condition-fields';

/**
 * Reads a condition written as `text.ts` prints it. It knows how one is written, not which fields and operators
 * there are: the contract's schema says that, with a path for which `places` has the position.
 */

export type ConditionTextProblem =
  | 'condition_text_end'
  | 'condition_text_field'
  | 'condition_text_operator'
  | 'condition_text_value'
  | 'condition_text_quote'
  | 'condition_text_close'
  | 'condition_text_more'
  | 'condition_text_deep';

export interface ParsedCondition {
  condition?: ConditionGroup;
  /** Of each leaf, in their order: where it begins, from 0. */
  places: number[];
  problem?: ConditionTextProblem;
  /** Where the problem is, from 0. */
  at: number;
}

interface Reader {
  text: string;
  at: number;
  places: number[];
  problem: ConditionTextProblem | undefined;
  problemAt: number;
}

type Item = ConditionLeaf | ConditionGroup;
/** Of brackets, also of those that say nothing. */
const bracketsMax = 20;
/** Of groups, as the contract has it. */
const depthMax = 3;

export function parseCondition(text: string): ParsedCondition {
  const reader: Reader = { text, at: 0, places: [], problem: undefined, problemAt: 0 };
  const item = readAny(reader, 0);
  skipSpace(reader);
  if (reader.problem === undefined && reader.at < text.length) fail(reader, 'condition_text_more', reader.at);
  if (reader.problem !== undefined || item === undefined)
    return { places: reader.places, problem: reader.problem ?? 'condition_text_end', at: reader.problemAt };
  const condition = asRoot(item);
  if (depthOf(condition) > depthMax) return { places: reader.places, problem: 'condition_text_deep', at: 0 };
  return { condition, places: reader.places, at: 0 };
}

function depthOf(item: Item): number {
  const { items } = item as Partial<ConditionGroup>;
  let depth = 0;
  for (const inner of items ?? []) depth = Math.max(depth, depthOf(inner));
  return items === undefined ? 0 : depth + 1;
}

/** The outermost is a group; one around a single group says nothing. */
function asRoot(item: Item): ConditionGroup {
  const group = item as Partial<ConditionGroup>;
  if (group.items !== undefined) return item as ConditionGroup;
  return { match: 'all', negated: false, items: [item] };
}

function fail(reader: Reader, problem: ConditionTextProblem, at: number): undefined {
  if (reader.problem === undefined) {
    reader.problem = problem;
    reader.problemAt = at;
  }
  return undefined;
}

function skipSpace(reader: Reader): void {
  while (reader.at < reader.text.length) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
    reader.at += 1;
  }
}

function isWordCode(code: number): boolean {
  if ((code >= 48 && code <= 57) || code === 95) return true;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isNameCode(code: number): boolean {
  return isWordCode(code) || code === 45 || code === 43 || code === 58;
}

/** The word that comes next, which is not passed. */
function peekWord(reader: Reader): string {
  skipSpace(reader);
  let end = reader.at;
  while (end < reader.text.length && isWordCode(reader.text.charCodeAt(end))) end += 1;
  return reader.text.substring(reader.at, end);
}

function takeWord(reader: Reader, word: string): boolean {
  if (peekWord(reader) !== word) return false;
  reader.at += word.length;
  return true;
}

function takeSign(reader: Reader, sign: string): boolean {
  skipSpace(reader);
  if (reader.text.substring(reader.at, reader.at + 1) !== sign) return false;
  reader.at += 1;
  return true;
}

function readAny(reader: Reader, depth: number): Item | undefined {
  return readJoined(reader, depth, 'or');
}

/** `or` joins what `and` has joined. */
function readJoined(reader: Reader, depth: number, word: 'or' | 'and'): Item | undefined {
  if (depth > bracketsMax) return fail(reader, 'condition_text_deep', reader.at);
  const items: Item[] = [];
  do {
    const item = word === 'or' ? readJoined(reader, depth, 'and') : readOne(reader, depth);
    if (item === undefined) return undefined;
    items.push(item);
  } while (takeWord(reader, word));
  if (items.length === 1) return items[0];
  return { match: word === 'and' ? 'all' : 'any', negated: false, items };
}

function readOne(reader: Reader, depth: number): Item | undefined {
  if (takeWord(reader, 'not')) {
    const item = readOne(reader, depth);
    return item === undefined ? undefined : { ...item, negated: !item.negated };
  }
  if (!takeSign(reader, '(')) return readLeaf(reader);
  const open = reader.at - 1;
  const item = readAny(reader, depth + 1);
  if (item === undefined) return undefined;
  return takeSign(reader, ')') ? item : fail(reader, 'condition_text_close', open);
}

const joints: Record<string, boolean> = { and: true, or: true, not: true, ignore_case: true };

function readLeaf(reader: Reader): ConditionLeaf | undefined {
  const field = peekWord(reader);
  const start = reader.at;
  if (field === '' || joints[field] === true)
    return fail(reader, start >= reader.text.length ? 'condition_text_end' : 'condition_text_field', start);
  reader.at += field.length;
  const name = readName(reader);
  if (reader.problem !== undefined) return undefined;
  const decode = readDecoders(reader);
  if (reader.problem !== undefined) return undefined;
  const operator = peekWord(reader);
  if (operator === '' || joints[operator] === true) return fail(reader, 'condition_text_operator', reader.at);
  reader.at += operator.length;
  const values = readValues(reader);
  if (values === undefined) return undefined;
  reader.places.push(start);
  return {
    field: field as ConditionFieldName,
    ...(name === undefined ? {} : { name }),
    ...(decode.length === 0 ? {} : { decode: decode as ConditionDecoder[] }),
    operator: operator as ConditionOperator,
    values,
    negated: false,
    ignore_case: takeWord(reader, 'ignore_case'),
  };
}

/** `|url|base64`: what it is decoded by. */
function readDecoders(reader: Reader): string[] {
  const steps: string[] = [];
  while (takeSign(reader, '|')) {
    const step = peekWord(reader);
    if (step === '') {
      fail(reader, 'condition_text_operator', reader.at);
      return steps;
    }
    steps.push(step);
    reader.at += step.length;
  }
  return steps;
}

/** Right behind the field: `.x-a` or `["x a"]`. */
function readName(reader: Reader): string | undefined {
  const sign = reader.text.substring(reader.at, reader.at + 1);
  if (sign === '[') {
    reader.at += 1;
    const name = readQuoted(reader);
    if (name !== undefined && !takeSign(reader, ']')) fail(reader, 'condition_text_close', reader.at);
    return name;
  }
  if (sign !== '.') return undefined;
  reader.at += 1;
  const start = reader.at;
  while (reader.at < reader.text.length && isNameCode(reader.text.charCodeAt(reader.at))) reader.at += 1;
  return reader.at === start
    ? fail(reader, 'condition_text_field', start)
    : reader.text.substring(start, reader.at);
}

/** None, one, or a list in brackets. */
function readValues(reader: Reader): string[] | undefined {
  skipSpace(reader);
  const code = reader.at < reader.text.length ? reader.text.charCodeAt(reader.at) : 0;
  if (code === 34 || (code >= 48 && code <= 57)) {
    const value = readValue(reader);
    return value === undefined ? undefined : [value];
  }
  if (!takeSign(reader, '[')) return [];
  const values: string[] = [];
  do {
    const value = readValue(reader);
    if (value === undefined) return undefined;
    values.push(value);
  } while (takeSign(reader, ','));
  return takeSign(reader, ']') ? values : fail(reader, 'condition_text_close', reader.at);
}

/** In quotes; a number, a range or a time may stand without. */
function readValue(reader: Reader): string | undefined {
  skipSpace(reader);
  if (reader.text.charCodeAt(reader.at) === 34) return readQuoted(reader);
  const start = reader.at;
  while (reader.at < reader.text.length) {
    const code = reader.text.charCodeAt(reader.at);
    if (!isNameCode(code) && code !== 46 && code !== 47) break;
    reader.at += 1;
  }
  return reader.at === start
    ? fail(reader, 'condition_text_value', start)
    : reader.text.substring(start, reader.at);
}

function readQuoted(reader: Reader): string | undefined {
  skipSpace(reader);
  const open = reader.at;
  if (reader.text.substring(open, open + 1) !== '"') return fail(reader, 'condition_text_value', open);
  const parts: string[] = [];
  let start = open + 1;
  let at = start;
  while (at < reader.text.length) {
    const code = reader.text.charCodeAt(at);
    if (code === 34) {
      parts.push(reader.text.substring(start, at));
      reader.at = at + 1;
      return parts.join('');
    }
    if (code !== 92) {
      at += 1;
      continue;
    }
    parts.push(reader.text.substring(start, at));
    const sign = reader.text.substring(at + 1, at + 2);
    const hex = sign === 'x' ? hexByte(reader.text, at + 2) : -1;
    if (sign !== '"' && sign !== '\\' && hex < 0) return fail(reader, 'condition_text_quote', at);
    parts.push(hex < 0 ? sign : String.fromCharCode(hex));
    at += hex < 0 ? 2 : 4;
    start = at;
  }
  return fail(reader, 'condition_text_quote', open);
}

/** Of a control character, which is what `\x` is for: above them a byte would be no character. */
function hexByte(text: string, at: number): number {
  const high = hexValue(text, at);
  const low = hexValue(text, at + 1);
  return high < 0 || low < 0 || high > 7 ? -1 : high * 16 + low;
}

function hexValue(text: string, at: number): number {
  if (at >= text.length) return -1;
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  return code >= 65 && code <= 70 ? code - 55 : -1;
}
