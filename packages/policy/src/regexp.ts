import type { FindRegex } from './rewrite-match.ts';

/** `FindRegex` with JavaScript's engine. Only where JavaScript runs; a pattern that is still being typed finds nothing. */
export const findByRegExp: FindRegex = (subject, pattern, insensitive, from) => {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, insensitive ? 'gi' : 'g');
  } catch {
    return undefined;
  }
  expression.lastIndex = from;
  const found = expression.exec(subject);
  if (found === null) return undefined;
  const groups: string[] = [];
  for (let group = 1; group < found.length; group++) groups.push(found[group] ?? '');
  return { start: found.index, end: found.index + found[0].length, groups };
};
