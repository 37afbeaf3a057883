import { describe, expect, it } from 'vitest';
import { cacheRule, type CacheRule } from '@breakwater/contract';
import { cacheKey } from './key.ts';
import { cacheVariant } from './variant.ts';
import { normalizePath, percentDecode } from '../http/path.ts';

/** What holds of every path and key, tried on many that are made by chance, the same each time. */

/** A generator of numbers below `limit` (mulberry32, public domain). */
function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

const runs = 5000;
const pathParts = [
  '/',
  '/',
  'a',
  'b',
  '.',
  '..',
  '%2e',
  '%2E',
  '%2f',
  '%25',
  '%',
  '%4',
  '%zz',
  '//',
  ';',
  '\\',
  '\u00c3',
  '%c3%a9',
  'x.css',
  '%00',
];
const queryParts = ['a=1', 'a=2', 'b=1', 'b', 'c=', '', '%61=3', 'a%3d=1', 'd=&', '=', 'a+b=1', 'session=x'];

function text(next: (limit: number) => number, parts: string[], most: number, between: string): string {
  const chosen: string[] = [];
  for (let count = next(most + 1); count > 0; count--) chosen.push(parts[next(parts.length)]!);
  return chosen.join(between);
}

const rule = (input: Partial<CacheRule>): CacheRule => ({ ...cacheRule.parse({ type: 'all' }), ...input });
const key = (target: string, by?: CacheRule) => cacheKey('7', 'https', 'a.example', target, by);

describe('any path, normalised', () => {
  const next = chance(1);
  const paths = Array.from({ length: runs }, () => '/' + text(next, pathParts, 8, ''));

  it('starts with a slash, and has no way up, no dot and no empty segment', () => {
    for (const path of paths) {
      const segments = normalizePath(path).split('/');
      expect({ path, first: segments.shift() }).toEqual({ path, first: '' });
      const inner = segments.slice(0, -1);
      expect({
        path,
        found: inner.filter((segment) => segment === '' || segment === '.' || segment === '..'),
      }).toEqual({ path, found: [] });
      expect({ path, last: ['.', '..'].includes(segments.at(-1)!) }).toEqual({ path, last: false });
    }
  });

  it('does not change again, but for what is decoded a second time', () => {
    for (const path of paths) {
      const once = normalizePath(path);
      if (percentDecode(once) === once)
        expect({ path, again: normalizePath(once) }).toEqual({ path, again: once });
    }
  });

  it('is the same for a longer way to it', () => {
    for (const path of paths) {
      const plain = normalizePath(path);
      for (const longer of [`/x/..${path}`, `/.${path}`, `/${path}`, `/%2e${path}`, `/y/z/../%2E%2e${path}`])
        expect({ longer, path: normalizePath(longer) }).toEqual({ longer, path: plain });
    }
  });
});

describe('any key', () => {
  const next = chance(2);
  const targets = Array.from({ length: runs }, () => {
    const query = text(next, queryParts, 6, '&');
    return '/' + text(next, pathParts, 3, '') + (query === '' ? '' : `?${query}`);
  });

  it('tells all targets apart, where the whole query counts', () => {
    const seen = new Map<string, string>();
    for (const target of targets) {
      expect({ target, first: seen.get(key(target)) ?? target }).toEqual({ target, first: target });
      seen.set(key(target), target);
    }
  });

  it('does not hang on the order of arguments of different names, where they are sorted', () => {
    const sorted = rule({ query_policy: 'sorted' });
    for (const target of targets) {
      const [path, query] = target.split('?');
      if (query === undefined) continue;
      const names = query
        .split('&')
        .filter(Boolean)
        .map((part) => percentDecode(part.split('=')[0]!));
      // Those of one name keep their order, so that moving them is another request; so do names that not all read alike.
      if (new Set(names).size !== names.length || !names.every((name) => /^[\w-]+$/.test(name))) continue;
      const turned = `${path}?${query.split('&').toReversed().join('&')}`;
      expect({ target, key: key(turned, sorted) }).toEqual({ target, key: key(target, sorted) });
    }
  });

  it('of what is kept by name says nothing of the rest, and everything of the named', () => {
    const only = rule({ query_policy: 'include', query_names: ['a'] });
    const but = rule({ query_policy: 'exclude', query_names: ['session'] });
    for (const target of targets) {
      const mark = target.includes('?') ? '&' : '?';
      expect(key(`${target}${mark}session=1`, only)).toBe(key(target, only));
      expect(key(`${target}${mark}session=1`, but)).toBe(key(target, but));
      expect(key(`${target}${mark}a=secret`, only)).not.toBe(key(target, only));
    }
  });

  it('adds for fields and cookies what no other values add', () => {
    const apart = rule({ key_headers: ['x-a', 'x-b'], key_cookies: ['c'], vary_device: true });
    const values = ['', '1', '2', 'x-b=1:1', '1 x-b-', '3:1 x', 'c-', undefined];
    const seen = new Map<string, string>();
    for (const a of values)
      for (const b of values)
        for (const c of values) {
          const fields = { 'x-a': a, 'x-b': b, cookie: c === undefined ? undefined : `c=${c}` };
          const variant = cacheVariant(apart, fields);
          const written = JSON.stringify(fields);
          expect({ written, first: seen.get(variant) ?? written }).toEqual({ written, first: written });
          seen.set(variant, written);
        }
  });
});
