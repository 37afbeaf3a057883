/** Ways to find one text in another; both are byte strings. */

const star = 42;
const question = 63;
const backslash = 92;

/** `*` stands for any bytes, `?` for one; behind a backslash each stands for itself. In time of both lengths multiplied at most. */
export function matchWildcard(text: string, pattern: string): boolean {
  if (pattern.indexOf('?') < 0 && pattern.indexOf('\\') < 0) return fitsParts(text, pattern.split('*'));
  let at = 0;
  let place = 0;
  let starPlace = -1;
  let starAt = 0;
  while (at < text.length) {
    const code = place < pattern.length ? pattern.charCodeAt(place) : -1;
    if (code === star) {
      starPlace = place;
      starAt = at;
      place += 1;
      continue;
    }
    const isEscaped = code === backslash && place + 1 < pattern.length;
    const wanted = isEscaped ? pattern.charCodeAt(place + 1) : code;
    if ((code === question && !isEscaped) || wanted === text.charCodeAt(at)) {
      place += isEscaped ? 2 : 1;
      at += 1;
      continue;
    }
    if (starPlace < 0) return false;
    // The last star takes one byte more.
    starAt += 1;
    at = starAt;
    place = starPlace + 1;
  }
  while (place < pattern.length && pattern.charCodeAt(place) === star) place += 1;
  return place === pattern.length;
}

/** Whether a text is these parts with anything between them: found as a whole, which is faster than byte by byte. */
export function fitsParts(text: string, parts: string[]): boolean {
  const last = parts.length - 1;
  const head = parts[0]!;
  if (last === 0) return head === text;
  const tail = parts[last]!;
  if (text.length < head.length + tail.length) return false;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  const end = text.length - tail.length;
  for (let index = 1; index < last; index++) {
    const part = parts[index]!;
    if (part === '') continue;
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** A pattern in which `*` alone stands for more than itself. */
export function starsOnly(text: string): string {
  if (text.indexOf('?') < 0 && text.indexOf('\\') < 0) return text;
  const parts: string[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === question || code === backslash) parts.push('\\');
    parts.push(text.substring(index, index + 1));
  }
  return parts.join('');
}

function isWordByte(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
  );
}

/** Whether a text has a word, with no ASCII letter, digit or underscore right beside it. */
export function hasWord(text: string, word: string): boolean {
  if (word === '') return false;
  let found = text.indexOf(word);
  while (found >= 0) {
    const end = found + word.length;
    const isStart = found === 0 || !isWordByte(text.charCodeAt(found - 1));
    if (isStart && (end === text.length || !isWordByte(text.charCodeAt(end)))) return true;
    found = text.indexOf(word, found + 1);
  }
  return false;
}
