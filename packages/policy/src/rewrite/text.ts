/** Text for addresses and fields. Strings are byte strings. */

const upperHex = '0123456789ABCDEF';

function escapeByte(code: number): string {
  const high = Math.floor(code / 16);
  const low = code % 16;
  return `%${upperHex.substring(high, high + 1)}${upperHex.substring(low, low + 1)}`;
}

function setOf(characters: string): Record<number, boolean> {
  const set: Record<number, boolean> = {};
  const all = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~${characters}`;
  for (let index = 0; index < all.length; index++) set[all.charCodeAt(index)] = true;
  return set;
}

/** RFC 3986 §3.3: what a path may hold unescaped, slashes too. */
const inPath = setOf("!$&'()*+,;=:@/");
/** What means nothing in a query, to anyone who reads arguments there. */
const inArgument = setOf('/:@');
/** What a visitor's path and query hold; a `#` of theirs begins no fragment. */
const written = "!$&'()*+,;=:@/?[]%";
const inWritten = setOf(written);
const inAddress = setOf(`${written}#`);

function escape(text: string, kept: Record<number, boolean>): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (kept[code] === true) continue;
    parts.push(text.substring(start, index), escapeByte(code));
    start = index + 1;
  }
  if (start === 0) return text;
  parts.push(text.substring(start));
  return parts.join('');
}

/** Decoded text as part of a path: it brings no `?`, `#` or escape of its own. */
export const escapeForPath = (text: string): string => escape(text, inPath);
/** Text as part of an argument's value: it brings no other argument either. */
export const escapeForArgument = (text: string): string => escape(text, inArgument);
/** A path or a query as a visitor wrote it, with its own escapes. */
export const escapeWritten = (text: string): string => escape(text, inWritten);
/** What a rule has of an address: only what no address may hold is escaped. */
export const escapeForAddress = (text: string): string => escape(text, inAddress);

/** Without the bytes that a field's value may not have (RFC 9110 §5.5): nothing in it can end a line. */
export function fieldText(text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 32 && code !== 127) || code === 9) continue;
    parts.push(text.substring(start, index));
    start = index + 1;
  }
  if (start === 0) return text;
  parts.push(text.substring(start));
  return parts.join('');
}
