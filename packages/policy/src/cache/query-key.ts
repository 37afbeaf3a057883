import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { percentDecode } from '../http/path.ts';
import { lowerAscii } from '../lib/text.ts';

interface Argument {
  text: string;
  /** Decoded. */
  name: string;
}

/** Past these some origins stop reading: PHP and Express after 1000 arguments, IIS after 2048 bytes. */
const argumentsMax = 100;
const queryBytesMax = 1024;

/**
 * What of a query tells cached answers apart. `all` keeps it byte for byte; `sorted`, `include` and `exclude` keep the named
 * or the other arguments (`sorted`: all), ordered by name, so that the order a visitor wrote them in does not matter. Arguments
 * of one name keep their order, since many origins read them as a list.
 *
 * `&` separates arguments. Origins do not all read them alike, and the origin is sent the whole query: so what one of them
 * could read otherwise stays in the key (docs/caching.md, "Arguments that are not in the key").
 */
export function queryForKey(rule: EdgeCacheRule | undefined, query: string | undefined): string | undefined {
  if (rule === undefined || rule.query_policy === 'all' || query === undefined) return query;
  if (rule.query_policy === 'none') return undefined;
  const texts = query.split('&');
  if (texts.length > argumentsMax || query.length > queryBytesMax || hasOtherSeparator(query)) return query;
  const kept: Argument[] = [];
  let isSorted = true;
  for (const text of texts) {
    if (text === '') continue;
    const equals = text.indexOf('=');
    const written = equals < 0 ? text : text.substring(0, equals);
    const name = percentDecode(written);
    if (mayLeaveOut(rule, text, written, name)) continue;
    const group = groupOf(name);
    if (group === undefined) isSorted = false;
    kept.push({ text, name: group ?? '' });
  }
  if (kept.length === 0) return undefined;
  const parts: string[] = [];
  for (const argument of isSorted ? sortedByName(kept) : kept) parts.push(argument.text);
  return parts.join('&');
}

function mayLeaveOut(rule: EdgeCacheRule, text: string, written: string, name: string): boolean {
  if (rule.query_policy === 'sorted' || !isUtf8(percentDecode(text))) return false;
  if (rule.query_policy === 'include') return !mayBeNamed(rule.query_names, name);
  return isPlainName(written) && isNamed(rule.query_names, written);
}

function isNamed(names: string[], name: string): boolean {
  for (const candidate of names) if (candidate === name) return true;
  return false;
}

/**
 * Whether anything but `&` may separate arguments or end the query: `;` (Rack, Python and Perl of old), `?`, `#`, one of
 * these or `&` where the query is decoded first, and bytes at which texts end.
 */
function hasOtherSeparator(query: string): boolean {
  for (let index = 0; index < query.length; index++) if (isSeparator(query.charCodeAt(index))) return true;
  if (query.indexOf('%') < 0) return false;
  const decoded = percentDecode(query);
  let ampersands = 0;
  for (let index = 0; index < decoded.length; index++) {
    const code = decoded.charCodeAt(index);
    // A space is common in values and separates nothing. A `%` was no escape, or would be one if decoded again.
    if ((code !== 32 && isSeparator(code)) || code === 37) return true;
    if (code === 38) ampersands += 1;
  }
  return ampersands !== query.split('&').length - 1;
}

/** `#`, `;`, `?`, a backslash, spaces and control characters. */
const isSeparator = (code: number): boolean =>
  code <= 32 || code === 35 || code === 59 || code === 63 || code === 92 || code === 127;

/** Letters, digits, `-` and `_`: nobody makes another name of it, but for the case of letters. */
function isPlainName(name: string): boolean {
  for (let index = 0; index < name.length; index++) if (!isPlain(name.charCodeAt(index))) return false;
  return name !== '';
}

const isPlain = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 95;

/** What begins a part of a name, or is made one name with it: `a[b]`, `a.b`, `a b` (PHP: `a_b`). */
const isJoint = (code: number): boolean =>
  code === 91 || code === 46 || code === 32 || code === 43 || code === 61;

/** Whether some origin may take it for one of the names: in another case, as a part of one, or in PHP's spelling. */
function mayBeNamed(names: string[], name: string): boolean {
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) > 127) return true;
  const read = withoutSpaces(lowerAscii(name));
  for (const named of names) {
    const wanted = withoutSpaces(lowerAscii(named));
    if (joined(read) === joined(wanted)) return true;
    const root = wanted.substring(0, rootLength(wanted));
    if (read.startsWith(root) && read.length > root.length && isJoint(read.charCodeAt(root.length)))
      return true;
    if (read === root) return true;
  }
  return false;
}

function withoutSpaces(name: string): string {
  let start = 0;
  while (start < name.length && (name.charCodeAt(start) === 32 || name.charCodeAt(start) === 43)) start += 1;
  return name.substring(start);
}

function joined(name: string): string {
  const parts: string[] = [];
  for (let index = 0; index < name.length; index++)
    parts.push(isJoint(name.charCodeAt(index)) ? '_' : name.substring(index, index + 1));
  return parts.join('');
}

function rootLength(name: string): number {
  let end = 0;
  while (end < name.length && !isJoint(name.charCodeAt(end))) end += 1;
  return end;
}

/** What names that may be one are sorted as; nothing where that is not sure, and the order stays as written. */
function groupOf(name: string): string | undefined {
  const end = name.indexOf('[');
  const root = end < 0 ? name : name.substring(0, end);
  if (!isPlainName(root) || (end >= 0 && !isBracketed(name.substring(end)))) return undefined;
  return lowerAscii(root);
}

/** `[a][b]`, `[]`. */
function isBracketed(text: string): boolean {
  let isOpen = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 91 || code === 93) {
      if (isOpen === (code === 91)) return false;
      isOpen = !isOpen;
    } else if (!isOpen || !isPlain(code)) return false;
  }
  return !isOpen;
}

/** RFC 3629: no overlong forms, no surrogates. Of anything else some origins read nothing. */
function isUtf8(text: string): boolean {
  let index = 0;
  while (index < text.length) {
    const first = text.charCodeAt(index);
    const more = bytesAfter(first);
    if (more < 0 || index + more >= text.length) return false;
    for (let offset = 1; offset <= more; offset++) {
      const code = text.charCodeAt(index + offset);
      if (code < 128 || code > 191) return false;
    }
    const second = more === 0 ? 0 : text.charCodeAt(index + 1);
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return false;
    if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return false;
    index += more + 1;
  }
  return true;
}

function bytesAfter(first: number): number {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

/** A merge sort, for it is stable in both languages and no long query makes it quadratic. */
function sortedByName(list: Argument[]): Argument[] {
  if (list.length < 2) return list;
  const middle = Math.floor(list.length / 2);
  const left: Argument[] = [];
  const right: Argument[] = [];
  for (let index = 0; index < list.length; index++) (index < middle ? left : right).push(list[index]!);
  const a = sortedByName(left);
  const b = sortedByName(right);
  const merged: Argument[] = [];
  let j = 0;
  for (const item of a) {
    while (j < b.length && b[j]!.name < item.name) merged.push(b[j++]!);
    merged.push(item);
  }
  while (j < b.length) merged.push(b[j++]!);
  return merged;
}
