import { entryAtPort, entryOf, keyOf, type HostEntry } from '../site/host.ts';
import type { FetchRequest } from './fetch-request.ts';

/**
 * Which stored answers may be served when their origin fails (`stale-if-error`), and until when. The cache knows it too
 * and has the last word, but gives a stale answer only when it gets none at all: not for one that says 500. So the fetch
 * server has to know when to be silent. A note pushed out of this memory costs a visitor the stale answer, no more.
 */
const notes = ngx.shared.edge_stale;

export function noteStale(key: string, seconds: number): void {
  notes.set(key, 1, seconds);
}

/** In the fetch server: that a stored answer waits for which this failure is the case. */
export function hasStale(request: FetchRequest): boolean {
  if (request.cached !== 'EXPIRED') return false;
  const key = requestKey(request);
  return key !== undefined && notes.get(key) !== undefined;
}

/** The cache key of the request, which the front made from the same parts. */
export function requestKey(request: FetchRequest): string | undefined {
  const entry = requestEntry(request);
  return entry && keyOf(entry, request.scheme, request.target);
}

/** The host, at the port that the visitor came to. */
export function requestEntry({ host, port }: FetchRequest): HostEntry | undefined {
  const entry = entryOf(host);
  return entry && entryAtPort(entry, port);
}
