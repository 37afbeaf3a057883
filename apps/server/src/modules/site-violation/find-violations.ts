import type { FilterAction, FilterCategory, ViolationKind } from '@breakwater/contract';
import { foldText, type Folded } from './fold-text.ts';
import { imageDistance } from './image-distance.ts';
import { readPage } from './page-text.ts';
import { searchFor, type WordSearch } from './word-search.ts';

/** Looks through pages for what the setting names. It runs in a thread of its own (`find-violations-worker.ts`). */

export interface VisitedPage {
  url: string;
  /** Decoded; empty of what is no text. */
  content: string;
  isHtml: boolean;
  /** SHA-256 of the bytes as they came. */
  hash: string;
  /** Of a picture: see `imageHash`. */
  likeness?: string | undefined;
}
export interface Found {
  url: string;
  kind: ViolationKind;
  category: string;
  word: string;
  excerpt: string;
  hash: string;
  action: FilterAction;
}

/** Of one page; more of them say nothing more. */
const foundPerPageMax = 20;
export const excerptRadius = 40;
const gapMax = 20;

/** One word, or the parts of a pattern of which the first is searched for. */
interface Wanted {
  category: FilterCategory;
  said: string;
  parts: string[];
}

export function findViolations(
  pages: readonly VisitedPage[],
  categories: readonly FilterCategory[],
): Found[] {
  const wanted = categories.flatMap((category) => [
    ...category.words.map((word): Wanted => ({ category, said: word, parts: [foldText(word).text] })),
    ...category.patterns.map((pattern): Wanted => ({
      category,
      said: pattern,
      parts: pattern.split('*').map((part) => foldText(part.trim()).text),
    })),
  ]);
  const search = searchFor(wanted.map(({ parts }) => parts[0]!));
  return pages.flatMap((page) => [
    ...hashesOf(page, categories),
    ...likenessesOf(page, categories),
    ...(page.content === '' ? [] : wordsOf(page, search, wanted)),
  ]);
}

const hashesOf = ({ url, hash }: VisitedPage, categories: readonly FilterCategory[]): Found[] =>
  categories
    .filter(({ content_hashes: hashes }) => hashes.includes(hash))
    .map(({ name, action }) => ({
      url,
      kind: 'hash',
      category: name,
      word: hash,
      excerpt: '',
      hash,
      action,
    }));

/** The listed picture that a page's is most like, of each category. */
function likenessesOf({ url, hash, likeness }: VisitedPage, categories: readonly FilterCategory[]): Found[] {
  if (likeness === undefined) return [];
  return categories.flatMap(({ name, action, image_hashes: listed, image_distance: most }) => {
    const [nearest] = listed
      .map((each) => ({ each, distance: imageDistance(each, likeness) }))
      .filter(({ distance }) => distance <= most)
      .toSorted((one, other) => one.distance - other.distance);
    if (nearest === undefined) return [];
    const excerpt = `${likeness} (${nearest.distance} / 64)`;
    return [{ url, kind: 'image', category: name, word: nearest.each, excerpt, hash, action }];
  });
}

function wordsOf({ url, content, isHtml, hash }: VisitedPage, search: WordSearch, wanted: readonly Wanted[]) {
  const text = isHtml ? readPage(content).text : content;
  const folded = foldText(text);
  const found = new Map<Wanted, Found>();
  search.each(folded.text, (index, start, end) => {
    const one = wanted[index]!;
    if (found.has(one)) return true;
    const last = endOf(folded.text, one.parts, start, end);
    if (last === undefined) return true;
    const { name, action } = one.category;
    const kind = one.parts.length === 1 ? 'word' : 'pattern';
    const excerpt = excerptOf(text, folded, start, last);
    found.set(one, { url, kind, category: name, word: one.said, excerpt, hash, action });
    return found.size < foundPerPageMax;
  });
  return [...found.values()];
}

/** Where it ends, with the parts that follow at most so far apart; nothing where it is none. */
function endOf(
  text: string,
  [, ...parts]: readonly string[],
  start: number,
  end: number,
): number | undefined {
  let ends = [end];
  for (const part of parts) {
    const next = new Set<number>();
    for (const from of ends)
      for (let at = from; at <= from + gapMax; at++)
        if (text.startsWith(part, at)) next.add(at + part.length);
    ends = [...next];
  }
  return ends.find((last) => isApart(text, start, last));
}

const isLetter = (text: string, at: number): boolean => /[a-z0-9]/.test(text[at] ?? '');

/** Words in Latin letters are whole ones: no `ass` in `class`. */
const isApart = (text: string, start: number, end: number): boolean =>
  !(isLetter(text, start) && isLetter(text, start - 1)) && !(isLetter(text, end - 1) && isLetter(text, end));

function excerptOf(text: string, { at }: Folded, start: number, end: number): string {
  const from = Math.max(0, at[start]! - excerptRadius);
  const to = Math.min(text.length, at[end - 1]! + 1 + excerptRadius);
  // Half of a pair at either end is none that a database takes.
  return text
    .slice(from, to)
    .toWellFormed()
    .replaceAll(/\s+|\0/g, ' ')
    .trim();
}
