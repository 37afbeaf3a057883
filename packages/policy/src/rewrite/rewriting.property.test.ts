import { findPattern } from '@breakwater/contract/pattern-find';
import { redirectRule, urlRewriteRule } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { changeBody, startBodyChange } from './body.ts';
import { percentDecode } from '../http/path.ts';
import { decideRedirect, prepareRedirects } from './redirect.ts';
import { randomFrom } from '../lib/test-random.ts';
import { prepareUrlRewrites, rewriteUrl } from './url.ts';

/** What holds of every address and every content, tried on many that are made by chance, the same each time. */

const runs = 4000;

function chance(seed: number): (limit: number) => number {
  const random = randomFrom(seed);
  return (limit) => Math.floor(random() * limit);
}
const pieces = [
  '/',
  '//',
  '\\',
  '%2f',
  '%5c',
  '%09',
  '%0d%0a',
  '%00',
  '%25',
  '%3f',
  '%23',
  '?',
  '&',
  '=',
  '#',
  '@',
  ':',
  '.',
  '..',
  '%2e',
  'a',
  'evil.example',
  'https:',
  '\u00e4',
  '%',
  '"',
  '<',
];
const always = () => true;

function anyText(next: (limit: number) => number, from: string[], max: number): string {
  let text = '';
  for (let count = next(max); count > 0; count--) text += from[next(from.length)]!;
  return text;
}

function requestOf(target: string) {
  return {
    scheme: 'https',
    host: 'a.example',
    port: '443',
    target,
    method: 'GET',
    clientIp: '192.0.2.1',
    requestId: 'f',
  };
}

describe('an address made from a request', () => {
  const redirects = [
    { type: 'regex', from: '^/a([\\s\\S]*)$', to: '/$1' },
    { type: 'regex', from: '^/b([\\s\\S]*)$', to: '/x?from=$1' },
    { type: 'prefix', from: '/c/', to: '/' },
    { type: 'prefix', from: '/d/', to: 'https://b.example' },
    { type: 'domain', from: 'a.example', to: 'https://c.example' },
  ].map((rule) => prepareRedirects([redirectRule.parse(rule)]));
  const hosts = ['a.example', 'a.example', 'a.example', 'b.example', 'c.example'];

  it('leads to the host that the rule names, ends no line, and brings no argument of its own', () => {
    const next = chance(11);
    for (let run = 0; run < runs; run++) {
      const rule = next(redirects.length);
      const path = `/${'abcda'[rule]}${anyText(next, pieces, 8)}`;
      const request = requestOf(path);
      const location = decideRedirect(redirects[rule]!, request, always, findPattern)?.location;
      if (location === undefined) continue;
      expect(location, path).toMatch(/^[\x21-\x7e]*$/);
      const url = new URL(location, 'https://a.example/');
      expect(url.host, path).toBe(hosts[rule]);
      expect(url.hash, path).toBe('');
      if (rule === 1 && !path.includes('?')) expect([...url.searchParams.keys()], path).toEqual(['from']);
    }
  });

  it('asks the origin for one path, which says what the group held', () => {
    const next = chance(12);
    const rules = prepareUrlRewrites([
      urlRewriteRule.parse({ type: 'regex', from: '^/a([\\s\\S]*)$', to: '/t$1', keep_query: false }),
    ]);
    for (let run = 0; run < runs; run++) {
      const held = anyText(
        next,
        pieces.filter((piece) => !/^[?#]$/.test(piece)),
        8,
      );
      const { target, indexes } = rewriteUrl(rules, requestOf(`/a${held}`), always, findPattern);
      if (indexes.length === 0) continue;
      expect(target, held).toMatch(/^\/t[\x21-\x7e]*$/);
      expect(target, held).not.toMatch(/[?#\\]/);
      expect(percentDecode(target).length, held).toBeLessThanOrEqual(held.length + 2);
    }
  });
});

describe('content', () => {
  it('becomes the same however it is cut', () => {
    const next = chance(13);
    const letters = ['a', 'b', 'c', '<', '/', 'head>', '</HEAD>', '</body>'];
    for (let run = 0; run < runs; run++) {
      const finds = [anyText(next, letters, 4), anyText(next, letters, 3), anyText(next, letters, 2)];
      const rules = {
        replacements: finds
          .filter((find) => find !== '')
          .map((find, index) => ({ find, replace: `[${index}]`, enabled: true })),
        content_types: ['text/html'],
        max_bytes: 1024,
        head_html: '<h>',
        body_html: '<f>',
      };
      const text = anyText(next, letters, 30);
      const cut: string[] = [];
      for (let from = 0; from < text.length;) {
        const length = 1 + next(4);
        cut.push(text.slice(from, from + length));
        from += length;
      }
      expect(through(rules, cut), JSON.stringify({ text, finds, cut })).toBe(through(rules, [text]));
    }
  });
});

function through(rules: Parameters<typeof startBodyChange>[0], parts: string[]): string {
  const change = startBodyChange(rules, 'text/html')!;
  return parts.map((part) => changeBody(change, part, false)).join('') + changeBody(change, '', true);
}
