import { lastIndexOf, lowerAscii } from '../lib/text.ts';

/** A request target taken apart. Strings are byte strings: one character per byte. */

const percent = 37;
const slash = 47;

export interface Target {
  path: string;
  /** Without the `?`; absent where there is none. */
  query?: string;
}

export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target };
  return { path: target.substring(0, mark), query: target.substring(mark + 1) };
}

/** The value of a hexadecimal digit, or -1. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}

/** Percent-decoding into bytes; what is no valid escape stays as it is. */
export function percentDecode(text: string): string {
  if (text.indexOf('%') < 0) return text;
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  while (index < text.length) {
    if (text.charCodeAt(index) === percent && index + 2 < text.length) {
      const high = hexValue(text.charCodeAt(index + 1));
      const low = hexValue(text.charCodeAt(index + 2));
      if (high >= 0 && low >= 0) {
        parts.push(text.substring(start, index), String.fromCharCode(high * 16 + low));
        index += 3;
        start = index;
        continue;
      }
    }
    index += 1;
  }
  parts.push(text.substring(start));
  return parts.join('');
}

/**
 * The path that rules are matched on: decoded once, slashes merged, `.` and `..` resolved (RFC 3986 §5.2.4), as nginx
 * does for `$uri`. The origin is always sent the path as the visitor wrote it.
 */
export function normalizePath(path: string): string {
  const decoded = percentDecode(path);
  if (decoded.indexOf('//') < 0 && decoded.indexOf('/.') < 0 && decoded.charCodeAt(0) === slash)
    return decoded;
  const segments: string[] = [];
  let start = 0;
  let folder = false;
  while (start <= decoded.length) {
    let end = decoded.indexOf('/', start);
    if (end < 0) end = decoded.length;
    const segment = decoded.substring(start, end);
    folder = segment === '' || segment === '.' || segment === '..';
    if (segment === '..') segments.pop();
    else if (!folder) segments.push(segment);
    start = end + 1;
  }
  const joined = '/' + segments.join('/');
  return folder && segments.length > 0 ? joined + '/' : joined;
}

/** The lower-case extension of a path's last segment, without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const dot = lastIndexOf(path, '.');
  if (dot < 0 || path.indexOf('/', dot) >= 0) return '';
  return lowerAscii(path.substring(dot + 1));
}
