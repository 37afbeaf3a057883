/** Marks in a decoded path that origins take for something else than a part of a name. Strings are byte strings. */

const slash = 47;
const dot = 46;

/**
 * ASCII in more bytes than it needs, which UTF-8 forbids (RFC 3629 §3) and some decoders take, and its full-width forms,
 * as the ASCII that they show.
 */
export function foldUnicode(text: string): string {
  const parts: string[] = [];
  let index = 0;
  while (index < text.length) {
    const length = sequenceLength(text, index);
    const code = length === 1 ? -1 : asciiAt(text, index, length);
    if (code >= 0) {
      parts.push(String.fromCharCode(code));
      index += length;
    } else {
      parts.push(text.substring(index, index + 1));
      index += 1;
    }
  }
  return parts.join('');
}

/** Whether a mark or a control character is written in more bytes than it needs. Letters are: in GBK they are ordinary text. */
export function hasOverlongMark(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const length = sequenceLength(text, index);
    const code = length === 1 ? -1 : codeAt(text, index, length);
    if (code >= 0 && code < 128 && isMark(code)) return true;
  }
  return false;
}

/** `#`, `%`, `.`, `/`, `;`, `?`, `\` and control characters. */
function isMark(code: number): boolean {
  if (code < 32 || code === 127 || code === 35 || code === 37) return true;
  return code === dot || code === slash || code === 59 || code === 63 || code === 92;
}

function sequenceLength(text: string, index: number): number {
  const first = text.charCodeAt(index);
  if (first < 0xc0 || first >= 0xf8) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function asciiAt(text: string, start: number, length: number): number {
  const code = codeAt(text, start, length);
  // Nothing ends at a full-width `#`, `;` or `?`, which are common in Chinese names.
  if (code === 0xff03 || code === 0xff1b || code === 0xff1f) return -1;
  const folded = code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code;
  return folded < 128 ? folded : -1;
}

/** The code point of a sequence; -1 where it is none. */
function codeAt(text: string, start: number, length: number): number {
  const first = text.charCodeAt(start);
  let code = length === 2 ? first % 32 : length === 3 ? first % 16 : first % 8;
  for (let index = 1; index < length; index++) {
    if (start + index >= text.length) return -1;
    const next = text.charCodeAt(start + index);
    if (next < 128 || next > 191) return -1;
    code = code * 64 + (next % 64);
  }
  return code;
}

/** Backslashes as slashes; without control characters, `;parameters`, what follows `#` or `?`, and dots and spaces at the end of a name. */
export function skipMarks(text: string): string {
  const parts: string[] = [];
  let name: string[] = [];
  let isParameter = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 35 || code === 63) break;
    if (code === slash || code === 92) {
      parts.push(trimName(name.join('')), '/');
      name = [];
      isParameter = false;
    } else if (code === 59) isParameter = true;
    else if (!isParameter && code >= 32 && code !== 127) name.push(text.substring(index, index + 1));
  }
  parts.push(trimName(name.join('')));
  return parts.join('');
}

/** `admin.` and `admin ` are `admin` to some file systems; `.` and `..` are not. */
function trimName(name: string): string {
  let end = name.length;
  while (end > 0 && (name.charCodeAt(end - 1) === dot || name.charCodeAt(end - 1) === 32)) end -= 1;
  return end === 0 ? onlyDots(name) : name.substring(0, end);
}

/** Of a name of dots and spaces alone the dots: `. ` is `.`. */
function onlyDots(name: string): string {
  let dots = '';
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) === dot) dots += '.';
  return dots.length > 2 ? '..' : dots;
}

/** A segment that is nothing but dots, perhaps with spaces among them or a mark behind them. */
export function hasDotSegment(text: string): boolean {
  let isOpen = true;
  let hasDot = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isEnd = code === slash || code === 59 || code === 35 || code === 63;
    if (isEnd && isOpen && hasDot) return true;
    if (code === slash) {
      isOpen = true;
      hasDot = false;
    } else if (code === dot) hasDot = true;
    else if (code !== 32) isOpen = false;
  }
  return isOpen && hasDot;
}

export const hasEncodedSlash = (path: string): boolean =>
  path.indexOf('%2f') >= 0 || path.indexOf('%2F') >= 0;

/** How many kinds there are of marks that end a name for some: an encoded slash, a semicolon, and `#` or `?`. */
export function countMarkKinds(path: string, decoded: string): number {
  let kinds = hasEncodedSlash(path) ? 1 : 0;
  if (decoded.indexOf(';') >= 0) kinds += 1;
  if (decoded.indexOf('#') >= 0 || decoded.indexOf('?') >= 0) kinds += 1;
  return kinds;
}
