/** A text as words are searched in it, and where each of its characters stood. */
export interface Folded {
  text: string;
  at: Int32Array;
}

const firstIdeograph = 0x2e80;
/** Characters without a width, by which words are taken apart. */
const isInvisible = (code: number): boolean =>
  (code >= 0x200b && code <= 0x200f) || code === 0xfeff || code === 0x00ad || code === 0x2060;
const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x3000 || code === 0x0d;

/**
 * Lower case, and the ordinary width of what is written full or half wide (NFKC, a character at a time, so that places stay).
 * Characters without a width are left out, and spaces within Chinese, Japanese and Korean; others are one.
 */
export function foldText(text: string): Folded {
  const units: number[] = [];
  const at: number[] = [];
  let spaceAt = -1;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (isInvisible(code)) continue;
    if (isSpace(code)) {
      if (spaceAt < 0) spaceAt = place;
      continue;
    }
    if (spaceAt >= 0) {
      const before = units.at(-1) ?? 0;
      if (!(before >= firstIdeograph && code >= firstIdeograph)) {
        units.push(0x20);
        at.push(spaceAt);
      }
      spaceAt = -1;
    }
    units.push(foldUnit(code));
    at.push(place);
  }
  return { text: textOf(units), at: Int32Array.from(at) };
}

function foldUnit(code: number): number {
  if (code < 0x80) return code >= 65 && code <= 90 ? code + 32 : code;
  // Halves of a pair stay as they are.
  if (code >= 0xd800 && code <= 0xdfff) return code;
  const known = folds.get(code);
  if (known !== undefined) return known;
  const folded = String.fromCharCode(code).normalize('NFKC').toLowerCase();
  const unit = folded.length === 1 ? folded.charCodeAt(0) : code;
  folds.set(code, unit);
  return unit;
}
/** Of characters that were met: 65,536 at most. */
const folds = new Map<number, number>();

function textOf(units: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < units.length; at += 8192)
    parts.push(String.fromCharCode(...units.slice(at, at + 8192)));
  return parts.join('');
}
