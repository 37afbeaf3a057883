import { entryAtPort, entryOf, keyOf, type HostEntry } from '../site/host.ts';

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
export function hasStale(): boolean {
  const variables = ngx.var;
  if (variables.http_x_breakwater !== 'EXPIRED') return false;
  const key = requestKey();
  return key !== undefined && notes.get(key) !== undefined;
}

/** In the fetch server: the cache key of the request, which the front made from the same parts. */
export function requestKey(): string | undefined {
  const variables = ngx.var;
  const entry = requestEntry();
  return entry && keyOf(entry, variables.http_x_forwarded_proto ?? 'http', variables.request_uri!);
}

/** In the fetch server: the host, at the port that the visitor came to. */
export function requestEntry(): HostEntry | undefined {
  const entry = entryOf(ngx.var.host!);
  return entry && entryAtPort(entry, ngx.var.http_x_breakwater_port ?? '');
}
