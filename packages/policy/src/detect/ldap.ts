import { blank, byteAt, isKind, letter, skip, word } from './bytes.ts';
import { byteBits } from './marks.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Filters of directories that a value breaks out of: `*)(uid=*`. */
export const ldap: Detector = {
  name: 'ldap',
  group: 'ldap',
  mayFind: ({ bytes }) =>
    (bytes & byteBits.paren) !== 0 &&
    (bytes & (byteBits.equals | byteBits.ampersand | byteBits.pipe | byteBits.star)) !== 0,
  find: findFilter,
};

function findFilter({ text, isPasted }: Subject): Hit | undefined {
  if (isPasted) return undefined;
  let at = text.indexOf(')');
  for (let count = 0; at >= 0 && count < 60; count++) {
    const open = skip(text, skipClosing(text, at + 1), blank);
    const next = byteAt(text, open + 1);
    if (byteAt(text, open) === 40) {
      if ((next === 124 || next === 38) && (byteAt(text, open + 2) === 40 || byteAt(text, open + 2) === 41))
        return { score: 7, offset: at, why: 'a filter is ended, another begins' };
      if (isCondition(text, open + 1) && isUnopened(text, at))
        return {
          score: byteAt(text, at - 1) === 42 ? 8 : 6,
          offset: at,
          why: 'a filter is ended, a condition follows',
        };
    }
    const isCut =
      byteAt(text, at - 1) === 42 &&
      (open >= text.length || byteAt(text, open) === 0) &&
      open > at + 1 &&
      isUnopened(text, at);
    if (isCut) return { score: 6, offset: at, why: 'a filter is ended' };
    at = text.indexOf(')', at + 1);
  }
  const first = skip(text, 0, blank);
  const isWhole =
    byteAt(text, first) === 40 &&
    (byteAt(text, first + 1) === 38 || byteAt(text, first + 1) === 124) &&
    byteAt(text, first + 2) === 40;
  return isWhole && isCondition(text, first + 3)
    ? { score: 6, offset: first, why: 'a whole filter' }
    : undefined;
}

function skipClosing(text: string, from: number): number {
  let at = from;
  while (byteAt(text, at) === 41) at += 1;
  return at;
}

/** `uid=*`, `!(cn>=a`. */
function isCondition(text: string, from: number): boolean {
  let at = from;
  while (byteAt(text, at) === 33 || byteAt(text, at) === 40) at += 1;
  if (!isKind(byteAt(text, at), letter)) return false;
  while (isKind(byteAt(text, at), word) || byteAt(text, at) === 45 || byteAt(text, at) === 58) at += 1;
  const code = byteAt(text, at);
  const isSign = code === 61 || ((code === 62 || code === 60 || code === 126) && byteAt(text, at + 1) === 61);
  // `==` and `=>` are of program code.
  return isSign && !(code === 61 && (byteAt(text, at + 1) === 61 || byteAt(text, at + 1) === 62));
}

/** A parenthesis that the text has not opened. */
function isUnopened(text: string, at: number): boolean {
  let depth = 0;
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index);
    if (code === 40) depth += 1;
    else if (code === 41 && depth > 0) depth -= 1;
  }
  return depth === 0;
}
