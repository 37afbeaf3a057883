import { splitTarget } from '../http/path.ts';
import { readPath } from '../http/request-path.ts';
import { lowerAscii } from '../lib/text.ts';

/**
 * Pages that an operator has taken offline, as `host/path` or `host/path?query`. However a path is written, it is that page: every
 * reading of it counts, in either case. A page with a query is the one whose arguments the request has, with or without others.
 */
export interface OfflinePages {
  /** By host and path in lower case: the arguments of each; none: the path with any query. */
  [page: string]: string[][] | undefined;
}

/** Absent where none is. */
export function offlinePagesOf(pages: readonly string[] | undefined): OfflinePages | undefined {
  if (pages === undefined || pages.length === 0) return undefined;
  const found: OfflinePages = {};
  for (const page of pages) {
    const { path, query } = splitTarget(page);
    const slash = path.indexOf('/');
    const key = lowerAscii(path.substring(0, slash) + readPath(path.substring(slash)).plain);
    const held = found[key] ?? [];
    held.push(argumentsOf(query));
    found[key] = held;
  }
  return found;
}

/** Of a host in lower case, and a target as it was sent. */
export function isPageOffline(pages: OfflinePages, host: string, target: string): boolean {
  const { path, query } = splitTarget(target);
  const { plain, others } = readPath(path);
  if (isOffline(pages[host + lowerAscii(plain)], query)) return true;
  for (const other of others) if (isOffline(pages[host + lowerAscii(other)], query)) return true;
  return false;
}

function isOffline(held: string[][] | undefined, query: string | undefined): boolean {
  if (held === undefined) return false;
  const sent: Record<string, boolean> = {};
  for (const argument of argumentsOf(query)) sent[argument] = true;
  for (const asked of held) {
    let isAll = true;
    for (const argument of asked) if (sent[argument] !== true) isAll = false;
    if (isAll) return true;
  }
  return false;
}

function argumentsOf(query: string | undefined): string[] {
  const found: string[] = [];
  if (query === undefined) return found;
  for (const argument of query.split('&')) if (argument !== '') found.push(argument);
  return found;
}
