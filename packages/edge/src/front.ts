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
 * The answer to the visitor. One from the cache is given its age (RFC 9111 §5.1). One that was asked for and could not
 * be stored is remembered, else every request for it would wait in the cache's lock for the one before it.
 */
export function frontHeaders(): void {
  const variables = ngx.var;
  const status = variables.upstream_cache_status;
  if (status === undefined) return;
  if (status === 'MISS' || status === 'EXPIRED') {
    if (variables.upstream_http_x_accel_expires === '0') rememberPass();
    return;
  }
  const born = tonumber(variables.upstream_http_x_breakwater_born);
  if (born !== undefined) ngx.header['Age'] = math.max(0, ngx.time() - born);
}

function rememberPass(): void {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) return;
  decisionOf(entry, variables.scheme!, variables.request_uri!).passUntil = ngx.now() + passSeconds;
}
