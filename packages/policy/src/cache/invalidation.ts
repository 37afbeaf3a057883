import { normalizeHost } from '../http/host.ts';
import { splitTarget } from '../http/path.ts';
import { lastIndexOf, trimOws } from '../lib/text.ts';

export interface UnsafeAnswer {
  method: string;
  status: number;
  scheme: string;
  /** The host as the request is served for, without port. */
  host: string;
  /** The `Host` field as the visitor wrote it: whence the port. */
  authority?: string;
  /** Path and query of the request. */
  target: string;
  location?: string;
  contentLocation?: string;
}

const safe: Record<string, boolean> = { GET: true, HEAD: true, OPTIONS: true, TRACE: true };

/**
 * The targets (path and query) whose stored answers are no longer good after this one (RFC 9111 §4.4): that of a
 * request whose method may have changed it, and what the answer points to on the same origin. A method not known counts
 * as one that changes; an error changes nothing.
 */
export function invalidatedTargets(answer: UnsafeAnswer): string[] {
  const targets: string[] = [];
  if (safe[answer.method] === true || answer.status < 200 || answer.status > 399) return targets;
  targets.push(answer.target);
  for (const reference of [answer.location ?? '', answer.contentLocation ?? '']) {
    const target = sameOriginTarget(answer, trimOws(reference));
    if (target !== undefined && target !== answer.target) targets.push(target);
  }
  return targets;
}

/** The target that a reference (RFC 3986 §4.1) leads to, unless it is none or on another origin. */
function sameOriginTarget(answer: UnsafeAnswer, reference: string): string | undefined {
  const mark = reference.indexOf('#');
  let rest = mark < 0 ? reference : reference.substring(0, mark);
  if (rest === '') return undefined;
  const colon = rest.indexOf(':');
  if (colon > 0 && isScheme(rest.substring(0, colon))) {
    if (rest.substring(0, colon).toLowerCase() !== answer.scheme) return undefined;
    rest = rest.substring(colon + 1);
    if (!rest.startsWith('//')) return undefined;
  }
  if (rest.startsWith('//')) return targetAt(answer, rest.substring(2));
  if (rest.startsWith('/')) return rest;
  const path = splitTarget(answer.target).path;
  if (rest.startsWith('?')) return path + rest;
  return resolve(path.substring(0, lastIndexOf(path, '/') + 1), rest);
}

/** Letters first, then letters, digits, `+`, `-` and `.`. */
function isScheme(text: string): boolean {
  const lower = text.toLowerCase();
  for (let index = 0; index < lower.length; index++) {
    const code = lower.charCodeAt(index);
    if (code >= 97 && code <= 122) continue;
    const isMore = (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
    if (index === 0 || !isMore) return false;
  }
  return true;
}

function targetAt(answer: UnsafeAnswer, text: string): string | undefined {
  let end = 0;
  while (end < text.length && text.charCodeAt(end) !== 47 && text.charCodeAt(end) !== 63) end += 1;
  const authority = text.substring(0, end);
  if (normalizeHost(authority) !== answer.host) return undefined;
  if (portOf(authority, answer.scheme) !== portOf(answer.authority ?? '', answer.scheme)) return undefined;
  const rest = text.substring(end);
  return rest.startsWith('/') ? rest : '/' + rest;
}

function portOf(authority: string, scheme: string): string {
  const colon = lastIndexOf(authority, ':');
  const port = colon < 0 || authority.indexOf(']', colon) >= 0 ? '' : authority.substring(colon + 1);
  if (port !== '') return port;
  return scheme === 'https' ? '443' : '80';
}

/** A relative path on its folder, `.` and `..` taken out (RFC 3986 §5.2.4). */
function resolve(folder: string, reference: string): string {
  const { path, query } = splitTarget(reference);
  const segments: string[] = [];
  let last = '';
  for (const segment of (folder + path).substring(1).split('/')) {
    last = segment;
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  if (last === '.' || last === '..') segments.push('');
  return '/' + segments.join('/') + (query === undefined ? '' : '?' + query);
}
