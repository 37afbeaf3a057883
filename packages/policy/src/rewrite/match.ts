import { hasDotSegment } from '../http/path-marks.ts';
import { normalizePath, percentDecode } from '../http/path.ts';
import type { RequestPath } from '../http/request-path.ts';
import { escapeForPath, escapeWritten } from './text.ts';
import { lowerAscii } from '../lib/text.ts';

/** Where a pattern matches, from 0, and what its groups hold: '' for one that took no part. */
export interface RegexMatch {
  start: number;
  end: number;
  groups: string[];
}
/** The first match at or after `from`. Whoever calls has the engine: PCRE in nginx, the contract's own elsewhere. */
export type FindRegex = (
  subject: string,
  pattern: string,
  insensitive: boolean,
  from: number,
) => RegexMatch | undefined;

/** What a path is compared with: one path, a folder and all below it, or a pattern. */
export interface PathMatcher {
  type: 'path' | 'prefix' | 'regex';
  text: string;
  insensitive: boolean;
}

export interface PathMatch {
  /** prefix: the path below the folder, decoded, without a slash before it. */
  rest: string;
  groups: string[];
}

export function preparePath(
  type: 'path' | 'prefix' | 'regex',
  written: string,
  insensitive: boolean,
): PathMatcher {
  if (type === 'regex') return { type, text: written, insensitive };
  const path = normalizePath(written);
  const text = insensitive ? lowerAscii(path) : path;
  return { type, text: type === 'prefix' && !text.endsWith('/') ? `${text}/` : text, insensitive };
}

/** In whichever reading of a path: what keeps visitors off a path does so however it is written. */
export function matchPath(
  matcher: PathMatcher,
  { plain, others }: RequestPath,
  find: FindRegex,
): PathMatch | undefined {
  let match = matchReading(matcher, plain, find);
  // A path with dot segments is refused; none leads out of a folder here either.
  for (const reading of others)
    if (match === undefined && !hasDotSegment(reading)) match = matchReading(matcher, reading, find);
  return match;
}

function matchReading(matcher: PathMatcher, path: string, find: FindRegex): PathMatch | undefined {
  const { type, text, insensitive } = matcher;
  if (type === 'regex') {
    const found = find(path, text, insensitive, 0);
    return found === undefined ? undefined : { rest: '', groups: found.groups };
  }
  const subject = insensitive ? lowerAscii(path) : path;
  if (type === 'path') return subject === text ? { rest: '', groups: [] } : undefined;
  if (subject.startsWith(text)) return { rest: path.substring(text.length), groups: [] };
  return subject.length === text.length - 1 && `${subject}/` === text ? { rest: '', groups: [] } : undefined;
}

/** `base` and, below it, the end of a path: as the visitor wrote it, where that says the same (`%2F` is no separator). */
export function joinPath(base: string, written: string, rest: string): string {
  if (rest === '') return base;
  const path = normalizePath(written);
  const before = path.length - rest.length;
  const end = written.substring(before);
  const isAsWritten =
    written.substring(0, before) === path.substring(0, before) && percentDecode(end) === rest;
  return `${base.endsWith('/') ? base : `${base}/`}${isAsWritten ? escapeWritten(end) : escapeForPath(rest)}`;
}
