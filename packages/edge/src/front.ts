import { decisionOf, entryOf } from './site.ts';

/** After an answer that could not be stored, its key is asked around the cache for as long (seconds). */
const passSeconds = 10;

/**
 * The visitor's request: finds the site and answers with the cache key, or with none when a page is shown instead.
 * It runs for every hit, in `set_by_lua`, which unlike the later phases starts no coroutine; so it reads and sets
 * the fewest variables that do.
 */
export function front(): string {
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
  const decision = decisionOf(entry, variables.scheme!, variables.request_uri!);
  if (decision.isBypass) variables.cache_zone = 'off';
  else if (decision.passUntil > 0) {
    if (decision.passUntil > ngx.now()) variables.cache_zone = 'off';
    else decision.passUntil = 0;
  }
  return decision.key;
}

/**
 * The answer to the visitor, with its age where it is one that can be kept (RFC 9111 §5.1). One that could not be
 * stored is remembered, else every request for it would wait in the cache's lock for the one before it.
 */
export function frontHeaders(): void {
  const variables = ngx.var;
  const note = variables.upstream_http_x_breakwater;
  if (note === undefined) return;
  // Its first ten characters are when the answer was made; see `fetchHeaders`.
  const born = tonumber(string.sub(note, 1, 10))!;
  if (born > 0) variables.age = `${math.max(0, ngx.time() - born)}`;
  else if (variables.upstream_cache_status !== undefined) rememberPass();
}

function rememberPass(): void {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) return;
  decisionOf(entry, variables.scheme!, variables.request_uri!).passUntil = ngx.now() + passSeconds;
}
