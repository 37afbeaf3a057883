import type { ConditionGroup, ConditionLeaf } from '@breakwater/contract/condition';

/** A condition as text: `path starts_with "/admin/" and not (header.x-a contains "b" or ip in ["10.0.0.0/8"])`. */

export function printCondition(condition: ConditionGroup): string {
  const text = printItems(condition);
  return condition.negated ? `not (${text})` : text;
}

function printItems(group: ConditionGroup): string {
  const parts: string[] = [];
  for (const item of group.items) {
    const inner = item as Partial<ConditionGroup>;
    if (inner.items === undefined) parts.push(printLeaf(item as ConditionLeaf));
    else parts.push(`${inner.negated === true ? 'not ' : ''}(${printItems(item as ConditionGroup)})`);
  }
  return parts.join(group.match === 'all' ? ' and ' : ' or ');
}

function printLeaf(leaf: ConditionLeaf): string {
  let text: string = leaf.negated ? `not ${leaf.field}` : leaf.field;
  if (leaf.name !== undefined) text += isBareName(leaf.name) ? `.${leaf.name}` : `[${quote(leaf.name)}]`;
  for (const step of leaf.decode ?? []) text += `|${step}`;
  text += ` ${leaf.operator}`;
  if (leaf.values.length === 1) text += ` ${quote(leaf.values[0]!)}`;
  else if (leaf.values.length > 1) {
    const quoted: string[] = [];
    for (const value of leaf.values) quoted.push(quote(value));
    text += ` [${quoted.join(', ')}]`;
  }
  return leaf.ignore_case ? `${text} ignore_case` : text;
}

/** Letters, digits, `_`, `-`, `+` and `:`; what a header's name or a time zone needs. */
function isNameByte(code: number): boolean {
  if (code >= 48 && code <= 58) return true;
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return true;
  return code === 95 || code === 45 || code === 43;
}

function isBareName(name: string): boolean {
  for (let index = 0; index < name.length; index++) if (!isNameByte(name.charCodeAt(index))) return false;
  return name.length > 0;
}

const hexDigits = '0123456789abcdef';

function quote(text: string): string {
  let quoted = '"';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) quoted += '\\"';
    else if (code === 92) quoted += '\\\\';
    else if (code < 32 || code === 127) {
      const high = Math.floor(code / 16);
      quoted += `\\x${hexDigits.substring(high, high + 1)}${hexDigits.substring(code % 16, (code % 16) + 1)}`;
    } else quoted += text.substring(index, index + 1);
  }
  return `${quoted}"`;
}
