/** What kinds of byte there are, as bits. */
export const blank = 1;
export const digit = 2;
export const letter = 4;
/** Letters, digits, `_`, and bytes of other scripts. */
export const word = 8;
export const quote = 16;
export const hex = 32;

/** Past the end of a text. */
export const end = 256;

/** Kinds by byte; `end` has none. */
export const kinds: number[] = makeKinds();

function makeKinds(): number[] {
  const made: number[] = [];
  for (let code = 0; code <= 256; code++) {
    let bits = 0;
    if (code === 32 || (code >= 9 && code <= 13) || code === 0) bits += blank;
    if (code >= 48 && code <= 57) bits += digit + word + hex;
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) bits += letter + word;
    if ((code >= 65 && code <= 70) || (code >= 97 && code <= 102)) bits += hex;
    if (code === 95 || (code >= 128 && code < 256)) bits += word;
    if (code === 34 || code === 39 || code === 96) bits += quote;
    made.push(bits);
  }
  return made;
}

/** The byte at a place, `end` outside of the text. */
export function byteAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : end;
}

export function isKind(code: number, bits: number): boolean {
  return (kinds[code]! & bits) !== 0;
}

/** The first place from `index` on that is not of these kinds. */
export function skip(text: string, index: number, bits: number): number {
  let at = index;
  while (at < text.length && (kinds[text.charCodeAt(at)]! & bits) !== 0) at += 1;
  return at;
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}

/** The number of a word in a table, 0 where it is not there. In JavaScript every object also has `constructor`, which is no number. */
export function numberOf(table: Record<string, number>, name: string): number {
  const found: unknown = table[name];
  return typeof found === 'number' ? found : 0;
}

/** A table out of words that are separated by blanks, each with the same number. */
export function tableOf(value: number, list: string, into: Record<string, number>): Record<string, number> {
  let start = 0;
  while (start < list.length) {
    let stop = list.indexOf(' ', start);
    if (stop < 0) stop = list.length;
    if (stop > start) into[list.substring(start, stop)] = value;
    start = stop + 1;
  }
  return into;
}

/** The words of a list that is separated by blanks. */
export function wordsOf(list: string): string[] {
  const found: string[] = [];
  let start = 0;
  while (start < list.length) {
    let stop = list.indexOf(' ', start);
    if (stop < 0) stop = list.length;
    if (stop > start) found.push(list.substring(start, stop));
    start = stop + 1;
  }
  return found;
}

/** Whether one of several texts stands at a place. */
export function startsWithAny(text: string, needles: string[], at: number): boolean {
  for (const needle of needles) if (text.startsWith(needle, at)) return true;
  return false;
}

/** Whether a text has one of several in it. */
export function hasAny(text: string, needles: string[]): boolean {
  for (const needle of needles) if (text.indexOf(needle) >= 0) return true;
  return false;
}
