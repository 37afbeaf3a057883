import { judgeTarget } from '@breakwater/policy/http/request-path';
import {
  isBypassed,
  askedOfTarget,
  entryAtPort,
  entryOf,
  generationOfTarget,
  isWhole,
  keyOf,
  rememberedRuleOf,
} from '../site/host.ts';
import { addCacheStatus, placeOfRule } from '../front/cache-extras.ts';
import { bypassCache } from '../front/bypass.ts';
import { withContent, withGeneration } from '../front/cache-key.ts';
import { frontHeaders, noteSliceTag, noteWhole } from '../front/answer-headers.ts';
import { newestRefresh } from '../documents/store.ts';
import { isNodeOf } from './node-name.ts';
import { shieldsOf } from './shields.ts';

/**
 * The other side of the hop: a node that asks this one as its shield (docs/origin-shield.md). Who may come in, limits and rewriting
 * were asked there, so the request begins at the cache, under a key that says that it came so: what visitors of this node get may have
 * been rewritten.
 */

/** In place of `front`, on the listener for other nodes: the cache key, or nothing, and the connection ends. */
export function enterFromEdge(): string {
  const variables = ngx.var;
  const told = variables.http_x_breakwater_hop ?? '';
  const [site, refreshed, scheme, way] = string.match(told, '^(%d+) (%d+) (https?) (%a+)$');
  const target = variables.request_uri!;
  const held = entryOf(variables.host!);
  // A page that nginx chose by itself: the request has been here before.
  const isRefused = variables.edge_page !== '' || held === undefined || held.site.key !== site;
  if (isRefused || !mayAsk(site!) || judgeTarget(target) !== 'site') {
    variables.edge_stage = '@refused';
    variables.edge_page = 'none';
    return '';
  }
  const entry = entryAtPort(held, variables.http_x_breakwater_port ?? '');
  if (entry.site.conditional !== undefined) variables.edge_rule = variables.http_x_breakwater_rule ?? '-';
  const key = keyOf(entry, scheme!, target);
  // What is stored here may be what the other node was told to give no longer.
  const isBehind = newestRefresh('refreshed', site!) < tonumber(refreshed)!;
  if (isBehind || way === 'around' || isBypassed(entry, key)) bypassCache();
  variables.edge_stage = placeOfRule(rememberedRuleOf(entry, target), isWhole(entry, target));
  variables.edge_page = 'none';
  const current = withGeneration(key, generationOfTarget(entry, target), askedOfTarget(entry, target));
  return withContent(current, 'hop', variables.http_x_breakwater_variant ?? '');
}

/** A node whose certificate is of our authority, and that serves the site to visitors. */
function mayAsk(site: string): boolean {
  const variables = ngx.var;
  const shields = shieldsOf(site);
  if (shields === undefined || !shields.isShield || variables.ssl_client_verify !== 'SUCCESS') return false;
  const [id] = string.match(variables.ssl_client_s_dn ?? '', '^CN=node%-(%d+)$');
  return id !== undefined && shields.members[tonumber(id)!] === true && isNodeOf(tonumber(id)!);
}

/** The answer to the other node, with its age, and with what only nodes are told. */
export function hopHeaders(): void {
  const variables = ngx.var;
  frontHeaders(variables.http_x_forwarded_proto);
  const status = variables.cache_status!;
  const isStored = status === 'HIT' || status === 'STALE' || status === 'UPDATING';
  const addr = isStored || variables.stated_addr === '' ? '-' : variables.stated_addr!;
  ngx.header['X-Breakwater-Hop'] =
    `${isStored ? secondsHeld() : 0} ${addr} ${addr === '-' ? '0' : variables.stated_status!}`;
  const entry = entryOf(variables.host!);
  if (entry?.site.extras?.saysStatus === true) addCacheStatus();
}

/** How old it is, without what it was when it came. */
function secondsHeld(): number {
  const { age, upstream_http_age: before } = ngx.var;
  return math.max(0, (tonumber(age) ?? 0) - (tonumber(before) ?? 0));
}

export function hopSliceHeaders(): void {
  if (ngx.is_subrequest) return;
  noteSliceTag();
  hopHeaders();
}

export function hopWholeHeaders(): void {
  noteWhole(ngx.var.http_x_breakwater_port ?? '', ngx.var.request_uri!);
  hopHeaders();
}
