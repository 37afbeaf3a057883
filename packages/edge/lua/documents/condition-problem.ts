/**
 * Whether a condition is one that this edge can ask, as `validate.ts` does for documents; the control plane has checked it
 * in full. A pattern that PCRE does not read would break every request that it is asked of.
 */
export function conditionProblem(place: string, condition: unknown, options: string): string | undefined {
  if (condition === undefined) return undefined;
  if (type(condition) !== 'table') return `${place} is no object`;
  const { items, match, field, operator, values, decode } = condition as Record<string, unknown>;
  if (items === undefined) {
    if (type(field) !== 'string' || type(operator) !== 'string' || type(values) !== 'table')
      return `${place} is no test`;
    if (decode !== undefined && type(decode) !== 'table') return `${place}.decode is no list`;
    return valueProblem(place, values as unknown[], operator === 'regex', options);
  }
  if (type(items) !== 'table' || type(match) !== 'string') return `${place} is no group`;
  const list = items as unknown[];
  for (let index = 0; index < list.length; index++) {
    const bad = conditionProblem(`${place}.${index}`, list[index] ?? false, options);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function valueProblem(
  place: string,
  values: unknown[],
  isPattern: boolean,
  options: string,
): string | undefined {
  for (const value of values) {
    if (type(value) !== 'string') return `${place} holds what is no text`;
    if (!isPattern) continue;
    const [, , bad] = ngx.re.find('', value as string, options);
    if (bad !== undefined) return `${place}: the regular expression does not compile: ${bad}`;
  }
  return undefined;
}
