import { byteAt, digit, hex, hexValue, isKind, kinds, letter, skip, word } from './bytes.ts';
import { utf8 } from './decode-bytes.ts';

const names: Record<string, string> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  colon: ':',
  sol: '/',
  bsol: '\\',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  equals: '=',
  grave: '`',
  period: '.',
  comma: ',',
  semi: ';',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  ast: '*',
  plus: '+',
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
  quest: '?',
  commat: '@',
  vert: '|',
  verbar: '|',
};

/** HTML's character references, with or without their `;`. */
export function decodeEntities(text: string): string {
  const out: string[] = [];
  let start = 0;
  let at = text.indexOf('&');
  while (at >= 0) {
    const [piece, length] = byteAt(text, at + 1) === 35 ? numberedAt(text, at + 2) : namedAt(text, at + 1);
    if (length > 0) {
      out.push(text.substring(start, at), piece);
      start = at + length;
    }
    at = text.indexOf('&', length > 0 ? start : at + 1);
  }
  if (start === 0) return text;
  out.push(text.substring(start));
  return out.join('');
}

function numberedAt(text: string, from: number): [string, number] {
  const isHex = byteAt(text, from) === 120 || byteAt(text, from) === 88;
  const first = isHex ? from + 1 : from;
  let at = first;
  let value = 0;
  while (at < first + 24 && isKind(byteAt(text, at), isHex ? hex : digit)) {
    if (value < 1_114_112) value = value * (isHex ? 16 : 10) + hexValue(byteAt(text, at));
    at += 1;
  }
  if (at === first) return ['', 0];
  return [utf8(value), at - from + 2 + (byteAt(text, at) === 59 ? 1 : 0)];
}

function namedAt(text: string, from: number): [string, number] {
  const stop = skip(text, from, letter);
  if (stop === from || stop > from + 8 || byteAt(text, stop) !== 59) return ['', 0];
  const found: unknown = names[text.substring(from, stop).toLowerCase()];
  return typeof found === 'string' ? [found, stop - from + 2] : ['', 0];
}

const base64Values: number[] = makeBase64Values();

function makeBase64Values(): number[] {
  const made: number[] = [];
  for (let code = 0; code <= 256; code++) {
    let value = -1;
    if (code >= 65 && code <= 90) value = code - 65;
    else if (code >= 97 && code <= 122) value = code - 71;
    else if (code >= 48 && code <= 57) value = code + 4;
    else if (code === 43 || code === 45) value = 62;
    else if (code === 47 || code === 95) value = 63;
    made.push(value);
  }
  return made;
}

/** What a run of base64 (either alphabet) from `from` up to `to` stands for. */
function base64Between(text: string, from: number, to: number): string {
  const out: string[] = [];
  let held = 0;
  let bits = 0;
  for (let at = from; at < to; at++) {
    held = held * 64 + base64Values[text.charCodeAt(at)]!;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const rest = 2 ** bits;
    out.push(String.fromCharCode(Math.floor(held / rest)));
    held %= rest;
  }
  return out.join('');
}

/** A value that is base64 as a whole and stands for text that prints; else the value itself. */
export function decodeBase64Text(text: string): string {
  let stop = text.length;
  while (stop > 0 && (byteAt(text, stop - 1) === 61 || byteAt(text, stop - 1) <= 32)) stop -= 1;
  if (stop < 8 || stop % 4 === 1 || !standsForText(text, stop)) return text;
  return base64Between(text, 0, stop);
}

/** Whether base64 stands for ASCII that prints: random bytes do not for longer than a few characters, which are soon seen. */
function standsForText(text: string, to: number): boolean {
  let held = 0;
  let bits = 0;
  for (let at = 0; at < to; at++) {
    const value = base64Values[text.charCodeAt(at)]!;
    if (value < 0) return false;
    held = (held % 64) * 64 + value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const code = Math.floor(held / 2 ** bits) % 256;
    if (code > 126 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) return false;
  }
  return true;
}

/** UTF-7's `+ADw-`, of characters below 128. */
export function decodeUtf7(text: string): string {
  const out: string[] = [];
  let start = 0;
  let at = text.indexOf('+');
  while (at >= 0) {
    let stop = at + 1;
    while (stop < text.length && base64Values[text.charCodeAt(stop)]! >= 0 && byteAt(text, stop) !== 45)
      stop += 1;
    const piece = byteAt(text, stop) === 45 && stop - at > 3 ? wideText(text, at + 1, stop) : '';
    if (piece !== '') {
      out.push(text.substring(start, at), piece);
      start = stop + 1;
    }
    at = text.indexOf('+', piece === '' ? at + 1 : start);
  }
  if (start === 0) return text;
  out.push(text.substring(start));
  return out.join('');
}

/** UTF-16 in base64 as text, where all of it is ASCII. */
function wideText(text: string, from: number, to: number): string {
  const bytes = base64Between(text, from, to);
  const out: string[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes.charCodeAt(at) !== 0 || bytes.charCodeAt(at + 1) > 126) return '';
    out.push(bytes.substring(at + 1, at + 2));
  }
  return out.join('');
}

/** Without NULs, which some software drops and some ends at. */
export function dropNul(text: string): string {
  if (text.indexOf('\0') < 0) return text;
  const out: string[] = [];
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) !== 0) out.push(text.substring(at, at + 1));
  return out.join('');
}

/** Words and blanks only: nothing in it can be more than a word. */
export function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if ((kinds[text.charCodeAt(at)]! & word) === 0 && text.charCodeAt(at) !== 32) return false;
  return true;
}

/** Data inside of quotes, `'{"a":1}'`, without them. */
export function unquoted(text: string): string {
  const first = byteAt(text, 0);
  const second = byteAt(text, 1);
  const isData = (first === 39 || first === 34) && (second === 123 || second === 91);
  return isData && byteAt(text, text.length - 1) === first ? text.substring(1, text.length - 1) : text;
}
