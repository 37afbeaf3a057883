import type * as z from 'zod';
import { isIpOrCidr } from './common.ts';
import type { ConditionGroup, ConditionLeaf } from './condition.ts';
import {
  bareOperators,
  fieldOf,
  isOfAnswer,
  isOfContent,
  kindOfLeaf,
  operatorsOf,
  type ConditionFieldName,
  type ConditionKind,
} from './condition-fields.ts';
import { parsePattern } from './pattern.ts';

type Path = (string | number)[];

/** What of a condition depends on several of its parts. */
export function checkCondition(
  group: ConditionGroup,
  issues: z.core.$ZodRawIssue[],
  takesMore: boolean,
): void {
  const add: Add = (path, message, input) => issues.push({ code: 'custom', path, message, input });
  const leaves = checkItems(group, [], takesMore, add);
  // What was sent is gone by the time the answer is there.
  if (asksField(group, isOfContent)) refuseAnswers(group, [], add);
  if (leaves > 50) add(['items'], 'condition_large', leaves);
}

/** Whether any test of a condition is of such a field. */
export const asksField = (
  { items }: ConditionGroup,
  isSuch: (field: ConditionFieldName) => boolean,
): boolean => items.some((item) => ('items' in item ? asksField(item, isSuch) : isSuch(item.field)));

function refuseAnswers(group: ConditionGroup, path: Path, add: Add): void {
  group.items.forEach((item, index) => {
    const here = [...path, 'items', index];
    if ('items' in item) refuseAnswers(item, here, add);
    else if (isOfAnswer(item.field)) add([...here, 'field'], 'condition_answer_content', item.field);
  });
}

type Add = (path: Path, message: string, input: unknown) => void;

function checkItems(group: ConditionGroup, path: Path, takesMore: boolean, add: Add): number {
  let leaves = 0;
  group.items.forEach((item, index) => {
    const here = [...path, 'items', index];
    if ('items' in item) {
      leaves += checkItems(item, here, takesMore, add);
      return;
    }
    leaves += 1;
    if (!takesMore && isOfContent(item.field)) add([...here, 'field'], 'condition_content', item.field);
    else if (!takesMore && isOfAnswer(item.field)) add([...here, 'field'], 'condition_answer', item.field);
    else checkLeaf(item, here, add);
  });
  return leaves;
}

function checkLeaf(leaf: ConditionLeaf, path: Path, add: Add): void {
  const kind = kindOfLeaf(leaf);
  const field = kind === 'number' && leaf.decode ? { kind } : fieldOf(leaf.field);
  if (!operatorsOf[field.kind].includes(leaf.operator)) {
    add([...path, 'operator'], 'condition_operator', leaf.operator);
    return;
  }
  const place = leaf.decode?.indexOf('length') ?? -1;
  if (leaf.decode && (fieldOf(leaf.field).kind !== 'text' || (place >= 0 && place < leaf.decode.length - 1)))
    add([...path, 'decode'], 'condition_decode', leaf.decode);
  const badName = nameProblem(leaf.name, fieldOf(leaf.field).name);
  if (badName !== undefined) add([...path, 'name'], badName, leaf.name);
  const isBare = bareOperators.has(leaf.operator);
  if (isBare ? leaf.values.length > 0 : leaf.values.length === 0)
    add([...path, 'values'], isBare ? 'condition_no_values' : 'required', leaf.values);
  if (comparisons.has(leaf.operator) && leaf.values.length > 1)
    add([...path, 'values'], 'condition_one_value', leaf.values);
  leaf.values.forEach((value, index) => {
    const message = valueProblem(leaf, field, value);
    if (message !== undefined) add([...path, 'values', index], message, value);
  });
}

const comparisons = new Set([
  'greater_than',
  'at_least',
  'less_than',
  'at_most',
  'longer_than',
  'shorter_than',
]);

function nameProblem(name: string | undefined, wanted: 'name' | 'zone' | undefined): string | undefined {
  if (wanted === undefined) return name === undefined ? undefined : 'condition_no_name';
  if (wanted === 'name') return name === undefined ? 'required' : undefined;
  // No clock is further from UTC than 14 hours.
  return name === undefined || /^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(name) ? undefined : 'condition_zone';
}

function valueProblem(
  leaf: ConditionLeaf,
  field: ReturnType<typeof fieldOf>,
  value: string,
): string | undefined {
  if (leaf.operator === 'regex') return patternProblem(value, leaf.ignore_case);
  if (leaf.operator === 'longer_than' || leaf.operator === 'shorter_than')
    return isNumber(value) ? undefined : 'condition_number';
  if (field.options !== undefined) return field.options.includes(value) ? undefined : 'not_an_option';
  if (leaf.operator !== 'in_range') return kindProblem(field.kind, value, field);
  const [first, last, ...rest] = value.split('..');
  if (first === undefined || last === undefined || rest.length > 0) return 'condition_range';
  const problem = kindProblem(field.kind, first, field) ?? kindProblem(field.kind, last, field);
  if (problem !== undefined) return problem;
  // A time of the day may go over midnight.
  if (field.kind === 'number' && Number(first) > Number(last)) return 'condition_range';
  return field.kind === 'date' && first > last ? 'condition_range' : undefined;
}

function kindProblem(
  kind: ConditionKind,
  value: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number },
): string | undefined {
  if (kind === 'address') return isIpOrCidr(value) ? undefined : 'ip_format';
  if (kind === 'country') return /^[A-Z]{2}$/.test(value) ? undefined : 'country_code';
  if (kind === 'list') return /^[1-9]\d{0,8}$/.test(value) ? undefined : 'condition_list';
  if (kind === 'number') {
    if (!isNumber(value)) return 'condition_number';
    if (Number(value) < min) return 'too_small';
    return Number(value) > max ? 'too_big' : undefined;
  }
  if (kind === 'time') return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : 'condition_time';
  if (kind === 'date') return isDate(value) ? undefined : 'condition_date';
  return undefined;
}

const isNumber = (text: string): boolean => /^(?:0|[1-9]\d{0,14})$/.test(text);

function isDate(text: string): boolean {
  const time = /^(?:19|20|21)\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const utf8 = new TextEncoder();

/** The problem of a regular expression with its place in it, as a key of `issues`. */
export function patternProblem(pattern: string, isFolded: boolean): string | undefined {
  let bytes = '';
  for (const byte of utf8.encode(pattern)) bytes += String.fromCharCode(byte);
  const parsed = parsePattern(bytes, isFolded);
  return parsed.problem === undefined ? undefined : `${parsed.problem}:${parsed.at}`;
}
