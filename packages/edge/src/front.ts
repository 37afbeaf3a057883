import { entryOf, goAround, keyOf } from './site.ts';

/** How long what could not be stored is asked for around the cache; every such answer renews it. */
const passSeconds = 60;

/**
 * The visitor's request: finds the site and answers with the cache key, or with none when a page is shown instead.
 * It runs for every hit, in `set_by_lua`, which unlike the later phases starts no coroutine; so it reads and sets
 * the fewest variables that do.
 */
export function front(scheme: string): string {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) {
    variables.edge_page = 'unknown_host';
    return '';
  }
  const site = entry.site;
  variables.site_id = site.siteId;
  variables.client_id = site.clientId;
  variables.order_id = site.orderId;
  if (entry.page !== undefined) {
    variables.edge_page = entry.page;
    return '';
  }
  const key = keyOf(entry, scheme, variables.request_uri!);
  const until = entry.around?.[key];
  if (until !== undefined && until > ngx.now()) {
    variables.cache_zone = 'off';
    variables.edge_pass = 'pass';
  }
  return key;
}

/** The answer to the visitor, with its age where it is one that can be kept (RFC 9111 §5.1). */
export function frontHeaders(): void {
  const variables = ngx.var;
  const note = variables.upstream_http_x_breakwater;
  if (note === undefined) return;
  // Its first ten characters are when the answer was made; see `fetchHeaders`.
  const born = tonumber(string.sub(note, 1, 10))!;
  if (born > 1) variables.age = `${math.max(0, ngx.time() - born)}`;
  else rememberPass(born === 1);
}

/**
 * What could not be stored goes around the cache from now on, until an answer comes that could: else every request
 * for it would wait in the cache's lock for the one before it.
 */
function rememberPass(isStorable: boolean): void {
  const variables = ngx.var;
  const method = variables.request_method;
  if ((method !== 'GET' && method !== 'HEAD') || variables.http_authorization !== undefined) return;
  const entry = entryOf(variables.host!);
  if (entry === undefined) return;
  const key = keyOf(entry, variables.scheme!, variables.request_uri!);
  goAround(entry, key, isStorable ? 0 : ngx.now() + passSeconds);
}
