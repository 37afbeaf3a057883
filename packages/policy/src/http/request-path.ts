import { ownAddressPrefix, ownPathPrefix, ownVerifyPrefix } from '../address/address-link.ts';
import { normalizePath, percentDecode, splitTarget } from './path.ts';
import {
  countMarkKinds,
  foldUnicode,
  hasDotSegment,
  hasEncodedSlash,
  hasOverlongMark,
  skipMarks,
} from './path-marks.ts';

/**
 * What the path of a request is, for everything that is decided by it: who may come in, redirects and rewrites, cache
 * rules, the edge's own pages. Origins are sent a path as it was written, and read it in ways of their own. So a path that
 * some would take for quite another one is refused, and of what is left all readings are judged. Why so is in
 * `docs/decisions/0024-a-path-is-judged-in-all-its-readings.md`.
 */
export interface RequestPath {
  /** As nginx reads it: decoded once, slashes merged. */
  plain: string;
  /** As other origins may read it, where that is something else. */
  others: string[];
  /** It has marks at which some origins end a name or begin another. Slashes that are to be merged are none. */
  isMarked: boolean;
}

/** Why a path is refused. */
export type PathProblem =
  | 'no_path'
  | 'fragment'
  | 'bad_escape'
  | 'control_character'
  | 'backslash'
  | 'double_encoding'
  | 'overlong'
  | 'dot_segment'
  | 'mixed_marks';

const slash = 47;
const dot = 46;
const roundsMax = 8;

/** Of a path as it was sent, without its query. */
export const readPath = (path: string): RequestPath =>
  isSimple(path) ? { plain: path, others: [], isMarked: false } : readMarked(path);

function readMarked(path: string): RequestPath {
  const plain = normalizePath(path);
  const isMarked = hasEncodedSlash(path) || normalizePath(skipMarks(percentDecode(path))) !== plain;
  const others: string[] = [];
  const add = (reading: string) => {
    if (reading === plain) return;
    for (const each of others) if (each === reading) return;
    others.push(reading);
  };
  // A host ends at a slash, for some before anything is decoded: that of `//a%2Fb/c` is `a/b`.
  const below = withoutAuthority(path);
  const once = [percentDecode(path), percentDecode(below)];
  const whole = [skipMarks(foldUnicode(decodeAll(path))), skipMarks(foldUnicode(decodeAll(below)))];
  for (const [reading, readingBelow] of [once, whole])
    for (const each of [reading!, withoutAuthority(reading!), readingBelow!]) {
      add(each);
      add(normalizePath(each));
    }
  if (isMarked) {
    add(withEncodedSlashes(path));
    add(withEncodedSlashes(below));
  }
  return { plain, others, isMarked };
}

export const readTarget = (target: string): RequestPath => readPath(splitTarget(target).path);

/** The path of a target as it is mostly read. */
export const pathOfTarget = (target: string): string => normalizePath(splitTarget(target).path);

/**
 * Whose a target is: the site's, the edge's own, or nobody's, since it lies where no site has anything. Else why it is
 * refused.
 */
export function judgeTarget(target: string): 'site' | 'own' | 'nobody' | PathProblem {
  const { path } = splitTarget(target);
  if (isSimple(path)) return 'site';
  if (path.startsWith(ownPathPrefix)) return isOwnPath(path) ? 'own' : 'nobody';
  const problem = pathProblem(path);
  if (problem !== undefined) return problem;
  const { plain, others } = readPath(path);
  if (plain.startsWith(ownPathPrefix)) return 'nobody';
  for (const each of others) if (each.startsWith(ownPathPrefix)) return 'nobody';
  return 'site';
}

/** A link to a page of the edge, in which nothing can be read otherwise. */
function isOwnPath(path: string): boolean {
  for (const prefix of [ownAddressPrefix, ownVerifyPrefix])
    if (path.startsWith(prefix) && isSimple(path.substring(prefix.length - 1))) return true;
  return false;
}

/** What may make an origin take a path for another than this node does, beyond what `readPath` follows. */
function pathProblem(path: string): PathProblem | undefined {
  if (path.charCodeAt(0) !== slash) return 'no_path';
  if (isSimple(path)) return undefined;
  if (path.indexOf('#') >= 0) return 'fragment';
  if (hasBadEscape(path)) return 'bad_escape';
  const decoded = percentDecode(path);
  const byte = path.indexOf(' ') >= 0 ? 'control_character' : byteProblem(decoded);
  if (byte !== undefined) return byte;
  if (percentDecode(decoded) !== decoded) return 'double_encoding';
  if (hasOverlongMark(decoded)) return 'overlong';
  if (hasDotSegment(foldUnicode(decoded))) return 'dot_segment';
  return countMarkKinds(path, decoded) > 1 ? 'mixed_marks' : undefined;
}

function byteProblem(decoded: string): PathProblem | undefined {
  for (let index = 0; index < decoded.length; index++) {
    const code = decoded.charCodeAt(index);
    if (code < 32 || code === 127) return 'control_character';
    if (code === 92) return 'backslash';
  }
  return undefined;
}

/** A percent sign without two hexadecimal digits behind it. */
function hasBadEscape(path: string): boolean {
  let from = path.indexOf('%');
  while (from >= 0) {
    const escape = path.substring(from, from + 3);
    if (escape.length < 3 || percentDecode(escape).length !== 1) return true;
    from = path.indexOf('%', from + 3);
  }
  return false;
}

/** Lower-case letters, digits and a few marks, no empty segment and none that starts or ends with a dot. */
function isSimple(path: string): boolean {
  // Several in turn ask it of the same request.
  if (path === lastSimple) return true;
  const isIt = hasSimpleMarks(path);
  if (isIt) lastSimple = path;
  return isIt;
}

let lastSimple = '/';

function hasSimpleMarks(path: string): boolean {
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

/** Decoded, but for slashes: to some origins an encoded one is a character like others. */
function withEncodedSlashes(path: string): string {
  const parts: string[] = [];
  for (const upper of path.split('%2F')) {
    const inner: string[] = [];
    for (const part of upper.split('%2f')) inner.push(percentDecode(part));
    parts.push(inner.join('%2f'));
  }
  return parts.join('%2f');
}

/** `//a/b` is `/b` of the host `a` to whoever takes a target for a reference (RFC 3986 §4.2). */
function withoutAuthority(path: string): string {
  if (!path.startsWith('//')) return path;
  let start = 0;
  while (path.charCodeAt(start) === slash) start += 1;
  const end = path.indexOf('/', start);
  return end < 0 ? '/' : path.substring(end);
}
