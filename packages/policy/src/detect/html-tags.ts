import { blank, byteAt, isKind, letter, skip } from './bytes.ts';

export interface Attribute {
  /** In lower case. */
  name: string;
  value: string;
  offset: number;
}

export interface Tag {
  /** In lower case; a closing tag's begins with `/`. */
  name: string;
  start: number;
  /** After `>`, or the end of the text. */
  next: number;
  attributes: Attribute[];
}

const attributesMax = 40;

/** The tag that begins at a `<`, as browsers read it; nothing where they see text. */
export function tagAt(text: string, start: number): Tag | undefined {
  let at = start + 1;
  const isClosing = byteAt(text, at) === 47;
  if (isClosing) at += 1;
  if (!isKind(byteAt(text, at), letter)) return undefined;
  const from = at;
  while (at < text.length && !isNameEnd(text.charCodeAt(at))) at += 1;
  const name = text.substring(from, at > from + 40 ? from + 40 : at).toLowerCase();
  const tag: Tag = { name: isClosing ? `/${name}` : name, start, next: at, attributes: [] };
  while (tag.next < text.length && tag.attributes.length < attributesMax) {
    tag.next = skipGaps(text, tag.next);
    const code = byteAt(text, tag.next);
    if (code === 62) {
      tag.next += 1;
      break;
    }
    // A browser would take the next tag's beginning for a name; somebody who compares numbers means no tag.
    if (code === 60 || tag.next >= text.length) break;
    tag.next = readAttribute(text, tag.next, tag.attributes);
  }
  return tag;
}

function isNameEnd(code: number): boolean {
  return isKind(code, blank) || code === 47 || code === 62;
}

/** Blanks, and slashes between attributes. */
function skipGaps(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isKind(text.charCodeAt(at), blank) || text.charCodeAt(at) === 47)) at += 1;
  return at;
}

/** The attribute at a place; answers with the place after it. */
export function readAttribute(text: string, from: number, into: Attribute[]): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 61 || code === 62 || isNameEnd(code)) break;
    at += 1;
  }
  const name = text.substring(from, at > from + 40 ? from + 40 : at).toLowerCase();
  const equals = skip(text, at, blank);
  if (byteAt(text, equals) !== 61) {
    into.push({ name, value: '', offset: from });
    return at;
  }
  const start = skip(text, equals + 1, blank);
  const quote = byteAt(text, start);
  if (quote === 34 || quote === 39 || quote === 96) {
    const close = text.indexOf(text.substring(start, start + 1), start + 1);
    const stop = close < 0 ? text.length : close;
    into.push({ name, value: text.substring(start + 1, stop), offset: from });
    return close < 0 ? text.length : close + 1;
  }
  let stop = start;
  while (stop < text.length && text.charCodeAt(stop) !== 62 && !isKind(text.charCodeAt(stop), blank))
    stop += 1;
  into.push({ name, value: text.substring(start, stop), offset: from });
  return stop;
}
