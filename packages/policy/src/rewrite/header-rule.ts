import type { HeaderRule } from '@breakwater/contract/site-config/content-rewrite';
import { prepareCondition, type PreparedCondition } from '../conditions/condition.ts';
import type { FindRegex } from './match.ts';
import { fillField, parseTemplate, type RewriteRequest, type TemplatePart } from './template.ts';
import { isReservedField } from '../http/reserved-fields.ts';
import { fieldText } from './text.ts';

/** An enabled rule made ready, for a field that rules may set; `index` is its place among all of its list, from 0. */
export interface PreparedHeaderRule {
  index: number;
  rule: HeaderRule;
  /** Lower case. */
  name: string;
  value: TemplatePart[];
  /** The value, where no request changes it. */
  fixed?: string;
  condition?: PreparedCondition;
}

const replacementsMax = 100;
const valueBytesMax = 8000;

export function prepareHeaderRules(rules: HeaderRule[]): PreparedHeaderRule[] {
  const prepared: PreparedHeaderRule[] = [];
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    if (!rule.enabled || isReservedField(rule.name)) continue;
    const value = parseTemplate(rule.value);
    const ready: PreparedHeaderRule = { index, rule, name: rule.name.toLowerCase(), value };
    if (rule.condition !== undefined) ready.condition = prepareCondition(rule.condition);
    if (value.length === 0) ready.fixed = '';
    else if (value.length === 1 && value[0]!.text !== undefined) ready.fixed = fieldText(value[0]!.text);
    prepared.push(ready);
  }
  return prepared;
}

/** The lines of a field after a rule. */
export function changedLines(
  prepared: PreparedHeaderRule,
  lines: string[],
  request: RewriteRequest,
  find: FindRegex,
): string[] {
  const { rule } = prepared;
  if (rule.action === 'remove') return [];
  if (rule.action !== 'replace') {
    const value = prepared.fixed ?? fieldText(fillField(prepared.value, request, []));
    if (rule.action === 'set') return value === '' ? [] : [value];
    return value === '' ? lines : [...lines, value];
  }
  const changed: string[] = [];
  for (const line of lines) {
    const next = replaceIn(prepared, line, request, find);
    if (next !== '') changed.push(next);
  }
  return changed;
}

function replaceIn(
  { name, rule, value }: PreparedHeaderRule,
  line: string,
  request: RewriteRequest,
  find: FindRegex,
): string {
  const parts: string[] = [];
  let from = 0;
  for (let count = 0; count < replacementsMax; count++) {
    const match = find(line, rule.pattern, false, from);
    if (match === undefined || match.end === match.start) break;
    parts.push(line.substring(from, match.start), fillField(value, request, match.groups));
    from = match.end;
  }
  if (from === 0) return line;
  parts.push(line.substring(from));
  const next = fieldText(parts.join(''));
  if (next.length > valueBytesMax) return line;
  // What an origin made of a visitor's path must not become a host of its own.
  return name === 'location' && leadsAway(next) && !leadsAway(line) ? line : next;
}

/** Browsers take either slash at the start of an address for the beginning of a host. */
function leadsAway(location: string): boolean {
  const first = location.substring(0, 1);
  const second = location.substring(1, 2);
  return (first === '/' || first === '\\') && (second === '/' || second === '\\');
}
