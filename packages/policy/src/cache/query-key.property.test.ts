import { describe, expect, it } from 'vitest';
import { cacheRule, type CacheRule } from '@breakwater/contract';
import { cacheKey } from './key.ts';
import { percentDecode } from '../http/path.ts';
import { randomFrom } from '../lib/test-random.ts';

/**
 * Requests that share a key are read alike by every origin, on the arguments that count. Each of these stands for a way
 * in which some origin takes a query apart; strings are byte strings.
 */

type Pair = [name: string, value: string];
interface Origin {
  read: (query: string) => Pair[];
  /** What it takes a name of a rule, or of a request, for. */
  fold: (name: string) => string;
}

const plus = (text: string) => text.replaceAll('+', ' ');
const pair = (text: string): Pair => {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  return [percentDecode(plus(name)), equals < 0 ? '' : percentDecode(plus(text.slice(equals + 1)))];
};
const pairs = (query: string, separator: string | RegExp = '&'): Pair[] =>
  query.split(separator).filter(Boolean).map(pair);
const same = (name: string) => name;
const root = (name: string) => /^[^[]*/.exec(name)![0];
/** Escapes that are none, or that stand for no UTF-8: some then take nothing. */
const isBroken = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};
/** IIS and classic ASP. */
const iisDecode = (text: string) =>
  percentDecode(text.replaceAll(/%u00([0-9a-f]{2})/gi, '%$1').replaceAll(/%(?![0-9a-f]{2})/gi, ''));
const phpName = (name: string): string => {
  const text = name.replace(/^ +/, '').split('\0')[0]!;
  const open = text.indexOf('[');
  const isArray = open > 0 && text.includes(']', open);
  return (isArray ? text.slice(0, open) : text).replaceAll(/[ .[]/g, '_');
};

const origins: Record<string, Origin> = {
  'the standard of URLs': { read: (query) => pairs(query), fold: same },
  'semicolons separate as well': { read: (query) => pairs(query, /[&;] */), fold: root },
  'a semicolon ends the query': { read: (query) => pairs(query.split(';')[0]!), fold: same },
  'Go: what has a semicolon or a broken escape is passed over': {
    read: (query) =>
      pairs(
        query
          .split('&')
          .filter((text) => !/;|%(?![0-9a-f]{2})/i.test(text))
          .join('&'),
      ),
    fold: same,
  },
  PHP: { read: (query) => pairs(query.split('&').slice(0, 1000).join('&')), fold: phpName },
  'parts of names after a dot or a bracket': {
    read: (query) => pairs(query),
    fold: (name) => /^[^.[]*/.exec(name)![0],
  },
  'the case of letters means nothing': { read: (query) => pairs(query), fold: (name) => name.toLowerCase() },
  'decoded before it is taken apart': { read: (query) => pairs(percentDecode(query)), fold: same },
  'decoded twice': { read: (query) => pairs(percentDecode(percentDecode(query))), fold: same },
  'a fragment ends the query': { read: (query) => pairs(query.split('#')[0]!), fold: same },
  'up to a second question mark': { read: (query) => pairs(query.split('?')[0]!), fold: same },
  'from the last question mark on': { read: (query) => pairs(query.split('?').at(-1)!), fold: same },
  'entities of HTML': { read: (query) => pairs(query.replaceAll('&amp;', '&')), fold: same },
  'all or nothing': { read: (query) => (isBroken(query) ? [] : pairs(query)), fold: same },
  IIS: {
    read: (query) =>
      query
        .slice(0, 2048)
        .split('&')
        .filter(Boolean)
        .map((text) => pair(iisDecode(text))),
    fold: (name) => name.toLowerCase(),
  },
  'a zero byte ends a text': {
    read: (query) => pairs(query).map(([name, value]) => [name.split('\0')[0]!, value.split('\0')[0]!]),
    fold: same,
  },
  'names are not decoded': {
    read: (query) =>
      query
        .split('&')
        .filter(Boolean)
        .map((text) => [text.split('=')[0]!, text]),
    fold: same,
  },
};

/** What an origin makes of the arguments that count, those of one name in their order. */
function readingOf(
  { read, fold }: Origin,
  query: string,
  { query_policy: policy, query_names: names }: CacheRule,
) {
  const counted: Record<string, Pair[]> = {};
  const named = new Set(names.map(fold));
  for (const [name, value] of read(query)) {
    const folded = fold(name);
    if (policy !== 'sorted' && named.has(folded) !== (policy === 'include')) continue;
    (counted[folded] ??= []).push([name, value]);
  }
  return JSON.stringify(Object.entries(counted).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const names = [
  'q',
  'utm_source',
  'Q',
  'q[]',
  'q[a]',
  'q.a',
  'q_a',
  '%71',
  'utm.source',
  '+q',
  'q%00x',
  'q[',
  '',
];
const values = [
  '1',
  'EVIL',
  '1;q=EVIL',
  '%3bq=EVIL',
  '1%26q=EVIL',
  '1%2526q=EVIL',
  '%',
  '%ff',
  'x#',
  '1?q=EVIL',
];
const others = [
  '',
  'q',
  'utm_source',
  '%u0071=EVIL',
  'amp;q=EVIL',
  'a=1',
  'A=2',
  '%C4%E3=1',
  'q%3d=1',
  '%e4%bd%a0=1',
];

function queries(seed: number, count: number): string[] {
  const random = randomFrom(seed);
  const one = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  const made: string[] = [];
  for (let index = 0; index < count; index++) {
    const parts: string[] = [];
    for (let left = Math.floor(random() * 5); left >= 0; left--)
      parts.push(random() < 0.3 ? one(others) : `${one(names)}=${random() < 0.6 ? '1' : one(values)}`);
    made.push(parts.join('&'));
  }
  return made;
}

const rule = (query_policy: CacheRule['query_policy'], query_names: string[] = []): CacheRule => ({
  ...cacheRule.parse({ type: 'all' }),
  query_policy,
  query_names,
});
const key = (query: string, by: CacheRule) => cacheKey('7', 'https', 'a.example', `/x?${query}`, by);

describe.each([
  ['an excluded argument', rule('exclude', ['utm_source'])],
  ['an excluded argument of one letter', rule('exclude', ['q', 'a'])],
  ['an included argument', rule('include', ['q'])],
  ['an included list', rule('include', ['q[]', 'utm_source'])],
  ['an included argument with a dot', rule('include', ['q.a'])],
  ['sorted arguments', rule('sorted')],
])('requests of one key, by %s', (_about, by) => {
  const byKey = new Map<string, string[]>();
  for (const query of queries(13, 8000)) {
    const held = byKey.get(key(query, by));
    if (held === undefined) byKey.set(key(query, by), [query]);
    else held.push(query);
  }

  it('are many, so that this says something', () => {
    expect([...byKey.values()].filter((list) => new Set(list).size > 1).length).toBeGreaterThan(50);
  });

  it.each(Object.entries(origins))('are read alike: %s', (_name, origin) => {
    for (const [shared, list] of byKey) {
      const first = readingOf(origin, list[0]!, by);
      for (const query of list)
        if (readingOf(origin, query, by) !== first)
          expect({ shared, query, reading: readingOf(origin, query, by) }).toEqual({
            shared,
            query: list[0],
            reading: first,
          });
    }
  });
});

it('leaves nothing out of a query at whose length or number of arguments some origins stop', () => {
  const by = rule('exclude', ['x']);
  for (const before of ['x=1&'.repeat(1000), `x=${'1'.repeat(3000)}&`])
    for (const origin of [origins['PHP']!, origins['IIS']!]) {
      const query = `${before}q=1`;
      const isRead = readingOf(origin, query, by) === readingOf(origin, 'q=1', by);
      expect(isRead || key(query, by) !== key('q=1', by)).toBe(true);
      expect(key(query, by)).not.toBe(key('q=1', by));
    }
});
