import { byteAt, hexValue } from './bytes.ts';

/**
 * One kind of decoding each: the text that comes out, or the same text where there is nothing of that kind. All are one pass.
 */

/** A Unicode code point as UTF-8. */
export function utf8(code: number): string {
  if (code < 128) return String.fromCharCode(code);
  if (code < 2048) return String.fromCharCode(192 + Math.floor(code / 64), 128 + (code % 64));
  if (code < 65536)
    return String.fromCharCode(
      224 + Math.floor(code / 4096),
      128 + (Math.floor(code / 64) % 64),
      128 + (code % 64),
    );
  if (code > 1_114_111) return '?';
  return String.fromCharCode(
    240 + Math.floor(code / 262_144),
    128 + (Math.floor(code / 4096) % 64),
    128 + (Math.floor(code / 64) % 64),
    128 + (code % 64),
  );
}

/** `count` hexadecimal digits from `index` on as a number, -1 where they are not. */
export function hexNumber(text: string, index: number, count: number): number {
  let value = 0;
  for (let at = index; at < index + count; at++) {
    const next = hexValue(byteAt(text, at));
    if (next < 0) return -1;
    value = value * 16 + next;
  }
  return value;
}

/** `%41`, `%u0041`; with `plus` also `+` for a blank, as forms write it. */
export function decodePercent(text: string, plus: boolean): string {
  if (text.indexOf('%') < 0 && !(plus && text.indexOf('+') >= 0)) return text;
  const out: string[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    let piece = '';
    let length = 0;
    if (code === 43 && plus) {
      piece = ' ';
      length = 1;
    } else if (code === 37) {
      const isWide = byteAt(text, at + 1) === 117 || byteAt(text, at + 1) === 85;
      const value = isWide ? hexNumber(text, at + 2, 4) : hexNumber(text, at + 1, 2);
      if (value >= 0) {
        piece = isWide ? utf8(value) : String.fromCharCode(value);
        length = isWide ? 6 : 3;
      }
    }
    if (length > 0) {
      out.push(text.substring(start, at), piece);
      at += length;
      start = at;
    } else at += 1;
  }
  out.push(text.substring(start));
  return out.join('');
}

export function hasPercent(text: string): boolean {
  let at = text.indexOf('%');
  while (at >= 0) {
    if (hexNumber(text, at + 1, 2) >= 0) return true;
    const next = byteAt(text, at + 1);
    if ((next === 117 || next === 85) && hexNumber(text, at + 2, 4) >= 0) return true;
    at = text.indexOf('%', at + 1);
  }
  return false;
}

/** `\x41`, `\u0041`, `\u{41}`, `\101`, and with them `\'`, `\"`, `\/` and a backslash before a line's end. */
export function decodeEscapes(text: string): string {
  if (text.indexOf('\\') < 0) return text;
  const out: string[] = [];
  let start = 0;
  let at = text.indexOf('\\');
  while (at >= 0) {
    const [value, length] = escapeAt(text, at + 1);
    if (length === 0) {
      // Two backslashes are one pair: the second begins nothing.
      at = text.indexOf('\\', at + (byteAt(text, at + 1) === 92 ? 2 : 1));
      continue;
    }
    out.push(text.substring(start, at), value < 0 ? '' : utf8(value));
    start = at + 1 + length;
    at = text.indexOf('\\', start);
  }
  out.push(text.substring(start));
  return out.join('');
}

/** The code point after a backslash and how many bytes say it; -1: nothing comes out; a length of 0: no escape. */
function escapeAt(text: string, at: number): [number, number] {
  const code = byteAt(text, at);
  if (code === 120) {
    const value = hexNumber(text, at + 1, 2);
    return value < 0 ? [0, 0] : [value, 3];
  }
  if (code === 117 || code === 85) {
    if (byteAt(text, at + 1) === 123) {
      const close = text.indexOf('}', at);
      const value = close > at + 2 && close < at + 10 ? hexNumber(text, at + 2, close - at - 2) : -1;
      return value < 0 ? [0, 0] : [value, close - at + 1];
    }
    const value = hexNumber(text, at + 1, 4);
    return value < 0 ? [0, 0] : [value, 5];
  }
  if (code >= 48 && code <= 55) {
    let value = 0;
    let length = 0;
    while (length < 3 && byteAt(text, at + length) >= 48 && byteAt(text, at + length) <= 55) {
      value = value * 8 + byteAt(text, at + length) - 48;
      length += 1;
    }
    return length >= 2 && value < 256 ? [value, length] : [0, 0];
  }
  if (code === 34 || code === 39 || code === 47) return [code, 1];
  return code === 10 ? [-1, 1] : [0, 0];
}

/** Bytes that stand for ASCII in ways that only careless decoders take: overlong UTF-8, full-width forms, C1 as in `%c0%ae`. */
export function decodeWide(text: string): string {
  const out: string[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 192) {
      at += 1;
      continue;
    }
    const [value, length] = wideAt(text, at, code);
    if (length === 0) {
      at += 1;
      continue;
    }
    out.push(text.substring(start, at), String.fromCharCode(value));
    at += length;
    start = at;
  }
  if (start === 0) return text;
  out.push(text.substring(start));
  return out.join('');
}

/** Signs that databases take for a quote when they have no other; quotation marks of prose are not among them. */
const likenesses: Record<number, number> = { 700: 39, 8242: 39, 8260: 47 };

function wideAt(text: string, at: number, code: number): [number, number] {
  const second = byteAt(text, at + 1);
  // %c0%2f: the second byte is none of UTF-8, and its lower bits count in careless decoders.
  if (code <= 193 && second < 192) return [(code - 192) * 64 + (second % 64), 2];
  if (second < 128 || second > 191) return [0, 0];
  if (code < 224) {
    const value = likenesses[(code - 192) * 64 + second - 128];
    return value === undefined ? [0, 0] : [value, 2];
  }
  const third = byteAt(text, at + 2);
  if (third < 128 || third > 191) return [0, 0];
  if (code < 240) {
    const value = (code - 224) * 4096 + (second - 128) * 64 + third - 128;
    if (value < 128) return [value, 3];
    if (value >= 65281 && value <= 65374) return [value - 65248, 3];
    const alike = likenesses[value];
    return alike === undefined ? [0, 0] : [alike, 3];
  }
  const fourth = byteAt(text, at + 3);
  if (code !== 240 || second !== 128 || fourth < 128 || fourth > 191) return [0, 0];
  const value = (third - 128) * 64 + fourth - 128;
  return value < 128 ? [value, 4] : [0, 0];
}
