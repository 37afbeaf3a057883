import type { FilterCategory } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { findViolations, type VisitedPage } from './find-violations.ts';
import { foldText } from './fold-text.ts';
import { decodePage, readPage } from './page-text.ts';
import { searchFor } from './word-search.ts';

function all(words: string[], text: string): string[] {
  const found: string[] = [];
  searchFor(words).each(text, (word, start, end) => {
    expect(text.slice(start, end)).toBe(words[word]);
    found.push(`${words[word]}@${start}`);
    return true;
  });
  return found;
}

describe('the search for words', () => {
  it('finds those that overlap, stand within others, begin alike and are there twice', () => {
    expect(all(['he', 'she', 'his', 'hers'], 'ushers')).toEqual(['she@1', 'he@2', 'hers@2']);
    expect(all(['aa', 'aaa'], 'aaaa')).toEqual(['aa@0', 'aaa@0', 'aa@1', 'aaa@1', 'aa@2']);
    expect(all(['abcd', 'bc', 'c'], 'abcx')).toEqual(['bc@1', 'c@2']);
    expect(all(['赌博', '博彩', '赌'], '网络赌博彩票')).toEqual(['赌@2', '赌博@2', '博彩@3']);
    expect(all(['same', 'same', ''], 'same')).toEqual(['same@0', 'same@0']);
    expect(all([], 'nothing')).toEqual([]);
  });

  it('agrees with a search word by word', () => {
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const text = Array.from({ length: 3000 }, () => 'abc'[next(3)]).join('');
    const words = [
      ...new Set(
        Array.from({ length: 200 }, () => Array.from({ length: 1 + next(6) }, () => 'abc'[next(3)]).join('')),
      ),
    ];
    const expected = words.flatMap((word) =>
      Array.from({ length: text.length }, (_, at) => at).flatMap((at) =>
        text.startsWith(word, at) ? [`${word}@${at}`] : [],
      ),
    );
    expect(all(words, text).toSorted()).toEqual(expected.toSorted());
  });

  it('holds 100,000 words, and passes once over the text', () => {
    const words = Array.from(
      { length: 100_000 },
      (_, n) => `词${n.toString(36)}汇${(n * 7919).toString(36)}`,
    );
    const search = searchFor(words);
    const text = `${'词'.repeat(500_000)}${words[99_999]}`;
    const found: number[] = [];
    search.each(text, (word) => found.push(word) > 0);
    expect(found).toContain(99_999);
  });
});

it('folds case, width, what is invisible, and spaces within Chinese', () => {
  expect(foldText('ＡＢＣ Casino').text).toBe('abc casino');
  expect(foldText('赌\u200b博　网 站 ok  go').text).toBe('赌博网站 ok go');
  const { text, at } = foldText('a 赌 博');
  expect([text, [...at]]).toEqual(['a 赌博', [0, 1, 2, 4]]);
});

describe('a page', () => {
  it('is read as it is seen: through inline tags, without scripts and comments, with what is said beside it', () => {
    const page = readPage(
      '<title>T</title><p>赌<b>博</b>&#x7F51;</p><p>a</p>b<script>var 隐="</p>"</SCRIPT ><!-- hidden --><img src=/x.png alt="图"><a href="/n?a=1&amp;b=2">n</a>',
    );
    expect(page.text).toContain('赌博网');
    expect(page.text).toContain('图');
    expect(page.text).not.toMatch(/隐|hidden|ab/);
    expect(page).toMatchObject({ links: ['/n?a=1&b=2'], images: ['/x.png'] });
  });

  it.each([
    '<',
    '<<<<',
    '<a href="',
    '<!--',
    '<script>',
    '&#99999999;',
    '<a ='.repeat(50_000),
    '&#'.repeat(50_000),
  ])('that is broken is read to its end: %#', (html) => {
    expect(typeof readPage(html).text).toBe('string');
  });

  it('is decoded by header, by itself, and as GB18030 where it is no UTF-8', () => {
    const gbk = Uint8Array.of(0xb6, 0xc4, 0xb2, 0xa9);
    const big5 = Uint8Array.of(0xbd, 0xe4, 0xb3, 0xd5);
    const meta = new TextEncoder().encode('<meta charset="gbk">');
    expect(decodePage(gbk, 'text/html; charset=GBK')).toBe('赌博');
    expect(decodePage(gbk, 'text/html')).toBe('赌博');
    expect(decodePage(new Uint8Array([...meta, ...gbk]), 'text/html')).toContain('赌博');
    expect(decodePage(big5, 'text/html; charset=big5')).toBe('賭博');
    expect(decodePage(new TextEncoder().encode('赌博'), '')).toBe('赌博');
    expect(decodePage(gbk, 'text/html; charset=nonsense')).toBe('赌博');
  });
});

describe('what is found', () => {
  const category = (more: Partial<FilterCategory>): FilterCategory => ({
    name: 'gambling',
    action: 'tell',
    line_group_ids: [],
    words: [],
    patterns: [],
    content_hashes: [],
    image_hashes: [],
    image_distance: 8,
    ...more,
  });
  const page = (content: string, hash = ''): VisitedPage => ({
    url: 'http://a/',
    content,
    isHtml: false,
    hash,
  });
  const words = (content: string, more: Partial<FilterCategory>) =>
    findViolations([page(content)], [category(more)]).map(({ word }) => word);

  it('says where, by which category, and what stands around it', () => {
    expect(
      findViolations([page('这里有网络赌 博平台，请注意')], [category({ words: ['赌博'] })]),
    ).toMatchObject([
      {
        kind: 'word',
        category: 'gambling',
        word: '赌博',
        excerpt: '这里有网络赌 博平台，请注意',
        action: 'tell',
      },
    ]);
  });

  it('is a whole word in Latin letters', () => {
    expect(words('the class of Casino', { words: ['ass', 'CASINO'] })).toEqual(['CASINO']);
  });

  it('is a pattern whose parts stand near each other, in their order', () => {
    const patterns = ['代开*发票'];
    expect(words('专业代开各类正规发票', { patterns })).toEqual(patterns);
    expect(words(`代开${'远'.repeat(21)}发票`, { patterns })).toEqual([]);
    expect(words('发票代开', { patterns })).toEqual([]);
    expect(words('x a b a c', { patterns: ['a*c'] })).toEqual(['a*c']);
  });

  it('is content by its hash, and of each page twenty at most', () => {
    const hash = 'a'.repeat(64);
    expect(findViolations([page('', hash)], [category({ content_hashes: [hash] })])).toMatchObject([
      { kind: 'hash' },
    ]);
    const many = Array.from({ length: 50 }, (_, n) => `词${n}号`);
    expect(words(many.join(' '), { words: many })).toHaveLength(20);
  });
});
