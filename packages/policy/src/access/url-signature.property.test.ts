import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { UrlSigning } from '@breakwater/contract/site-config/url-signing';
import { randomFrom } from '../lib/test-random.ts';
import { checkSignature } from './url-signature.ts';

/** Links are signed here as their makers do, and judged by the code of the edge. */

const random = randomFrom(20_261);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const below = (max: number) => Math.floor(random() * max);
const word = (letters: string, max: number) =>
  Array.from({ length: 1 + below(max) }, () => pick(letters.split(''))).join('');

const md5 = (text: string) => createHash('md5').update(text, 'latin1').digest('hex');
const types = ['A', 'B', 'C'] as const;
type SigningType = (typeof types)[number];

interface Link {
  type: SigningType;
  path: string;
  /** Without the question mark. */
  query: string;
  secret: string;
  seconds: number;
}

function randomLink(type: SigningType = pick(types)): Link {
  const segments = Array.from({ length: 1 + below(4) }, () => word('abcXYZ019-_.~%/', 8));
  const query = below(2) === 0 ? '' : `${word('abc', 4)}=${word('abc=%', 6)}`;
  // Whole minutes, as type B has them.
  const seconds = 60 * (25_000_000 + below(10_000_000));
  return { type, path: `/${segments.join('/')}`, query, secret: word('secret!KEY0', 20), seconds };
}

function signed({ type, path, query, secret, seconds }: Link): string {
  if (type === 'A') {
    const value = `${seconds}-${word('0a', 3)}-${word('0b', 3)}`;
    const argument = `auth_key=${value}-${md5(`${path}-${value}-${secret}`)}`;
    return `${path}?${query === '' ? argument : pick([`${argument}&${query}`, `${query}&${argument}`])}`;
  }
  const rest = query === '' ? '' : `?${query}`;
  if (type === 'B') {
    const time = new Date((seconds + 8 * 3600) * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 12);
    return `/${time}/${md5(secret + time + path)}${path}${rest}`;
  }
  const time = seconds.toString(16);
  return `/${md5(secret + path + time)}/${time}${path}${rest}`;
}

const settingsFor = ({ type, secret }: Link, more: Partial<UrlSigning> = {}): UrlSigning => ({
  enabled: true,
  type,
  secret,
  valid_seconds: 600,
  argument: 'auth_key',
  ...more,
});
const judge = (link: Link, target: string, now = link.seconds, more: Partial<UrlSigning> = {}) =>
  checkSignature(settingsFor(link, more), target, now, md5);

it('every link that was signed opens for as long as it is good, and leaves its own target', () => {
  for (let round = 0; round < 3000; round++) {
    const link = randomLink();
    const target = signed(link);
    const bare = link.query === '' ? link.path : `${link.path}?${link.query}`;
    for (const age of [0, 1, 600]) {
      const verdict = judge(link, target, link.seconds + age);
      expect({ target, verdict }).toEqual({ target, verdict: { state: 'good', target: bare } });
    }
    expect(judge(link, target, link.seconds + 601).state).toBe('expired');
  }
});

it('the key before opens too, and no other key does', () => {
  for (let round = 0; round < 1000; round++) {
    const link = randomLink();
    const target = signed(link);
    const other = `${link.secret}x`;
    expect(judge(link, target, link.seconds, { secret: other, previous_secret: link.secret }).state).toBe(
      'good',
    );
    expect(judge(link, target, link.seconds, { secret: other }).state).toBe('bad');
    expect(judge(link, target, link.seconds, { secret: '', previous_secret: '' }).state).toBe('bad');
  }
});

it('a link of which any sign of path, time or signature is another opens nothing else', () => {
  for (let round = 0; round < 3000; round++) {
    const link = { ...randomLink(), query: '' };
    const target = signed(link);
    const at = 1 + below(target.length - 1);
    const sign = pick('abc019/%.-_?&'.split('').filter((each) => each !== target[at]));
    const changed = target.slice(0, at) + sign + target.slice(at + 1);
    const { state, target: opened } = judge(link, changed);
    // What follows a question mark is not signed, but in type A; so only the path that was signed may open.
    if (state === 'good') expect([changed, opened.split('?')[0]]).toEqual([changed, link.path]);
  }
});

it('a link of one type is none of another', () => {
  for (let round = 0; round < 1000; round++) {
    const link = randomLink();
    const type = pick(types.filter((each) => each !== link.type));
    expect(judge(link, signed(link), link.seconds, { type }).state).not.toBe('good');
  }
});
