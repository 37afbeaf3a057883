import type { RegexMatch } from '@breakwater/policy/rewrite/match';

/** Compiled once and kept for the worker, and by PCRE's own compiler. Rules are matched with the same. */
export const regexOptions = 'jo';

/** `FindRegex` with PCRE, as rules of rewriting are matched. */
export function findRegex(
  subject: string,
  pattern: string,
  insensitive: boolean,
  from: number,
): RegexMatch | undefined {
  const place = { pos: from + 1 };
  const [found, problem] = ngx.re.match(
    subject,
    pattern,
    insensitive ? `${regexOptions}i` : regexOptions,
    place,
  );
  if (problem !== undefined) ngx.log(ngx.WARN, 'rewriting pattern ', pattern, ': ', problem);
  if (found === undefined) return undefined;
  const end = place.pos - 1;
  const groups: string[] = [];
  for (let group = 1; group <= 9; group++) {
    const text = found.get(group);
    groups.push(type(text) === 'string' ? (text as string) : '');
  }
  return { start: end - (found.get(0) as string).length, end, groups };
}

/** As rules of the cache are matched. */
export function matchRegex(subject: string, pattern: string, insensitive: boolean): boolean {
  const options = insensitive ? `${regexOptions}i` : regexOptions;
  const [from, , problem] = ngx.re.find(subject, pattern, options);
  // PCRE gives up on a pattern that backtracks too much; the rule then does not match.
  if (problem !== undefined) ngx.log(ngx.WARN, 'cache rule pattern ', pattern, ': ', problem);
  return from !== undefined;
}
