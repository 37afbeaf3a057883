import { mediaType } from '../http/content-type.ts';
import { lowerAscii } from '../lib/text.ts';
import { mayHoldText } from '../rewrite/body.ts';
import { byteAt, isKind, word } from './bytes.ts';

/** What is looked at of an answer, and where in it something stands. All of it is byte strings. */

export type LeakType = 'html' | 'json' | 'xml' | 'script' | 'plain' | 'file';

export interface LeakAnswer {
  type: LeakType;
  status: number;
  /** The path that the origin was asked for, without the query. */
  path: string;
  /** Its beginning. */
  text: string;
  /** There is no more of it. */
  isWhole: boolean;
}

const programs: Record<string, boolean> = {
  'application/sql': true,
  'application/x-sql': true,
  'application/x-httpd-php': true,
  'application/x-httpd-php-source': true,
  'application/x-pem-file': true,
  'application/x-sh': true,
  'application/x-yaml': true,
  'application/yaml': true,
  'multipart/byteranges': true,
};

/** How an answer is read by what it says of itself; nothing: it is not read. `file`: any kind of file, or what states no type. */
export function leakTypeOf(contentType: string | undefined, path: string): LeakType | undefined {
  const type = mediaType(contentType ?? '');
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/event-stream' || type === 'text/css') return undefined;
  if (type === '' || type === 'application/octet-stream') return mayHoldText(path) ? 'file' : undefined;
  if (type.indexOf('json') >= 0) return 'json';
  if (type.indexOf('javascript') >= 0 || type.indexOf('ecmascript') >= 0) return 'script';
  if (type === 'image/svg+xml') return undefined;
  if (type.endsWith('/xml') || type.endsWith('+xml')) return 'xml';
  return type.startsWith('text/') || programs[type] === true ? 'plain' : undefined;
}

/** Nobody reads a file as text that has such bytes near its beginning. */
export function isBinary(text: string): boolean {
  const end = text.length > 512 ? 512 : text.length;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code < 9 || (code > 13 && code < 27)) return true;
  }
  return false;
}

const byteOrderMark = String.fromCharCode(239, 187, 191);

/** The text behind a byte order mark. */
export const withoutMark = (text: string): string =>
  text.startsWith(byteOrderMark) ? text.substring(3) : text;

/** The first place that is not blank. */
export function beginningOf(text: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Within some bytes from a place on. */
export function isNear(text: string, part: string, at: number, bytes: number): boolean {
  const found = text.indexOf(part, at);
  return found >= 0 && found <= at + bytes;
}

/** So many places of each kind are looked at: more of them tell no more, and cost. */
export const placesMax = 20;

/** The end of what consists of these bytes, and no further than `max` of them; `bytes`: each once. */
export function endOfRun(text: string, at: number, bytes: Record<string, true>, max = text.length): number {
  let end = at;
  while (end < text.length && end - at < max && bytes[text.substring(end, end + 1)] === true) end += 1;
  return end;
}

export function bytesIn(text: string): Record<string, true> {
  const found: Record<string, true> = {};
  for (let index = 0; index < text.length; index++) found[text.substring(index, index + 1)] = true;
  return found;
}

export const isWordAt = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && isKind(text.charCodeAt(at), word);

/** How often something stands in a text, counted up to a number. */
export function timesIn(text: string, part: string, max: number): number {
  let times = 0;
  let at = text.indexOf(part);
  while (at >= 0 && times < max) {
    times += 1;
    at = text.indexOf(part, at + part.length);
  }
  return times;
}

const quoting = ['pre', 'code', 'textarea', 'blockquote', 'samp', 'xmp', 'script type="text/plain"'];

/** Whether a page shows something as an example does: within `<pre>` and its like, or in a fenced block of Markdown. */
export function isQuoted({ text, status }: LeakAnswer, at: number): boolean {
  // What a server shows of its own failure stands within `<pre>` as well.
  if (status >= 500) return false;
  const before = text.substring(0, at);
  for (const name of quoting)
    if (isWithin(before, `<${name}`, `</${name}`) || isWithin(before, `\\u003c${name}`, `\\u003c/${name}`))
      return true;
  return timesIn(before, '```', 1000) % 2 === 1;
}

/** Of a text that ends at the place in question: what was opened last was not closed. */
function isWithin(before: string, open: string, close: string): boolean {
  let at = before.indexOf(open);
  let last = -1;
  while (at >= 0) {
    last = at;
    at = before.indexOf(open, at + 1);
  }
  return last >= 0 && before.indexOf(close, last) < 0;
}

const nameBytesMax = 200;
const secretNames = ['key', 'pem', 'secret', 'token', 'password', 'passwd', 'credential', 'auth', 'cert'];

/** Whether the value of JSON in which something stands has the name of a secret. Of others visitors may have written the value. */
export function isNamedSecret(text: string, at: number): boolean {
  const first = at > nameBytesMax ? at - nameBytesMax : 0;
  const opening = quoteBefore(text, at, first);
  let end = opening - 1;
  while (end > first && byteAt(text, end) <= 32) end -= 1;
  if (opening < 0 || byteAt(text, end) !== 58) return false;
  const closing = quoteBefore(text, end, first);
  const begin = closing < 0 ? -1 : quoteBefore(text, closing, first);
  if (begin < 0) return false;
  const name = lowerAscii(text.substring(begin + 1, closing));
  for (const one of secretNames) if (name.indexOf(one) >= 0) return true;
  return false;
}

/** The last quote before a place that no backslash stands before; -1: none from `first` on. */
function quoteBefore(text: string, at: number, first: number): number {
  for (let index = at - 1; index >= first; index--)
    if (byteAt(text, index) === 34 && byteAt(text, index - 1) !== 92) return index;
  return -1;
}

const shortBytes = 2048;
const beginningBytes = 100;

/**
 * What a message that software writes about itself is worth: an answer of its own is an error page, a place in a long text may be about
 * one, and where nothing failed a visitor may have written it, but for the very beginning of a page.
 */
export function scoreOfMessage(answer: LeakAnswer, at: number): number {
  const { type, text, status, isWhole } = answer;
  if (status >= 500) return 6;
  if (isQuoted(answer, at)) return 0;
  if (!isWhole || text.length > shortBytes) return 4;
  // Of plain text somebody may have pasted it.
  const isPage = type === 'html' || type === 'json' || type === 'xml';
  if (status >= 400) return isPage ? 6 : 4;
  return type === 'html' && at <= beginningOf(text) + beginningBytes ? 6 : 4;
}
