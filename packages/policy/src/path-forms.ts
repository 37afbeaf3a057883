import { normalizePath, percentDecode } from './path.ts';
import { lowerAscii } from './text.ts';
import { matchWildcard, starsOnly } from './text-match.ts';

/**
 * The ways in which origins may read one path. Rules of access must hold for all of them: what is closed stays closed
 * however it is written, and what is opened is open only where every reading leads there.
 */
export interface PathForms {
  /** As nginx reads it: decoded once, slashes merged, dot segments resolved. */
  plain: string;
  /** Absent where all readings agree. Decoded to the end, in lower case, with what some origins skip left out. */
  loose: string | undefined;
  /** The same with dot segments left as they are. */
  unresolved: string;
}

const slash = 47;
const dot = 46;
const roundsMax = 8;

export function pathForms(path: string): PathForms {
  if (isSimple(path)) return { plain: path, loose: undefined, unresolved: path };
  const decoded = lowerAscii(foldOverlong(decodeAll(path)));
  const unresolved = skipOddities(decoded);
  return { plain: normalizePath(path), loose: normalizePath(unresolved), unresolved };
}

/** Lower-case letters, digits and a few marks, no empty segment and none that starts or ends with a dot. */
function isSimple(path: string): boolean {
  let before = 0;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
    if (!isPlain && code !== slash && code !== dot) return false;
    if ((code === slash || code === dot) && (before === slash || before === dot)) return false;
    before = code;
  }
  return path.charCodeAt(0) === slash && before !== dot;
}

/** Until nothing changes; what is encoded deeper than anybody writes stays. */
function decodeAll(path: string): string {
  let text = path;
  for (let round = 0; round < roundsMax; round++) {
    const next = percentDecode(text);
    if (next === text) break;
    text = next;
  }
  return text;
}

/** ASCII in more bytes than it needs, which UTF-8 forbids (RFC 3629 §3) and some decoders take, and its wide forms. */
function foldOverlong(text: string): string {
  const parts: string[] = [];
  let index = 0;
  while (index < text.length) {
    const first = text.charCodeAt(index);
    const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 1;
    const code = length === 1 ? -1 : codeAt(text, index, length);
    if (code >= 0 && code < 128) {
      parts.push(String.fromCharCode(code));
      index += length;
    } else {
      parts.push(text.substring(index, index + 1));
      index += 1;
    }
  }
  return parts.join('');
}

/** The code point of a sequence, full-width letters and marks as the ASCII they show; -1 where it is none. */
function codeAt(text: string, start: number, length: number): number {
  const first = text.charCodeAt(start);
  let code = length === 2 ? first % 32 : length === 3 ? first % 16 : first % 8;
  for (let index = 1; index < length; index++) {
    if (start + index >= text.length) return -1;
    const next = text.charCodeAt(start + index);
    if (next < 128 || next > 191) return -1;
    code = code * 64 + (next % 64);
  }
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code;
}

/** Backslashes as slashes; without control characters, `;parameters`, what follows `#` or `?`, and dots and spaces at the end of a name. */
function skipOddities(text: string): string {
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

/** Whether any reading of a path is among those; a folder without its slash is the folder. */
export function mayBeAmong(paths: string[], { plain, loose, unresolved }: PathForms): boolean {
  for (const path of paths) {
    const lower = lowerAscii(path);
    if (isAtOrBelow(path, plain) || isAtOrBelow(lower, plain)) return true;
    if (loose !== undefined && (isAtOrBelow(lower, loose) || isAtOrBelow(lower, unresolved))) return true;
  }
  return false;
}

function isAtOrBelow(path: string, form: string): boolean {
  return fitsPath(path, form) || (form.length + 1 === path.length && path === `${form}/`);
}

/** Whether every reading of a path is among those, letter case too where it is plain. */
export function isSurelyAmong(paths: string[], forms: PathForms): boolean {
  if (!isOneOf(paths, forms.plain, false)) return false;
  if (forms.loose === undefined) return true;
  return isOneOf(paths, forms.loose, true) && isOneOf(paths, forms.unresolved, true);
}

function isOneOf(paths: string[], form: string, isLower: boolean): boolean {
  for (const path of paths) if (fitsPath(isLower ? lowerAscii(path) : path, form)) return true;
  return false;
}

/** A path, all below one that ends with a slash, or a pattern with `*`. */
function fitsPath(path: string, form: string): boolean {
  if (path.indexOf('*') >= 0) return matchWildcard(form, starsOnly(path));
  if (path === form) return true;
  return path.charCodeAt(path.length - 1) === slash && form.startsWith(path);
}
