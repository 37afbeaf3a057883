import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { comeAgain } from './collapse.ts';
import { fetchRequest } from './fetch-request.ts';

/**
 * Interim answers (RFC 9110 §15.2: 100, 102, 103). nginx takes them for final ones, and the final one for their content. An
 * origin must not send any to who speaks HTTP/1.0, so a site whose origin has sent one is asked so for a while.
 */
const sites = ngx.shared.edge_stale;
const noteSeconds = 3600;

export function isInterim(): boolean {
  return ngx.status >= 100 && ngx.status < 200 && ngx.status !== 101;
}

/**
 * Another protocol needs HTTP/1.1. Where the site allows none the variable is not read: its value would stay, and `askFor` takes the
 * field away later.
 */
export function isAskedPlainly(siteKey: string, { websocket }: OriginServerConfig): boolean {
  if (sites.get(`interim/${siteKey}`) === undefined) return false;
  return !websocket || ngx.var.forward_upgrade === '';
}

/**
 * In the place of an interim answer: a request that changes nothing goes back to the visitor's side, and from there comes
 * again (see `collapse.ts`). Any other may have been carried out, and ends here.
 */
export function askPlainly(siteKey: string): void {
  sites.set(`interim/${siteKey}`, 1, noteSeconds);
  const method = ngx.req.get_method();
  const isSafe = method === 'GET' || method === 'HEAD';
  if (!isSafe || fetchRequest().hasContent || !comeAgain()) ngx.exit(ngx.ERROR);
}
