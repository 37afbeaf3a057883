import { blank, byteAt, digit, isKind, skip, word } from './bytes.ts';
import { decodeEscapes, hexNumber, utf8 } from './decode-bytes.ts';
import { isPlain } from './decode-text.ts';
import { isHarmlessJsonName, isHarmlessJsonText, keepJson } from './harmless.ts';
import { addOnce, addPart, type Collected } from './extract-form.ts';
import type { Place } from './types.ts';

/** Whether a text may be JSON with anything in it. */
export function looksLikeJson(text: string): boolean {
  const first = byteAt(text, skip(text, 0, blank));
  if (first !== 123 && first !== 91) return false;
  let at = text.length - 1;
  while (at > 0 && isKind(text.charCodeAt(at), blank)) at -= 1;
  const last = byteAt(text, at);
  return first === 123 ? last === 125 : last === 93;
}

interface Reader {
  text: string;
  place: Place;
  steps: string[];
  /** The names that lead to where the reader is; '' for items of lists. */
  path: string[];
  /** Whether each level is an object. */
  isObject: boolean[];
  /** The next text is a name. */
  wantsName: boolean;
  /** The value that follows has the name of a type. */
  isOfType: boolean;
}

const depthMax = 64;
/** No number and no word of JSON is longer. */
const wordMax = 30;

/** All texts of a JSON document, and names with more than letters in them. False where it is none. */
export function addJson(
  into: Collected,
  place: Place,
  text: string,
  name: string,
  steps: string[],
  isCut = false,
): boolean {
  const reader: Reader = {
    text,
    place,
    steps: [...steps, 'json'],
    path: [name],
    isObject: [],
    wantsName: false,
    isOfType: false,
  };
  const before = into.parts.length;
  let at = skip(text, 0, blank);
  while (at < text.length) {
    const next = stepAt(reader, into, at);
    if (next < 0 && isCut && isCutAt(reader, at)) {
      addPart(into, {
        place,
        name: nameOf(reader.path),
        value: text.substring(at),
        isName: false,
        steps: reader.steps,
      });
      return true;
    }
    if (next < 0) {
      while (into.parts.length > before) into.parts.pop();
      return false;
    }
    at = skip(text, next, blank);
  }
  return true;
}

/** Whether what is no JSON from here on may be for its end that is not there: a text without its second quote, half a word. */
function isCutAt({ text, wantsName }: Reader, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 34) return true;
  return !wantsName && code !== 123 && code !== 91 && text.length - at < wordMax;
}

/** One sign, text or word; answers with the place after it, -1: this is no JSON. */
function stepAt(reader: Reader, into: Collected, at: number): number {
  const { text, path, isObject } = reader;
  const code = text.charCodeAt(at);
  if (reader.wantsName && code !== 34 && code !== 125) return -1;
  if (code === 123 || code === 91) {
    if (isObject.length >= depthMax) {
      addOnce(into.capped, 'depth');
      return -1;
    }
    isObject.push(code === 123);
    path.push('');
    reader.wantsName = code === 123;
    reader.isOfType = false;
    return at + 1;
  }
  if (code === 125 || code === 93) {
    if (isObject.pop() === undefined) return -1;
    path.pop();
    reader.wantsName = false;
    reader.isOfType = false;
    return at + 1;
  }
  if (code === 44) {
    reader.wantsName = isObject.length > 0 && isObject[isObject.length - 1]!;
    return at + 1;
  }
  if (code === 58) return at + 1;
  if (code === 34) return textAt(reader, into, at);
  const stop = literalEnd(text, at);
  if (into.withLiterals === true && stop > at && code !== 110)
    addPart(into, {
      place: reader.place,
      name: nameOf(path),
      value: text.substring(at, stop),
      isName: false,
      steps: reader.steps,
    });
  return stop;
}

/** By their first bytes. */
const literals: Record<number, string> = { 116: 'true', 102: 'false', 110: 'null' };

/** After a number, `true`, `false` or `null`. */
function literalEnd(text: string, at: number): number {
  const literal = literals[byteAt(text, at)];
  if (literal !== undefined && text.startsWith(literal, at)) return at + literal.length;
  let stop = at;
  while (isNumberByte(byteAt(text, stop))) stop += 1;
  return stop > at && !isKind(byteAt(text, stop), word) ? stop : -1;
}

/** Digits, signs, the point and the `e` of an exponent. */
function isNumberByte(code: number): boolean {
  return isKind(code, digit) || code === 45 || code === 43 || code === 46 || code === 101 || code === 69;
}

function textAt(reader: Reader, into: Collected, at: number): number {
  const { text, path, place, steps } = reader;
  let stop = text.indexOf('"', at + 1);
  while (stop >= 0 && isEscaped(text, stop)) stop = text.indexOf('"', stop + 1);
  if (stop < 0) return -1;
  const raw = text.substring(at + 1, stop);
  const isName = reader.wantsName;
  reader.wantsName = false;
  if (into.isOfUnknown === true) {
    if (isName && isHarmlessJsonName(raw)) {
      path[path.length - 1] = raw;
      reader.isOfType = false;
      return stop + 1;
    }
    // Only a type's name makes more of its value.
    if (!isName && !reader.isOfType && isHarmlessJsonText(raw)) return stop + 1;
  }
  const value = unescaped(raw);
  if (isName) {
    path[path.length - 1] = value;
    reader.isOfType = value.endsWith('type');
  }
  if (isName && isPlain(value)) keepJson(raw, true);
  else addPart(into, { place, name: nameOf(path), value, isName, steps, raw });
  return stop + 1;
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (byteAt(text, at - 1 - count) === 92) count += 1;
  return count % 2 === 1;
}

function nameOf(path: string[]): string {
  const names: string[] = [];
  for (const each of path) if (each !== '') names.push(each);
  return names.join('.');
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' };

/** JSON's own escapes and no others: what else is escaped is for the next reader. */
function unescaped(text: string): string {
  if (text.indexOf('\\') < 0) return text;
  const out: string[] = [];
  let start = 0;
  let at = text.indexOf('\\');
  while (at >= 0) {
    const mark = text.substring(at + 1, at + 2);
    const code = mark === 'u' ? hexNumber(text, at + 2, 4) : -1;
    const control = controls[mark];
    out.push(
      text.substring(start, at),
      code >= 0 ? utf8(code) : typeof control === 'string' ? control : mark,
    );
    start = code >= 0 ? at + 6 : at + 2;
    at = text.indexOf('\\', start);
  }
  out.push(text.substring(start));
  return out.join('');
}

/** The texts of data that is no whole document, as of a body that was cut: what stands between quotes. */
export function addQuoted(into: Collected, place: Place, text: string, steps: string[]): void {
  let at = text.indexOf('"');
  while (at >= 0) {
    let stop = text.indexOf('"', at + 1);
    while (stop >= 0 && isEscaped(text, stop)) stop = text.indexOf('"', stop + 1);
    const raw = text.substring(at + 1, stop < 0 ? text.length : stop);
    const isEscaping = raw.indexOf('\\') >= 0;
    if (isEscaping || into.isOfUnknown !== true || !isHarmlessJsonText(raw))
      addPart(into, {
        place,
        name: '',
        value: decodeEscapes(raw),
        isName: false,
        steps: [...steps, 'quoted'],
        ...(isEscaping ? {} : { raw }),
      });
    at = stop < 0 ? -1 : text.indexOf('"', stop + 1);
  }
}
