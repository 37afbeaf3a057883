/** Ways to find one text in another; both are byte strings. */

const star = 42;
const question = 63;
const backslash = 92;

/** `*` stands for any bytes, `?` for one; behind a backslash each stands for itself. In time of both lengths multiplied at most. */
export function matchWildcard(text: string, pattern: string): boolean {
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
