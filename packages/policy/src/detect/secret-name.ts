import { byteAt, isKind, letter, numberOf, tableOf, word, wordsOf } from './bytes.ts';

/** What fields are called whose values are secrets of visitors. */

/** Wherever they stand in a name. */
const parts = wordsOf(
  'passw passcode passphrase pwd secret token credential apikey authoriz authcode smscode verifycode vcode checkcode csrf sessionid cvv cvc creditcard cardn idcard iban pincode mima yzm',
);
/** Only as whole words: `card` in `bank_card` and `bankCard`, not in `discard`. */
const wholeWords = wordsOf('auth card cc code csc jwt key mfa otp pass pin session sid ssn tan totp');
const isWhole = tableOf(1, wholeWords.join(' '), {});

/** Names in lower case that are secret besides, as a whole or as one of the names in another, as in `user[name]`. */
export type ListedNames = Record<string, number>;

/** Of a path through data that is nested deep, as much as this is looked at. */
const nameBytesMax = 256;

export function isSecretName(whole: string, listed: ListedNames): boolean {
  if (whole === '') return false;
  const name = whole.length > nameBytesMax ? whole.substring(whole.length - nameBytesMax) : whole;
  const lower = name.toLowerCase();
  for (const part of parts) if (lower.indexOf(part) >= 0) return true;
  if (hasSecretWord(name, lower)) return true;
  if (numberOf(listed, lower) > 0) return true;
  for (const own of namesIn(lower)) if (numberOf(listed, own) > 0) return true;
  return false;
}

/** Words are of letters, and a new one begins with a capital after a small letter. */
function hasSecretWord(name: string, lower: string): boolean {
  let start = 0;
  for (let at = 0; at <= name.length; at++) {
    const code = byteAt(name, at);
    const isEnd = !isKind(code, letter);
    if (!isEnd && !(isCapital(code) && at > start && !isCapital(byteAt(name, at - 1)))) continue;
    if (numberOf(isWhole, lower.substring(start, at)) > 0) return true;
    start = isEnd ? at + 1 : at;
  }
  return false;
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

function namesIn(name: string): string[] {
  const names: string[] = [];
  let start = 0;
  for (let at = 0; at <= name.length; at++) {
    const code = byteAt(name, at);
    if (isKind(code, word) || code === 45) continue;
    if (at > start) names.push(name.substring(start, at));
    start = at + 1;
  }
  return names;
}

const restMax = 24;
const quotesMax = 4;
const quotedMax = 256;
const nestedMax = 1024;

/**
 * A text without what stands behind the name of a secret and `=` or `:` in it, as in data within a field, in a query language, or
 * in lines of plain text. What ends a value is not always to be told, so that of one without quotes it is the next blank at the latest.
 */
export function withoutSecrets(text: string): string {
  if (text.indexOf('=') < 0 && text.indexOf(':') < 0) return text;
  let left = text;
  let lower = text.toLowerCase();
  for (const part of parts) {
    if (lower.indexOf(part) < 0) continue;
    left = withoutSecret(left, lower, part, false);
    lower = left.toLowerCase();
  }
  for (const whole of wholeWords) {
    if (lower.indexOf(whole) < 0) continue;
    left = withoutSecret(left, lower, whole, true);
    lower = left.toLowerCase();
  }
  return left;
}

function withoutSecret(text: string, lower: string, name: string, isWord: boolean): string {
  const kept: string[] = [];
  let start = 0;
  let at = lower.indexOf(name);
  while (at >= 0) {
    const stop = at + name.length;
    const from = isWord && !isApart(lower, at, stop) ? -1 : valueAt(lower, stop);
    let next = stop;
    if (from >= 0) {
      next = valueEnd(text, from);
      kept.push(text.substring(start, from), '***');
      start = next;
    }
    at = lower.indexOf(name, next);
  }
  return start === 0 ? text : kept.join('') + text.substring(start);
}

const isApart = (lower: string, start: number, stop: number): boolean =>
  !isKind(byteAt(lower, start - 1), letter) && !isKind(byteAt(lower, stop), letter);

/** Where the value of a name begins, of which what ends here is a part; -1: none is given there. */
function valueAt(text: string, from: number): number {
  let at = from;
  while (at < from + restMax && isName(byteAt(text, at))) at += 1;
  at = afterQuotes(text, afterBlanks(text, afterQuotes(text, at)));
  const code = byteAt(text, at);
  return code === 58 || code === 61 ? afterBlanks(text, at + 1) : -1;
}

const isName = (code: number): boolean => code === 45 || isKind(code, word);

/** Quotes, with what escapes them, and the brackets of names. */
function afterQuotes(text: string, from: number): number {
  let at = from;
  while (at < from + quotesMax && isQuoting(byteAt(text, at))) at += 1;
  return at;
}

const isQuoting = (code: number): boolean => code === 34 || code === 39 || code === 92 || code === 93;

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + quotesMax && isBlank(byteAt(text, at))) at += 1;
  return at;
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function valueEnd(text: string, from: number): number {
  const first = byteAt(text, from);
  if (first === 123 || first === 91) {
    const stop = text.substring(from, from + nestedMax).indexOf(first === 123 ? '}' : ']');
    if (stop >= 0) return from + stop + 1;
  }
  const inside = afterQuotes(text, from);
  if (inside > from) {
    const mark = text.substring(inside - 1, inside);
    const stop = text.substring(inside, inside + quotedMax).indexOf(mark);
    if (stop >= 0) return inside + stop + 1;
  }
  let at = inside;
  while (at < text.length && !isEnd(text.charCodeAt(at))) at += 1;
  return at;
}

/** A blank, or `&` `,` `;` `<` `}` `)`. */
const isEnd = (code: number): boolean =>
  isBlank(code) || code === 38 || code === 44 || code === 59 || code === 60 || code === 125 || code === 41;
