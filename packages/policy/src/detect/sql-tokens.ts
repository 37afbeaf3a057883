import { blank, byteAt, digit, end, isKind, letter, numberOf, skip, word } from './bytes.ts';
import { sqlWords, Token } from './sql-words.ts';

/** A text as tokens of SQL, by their numbers from 0 on. `words`: of words in lower case, of operators as written, else ''. */
export interface Tokens {
  count: number;
  kinds: Record<number, number>;
  starts: Record<number, number>;
  words: Record<number, string>;
  /** For `(` the place of its `)`, for others -1. */
  partner: Record<number, number>;
  /** Comments that stand where a blank would do. */
  inlineComments: number;
  /** The last text had no end. */
  isOpen: boolean;
}

const tokensMax = 1500;

/** Those of the last text, to be filled anew for the next: tables that grow from nothing each time cost more than what is read. */
const held: Tokens = {
  count: 0,
  kinds: {},
  starts: {},
  words: {},
  partner: {},
  inlineComments: 0,
  isOpen: false,
};

/** From `from` on; with `before` all in front of it is the inside of a text that a quote has just ended. Good until the next call. */
export function sqlTokens(text: string, from: number, before: boolean): Tokens {
  const tokens = held;
  const former = tokens.count;
  tokens.count = 0;
  tokens.inlineComments = 0;
  tokens.isOpen = false;
  if (before) put(tokens, Token.text, 0, '');
  let at = from;
  const open: number[] = [];
  while (at < text.length && tokens.count < tokensMax) {
    const code = text.charCodeAt(at);
    if (isKind(code, blank) || isWideBlank(text, at, code)) at += 1;
    else if (isKind(code, digit)) at = numberAt(tokens, text, at);
    else if (isKind(code, letter) || code === 95 || code >= 128) at = wordAt(tokens, text, at);
    else if (code === 39 || code === 34) at = textAt(tokens, text, at, code);
    else if (code === 40) {
      open.push(tokens.count);
      at = put(tokens, Token.open, at, '(') + 1;
    } else if (code === 41) {
      const opened = open.pop();
      if (opened !== undefined) {
        tokens.partner[opened] = tokens.count;
        put(tokens, Token.close, at, ')');
      }
      // One that closes what the query around has opened says nothing: `1) or (1=1`.
      at += 1;
    } else at = markAt(tokens, text, at, code);
  }
  for (let stale = tokens.count; stale < former; stale++) forget(tokens, stale);
  return tokens;
}

/** What the last text had and this one has not. */
function forget({ kinds, words, partner, starts }: Tokens, at: number): void {
  delete kinds[at];
  delete words[at];
  delete partner[at];
  delete starts[at];
}

function put(tokens: Tokens, kind: number, start: number, written: string): number {
  const { count } = tokens;
  tokens.kinds[count] = kind;
  tokens.starts[count] = start;
  tokens.words[count] = written;
  tokens.partner[count] = -1;
  tokens.count = count + 1;
  return start;
}

/** A no-break space, in Latin-1 or UTF-8. */
function isWideBlank(text: string, at: number, code: number): boolean {
  if (code === 194) return byteAt(text, at + 1) === 160;
  return (
    code === 160 &&
    (byteAt(text, at - 1) === 194 || (byteAt(text, at - 1) < 128 && byteAt(text, at + 1) < 128))
  );
}

function numberAt(tokens: Tokens, text: string, from: number): number {
  let at = from;
  const second = byteAt(text, from + 1);
  if (byteAt(text, from) === 48 && (second === 120 || second === 88)) at = skip(text, from + 2, word);
  else {
    at = skip(text, from, digit);
    if (byteAt(text, at) === 46) at = skip(text, at + 1, digit);
    const mark = byteAt(text, at);
    if ((mark === 101 || mark === 69) && isKind(byteAt(text, at + 1), digit)) at = skip(text, at + 1, digit);
    else if (isKind(mark, word) && mark < 128 && byteAt(text, at - 1) !== 46) {
      // `2nd`, `3fa9`: a word of program code or prose, not a number.
      at = skip(text, at, word);
      put(tokens, Token.word, from, '');
      return at;
    }
  }
  put(tokens, Token.number, from, '');
  return at;
}

function wordAt(tokens: Tokens, text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isKind(code, word) && code !== 36) break;
    if (isWideBlank(text, at, code)) break;
    at += 1;
  }
  const next = byteAt(text, at);
  // N'…', x'…', E'…': a text with a mark in front.
  if (at === from + 1 && next === 39) return textAt(tokens, text, at, next);
  const written = at - from <= 40 ? text.substring(from, at).toLowerCase() : '';
  const kind = numberOf(sqlWords, written);
  put(tokens, kind === 0 ? Token.word : kind, from, written);
  return at;
}

function textAt(tokens: Tokens, text: string, from: number, mark: number): number {
  const sign = mark === 39 ? "'" : '"';
  put(tokens, Token.text, from, '');
  let at = from + 1;
  while (true) {
    const close = text.indexOf(sign, at);
    if (close < 0) {
      tokens.isOpen = true;
      return text.length;
    }
    // A quote written twice, or after a backslash, belongs to the text.
    if (byteAt(text, close + 1) === mark) at = close + 2;
    else if (byteAt(text, close - 1) === 92 && byteAt(text, close - 2) !== 92 && close - 1 > from)
      at = close + 1;
    else return close + 1;
  }
}

/** Comments, operators, and what else is one sign or a few. */
function markAt(tokens: Tokens, text: string, at: number, code: number): number {
  const second = byteAt(text, at + 1);
  if (code === 45 && second === 45) return lineCommentAt(tokens, text, at);
  if (code === 35) return lineCommentAt(tokens, text, at);
  if (code === 47 && second === 42) return blockCommentAt(tokens, text, at);
  if (code === 42 && second === 47) return at + 2;
  if (code === 44) return put(tokens, Token.comma, at, ',') + 1;
  if (code === 59) return put(tokens, Token.semicolon, at, ';') + 1;
  if (code === 46)
    return isKind(second, digit) ? numberAt(tokens, text, at) : put(tokens, Token.dot, at, '.') + 1;
  if (code === 64) {
    const from = second === 64 ? at + 2 : at + 1;
    const stop = skip(text, from, word);
    put(tokens, Token.variable, at, text.substring(at, stop > at + 40 ? at + 40 : stop).toLowerCase());
    return stop;
  }
  if (code === 96 || code === 91) {
    const stop = text.indexOf(code === 96 ? '`' : ']', at + 1);
    if (stop > at + 1 && stop < at + 64 && isKind(second, letter)) {
      put(tokens, Token.word, at, text.substring(at + 1, stop).toLowerCase());
      return stop + 1;
    }
    return put(tokens, Token.other, at, '') + 1;
  }
  return operatorAt(tokens, text, at, code, second);
}

function lineCommentAt(tokens: Tokens, text: string, at: number): number {
  const stop = text.indexOf('\n', at);
  if (stop >= 0) return stop + 1;
  put(tokens, Token.comment, at, byteAt(text, at) === 35 ? '#' : '--');
  return text.length;
}

function blockCommentAt(tokens: Tokens, text: string, at: number): number {
  // MySQL runs what stands in /*! … */, and /*!50000 … */ from that version on.
  if (byteAt(text, at + 2) === 33) {
    tokens.inlineComments += 1;
    return skip(text, at + 3, digit);
  }
  const stop = text.indexOf('*/', at + 2);
  if (stop >= 0) {
    tokens.inlineComments += 1;
    return stop + 2;
  }
  put(tokens, Token.comment, at, '/*');
  return text.length;
}

function operatorAt(tokens: Tokens, text: string, at: number, code: number, second: number): number {
  if (code === 124 || code === 38) {
    if (second === code) return put(tokens, Token.logic, at, code === 124 ? '||' : '&&') + 2;
    return put(tokens, Token.arithmetic, at, '|') + 1;
  }
  if (code === 43 || code === 45 || code === 42 || code === 47 || code === 37 || code === 94)
    return put(tokens, Token.arithmetic, at, text.substring(at, at + 1)) + 1;
  if (code === 126 && !isCompare(second)) return put(tokens, Token.not, at, '~') + 1;
  if (isCompare(code)) {
    let stop = at + 1;
    while (stop < at + 4 && (isCompare(byteAt(text, stop)) || byteAt(text, stop) === 38)) stop += 1;
    const written = text.substring(at, stop);
    if (written === '!') return put(tokens, Token.not, at, '!') + 1;
    if (written === ':') return put(tokens, Token.other, at, ':') + 1;
    const isForeign =
      written === '==' || written === '===' || written === '!==' || written === '=>' || written === '!!';
    put(tokens, isForeign ? Token.foreign : Token.compare, at, written);
    return stop;
  }
  return code === end ? at + 1 : put(tokens, Token.other, at, '') + 1;
}

/** `<`, `=`, `>`, `!`, `:`, `~`. */
function isCompare(code: number): boolean {
  return (code >= 60 && code <= 62) || code === 33 || code === 58 || code === 126;
}
