import { describe, expect, it } from 'vitest';
import { patternProblem } from './condition-check.ts';
import { matchPattern } from './pattern-match.ts';

describe('a pattern is refused where', () => {
  it.each([
    [
      'the engines read it differently',
      'pattern_unsupported',
      [
        '\\A',
        '\\z',
        '\\1',
        '(a)\\1',
        '\\k<a>',
        '\\u0041',
        '\\cA',
        '\\v',
        '\\x4',
        '[[:alpha:]]',
        '[]a]',
        '[\\w-z]',
        'a++',
        'a**',
        '(?<=a)b',
        '(?i)a',
        '(?<n>a)',
        '(*UTF8)a',
        '[é]',
        'é+',
        '^*',
        '\\b+',
        '\\e',
        '\\Q',
      ],
    ],
    [
      'it is not well formed',
      'pattern_syntax',
      ['(', ')', 'a)', '[a', '*a', 'a|*', 'a{2,1}', '{', 'a{x}', ']', '}', '[z-a]'],
    ],
    [
      'it can run away',
      'pattern_runaway',
      [
        '(a+)+',
        '(a*)*',
        '(a|a)*',
        '(a|ab)*',
        '(?:a?b?)*',
        '(\\w+\\s?)+',
        '^(.*a){12}$',
        '(a{1,9}){1,9}b',
        '(?:.|\\n|x)*',
      ],
    ],
    [
      'it is too large',
      'pattern_big',
      ['a'.repeat(501), '[ab]{1500}[ab]{1500}', '('.repeat(30) + ')'.repeat(30), '(?=a)(?=b)(?=c)(?=d)'],
    ],
  ])('%s', (_about, problem, patterns) => {
    for (const pattern of patterns)
      expect([pattern, patternProblem(pattern, false)?.split(':')[0]]).toEqual([pattern, problem]);
  });
});

it('takes what is common in rules', () => {
  for (const pattern of [
    '\\.(?:jpe?g|png)$',
    '^/api/v\\d+/',
    '^/(?!static/)',
    '^(?:/[^/]+)*/x$',
    '^\\d{1,3}(?:\\.\\d{1,3}){3}$',
    '(?:-[a-z0-9]+)*$',
    '^(?:\\d{2}:){2}(?:\\d{2}){2}$',
    '.*\\.php',
    '^/[\\w./-]*$',
    '管理|后台',
    '',
  ])
    expect([pattern, patternProblem(pattern, true)]).toEqual([pattern, undefined]);
});

it('a place is counted in bytes from the start', () => {
  expect(patternProblem('ab\\1', false)).toBe('pattern_unsupported:3');
});

it('the matcher takes time by the lengths alone', () => {
  const started = performance.now();
  const text = 'a'.repeat(20_000);
  expect(matchPattern(`${text}!`, '.*a.*b.*c.*d.*e$', false)).toBe(false);
  expect(matchPattern(text, '^(?:[a-z]*x)*y', false)).toBe(false);
  expect(performance.now() - started).toBeLessThan(3000);
});

/** What both this matcher and `RegExp` take and read alike: no line feeds, ASCII. */
it('agrees with the engine of JavaScript', () => {
  let seed = 7;
  const next = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
  const pick = <T>(list: readonly T[]) => list[next(list.length)]!;
  const piece = (depth: number): string => {
    const atom = pick([
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '^',
      '$',
      '\\b',
      depth > 0 ? `(?:${make(depth - 1)})` : 'a',
      depth > 0 ? `(?=${make(depth - 1)})` : 'b',
    ]);
    const isEdge = ['^', '$', '\\b'].includes(atom) || atom.startsWith('(?=');
    return atom + (isEdge ? '' : pick(['', '', '', '*', '+', '?', '{1,2}', '{2}', '*?']));
  };
  const make = (depth: number): string =>
    Array.from({ length: 1 + next(3) }, () => piece(depth)).join('') +
    (next(4) === 0 ? `|${piece(depth)}` : '');
  let tried = 0;
  while (tried < 4000) {
    const pattern = make(2);
    const folded = next(2) === 0;
    if (patternProblem(pattern, folded) !== undefined) continue;
    tried += 1;
    const subject = Array.from({ length: next(7) }, () => pick(['a', 'b', 'c', 'A', 'B', '1', ' '])).join('');
    expect([pattern, subject, matchPattern(subject, pattern, folded)]).toEqual([
      pattern,
      subject,
      new RegExp(pattern, folded ? 'i' : '').test(subject),
    ]);
  }
});
