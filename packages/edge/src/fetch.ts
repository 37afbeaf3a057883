import { choosePeer, originHost, originPort, originScheme, type Peer } from '@breakwater/policy/origin';
import { decideStorage } from '@breakwater/policy/storage';
import * as balancer from 'ngx.balancer';
import { isDown, placeOf, recordFailure, recordSuccess } from './health.ts';
import { entryOf, peersOf, ruleOf, type HostEntry } from './site.ts';

/**
 * The internal server between cache and origins. It sees the request as the visitor sent it, Host included; the
 * visitor's scheme comes as `X-Forwarded-Proto`, which the front always sets itself.
 */

/** One request on its way to an origin. */
interface Attempt {
  entry: HostEntry;
  scheme: 'http' | 'https';
  peers: Peer[];
  places: string[];
  tried: boolean[];
  last: number;
}

export function fetchAccess(): void {
  const variables = ngx.var;
  const entry = entryOf(variables.host!);
  if (entry === undefined) {
    ngx.exit(502);
    return;
  }
  const site = entry.site;
  const config = site.document.origin_server_config;
  const scheme = originScheme(config, variables.http_x_forwarded_proto ?? 'http');
  const peers = peersOf(site);
  if (peers.length === 0) {
    ngx.log(
      ngx.ERR,
      'site ',
      site.siteId,
      ': no origin is in use, or none has an address (are their names resolved?)',
    );
    ngx.exit(502);
    return;
  }
  variables.origin_scheme = scheme;
  variables.origin_host = originHost(config, entry.host);
  const attempt: Attempt = { entry, scheme, peers, places: [], tried: [], last: -1 };
  for (const peer of peers) {
    attempt.places.push(placeOf(site.key, peer, scheme));
    attempt.tried.push(false);
  }
  ngx.ctx.attempt = attempt;
}

/** Called for the first try and again after each that failed. */
export function balance(): void {
  const attempt = ngx.ctx.attempt as Attempt;
  const config = attempt.entry.site.document.origin_server_config;
  if (attempt.last < 0) {
    balancer.set_more_tries(math.min(config.tries, attempt.peers.length) - 1);
  } else {
    const origin = attempt.peers[attempt.last]!.origin;
    recordFailure(attempt.places[attempt.last]!, origin.max_fails, origin.fail_timeout_seconds);
  }
  const down: boolean[] = [];
  for (const place of attempt.places) down.push(isDown(place));
  // All tried, and nginx asks once more: a kept-alive connection had gone stale, which says nothing of the origin.
  const chosen = choosePeer(attempt.peers, attempt.tried, down, math.random()) ?? attempt.last;
  attempt.tried[chosen] = true;
  attempt.last = chosen;
  const peer = attempt.peers[chosen]!;
  balancer.set_timeouts(
    config.connect_timeout_seconds,
    config.send_timeout_seconds,
    config.read_timeout_seconds,
  );
  const [isSet, problem] = balancer.set_current_peer(peer.ip, originPort(peer.origin, attempt.scheme));
  if (isSet === undefined) ngx.log(ngx.ERR, 'origin ', peer.ip, ' cannot be asked: ', problem ?? '');
  // The page of a failure runs after an internal redirect, which drops the context; variables outlive it.
  ngx.var.origin_tried = `${peer.origin.max_fails} ${peer.origin.fail_timeout_seconds} ${attempt.places[chosen]!}`;
}

/**
 * Tells the front how long to keep an answer, and in one note when it was made (seconds since 1970, ten digits, or
 * zeros when it is not kept, or one after them when it was asked for around the cache and could be), which origin gave it, and with which status. One field, since every hit reads it again.
 */
export function fetchHeaders(): void {
  const variables = ngx.var;
  const header = ngx.header;
  const answered = `${lastOf(variables.upstream_addr) ?? '-'} ${lastOf(variables.upstream_status) ?? '0'}`;
  header['X-Breakwater'] = `0000000000 ${answered}`;
  header['X-Accel-Expires'] = 0;
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  if (attempt === undefined || attempt.last < 0) return;
  recordSuccess(attempt.places[attempt.last]!);
  const buffering = variables.upstream_http_x_accel_buffering;
  const contentType = field('Content-Type') ?? '';
  if (buffering === 'no' || contentType.startsWith('text/event-stream')) header['X-Accel-Buffering'] = 'no';
  const now = ngx.time();
  const storage = decideStorage({
    method: ngx.req.get_method(),
    authorized: variables.http_authorization !== undefined,
    hasCookie: variables.http_cookie !== undefined,
    rule: ruleOf(attempt.entry, variables.request_uri!),
    now,
    answer: {
      status: ngx.status,
      cacheControl: field('Cache-Control')!,
      cdnCacheControl: field('CDN-Cache-Control')!,
      expires: field('Expires')!,
      date: field('Date')!,
      age: field('Age')!,
      lastModified: field('Last-Modified')!,
      vary: field('Vary')!,
      setCookie: field('Set-Cookie') !== undefined,
    },
  });
  if (storage.ttl === 0) return;
  if (variables.http_x_breakwater === 'pass') {
    header['X-Breakwater'] = `0000000001 ${answered}`;
    return;
  }
  header['X-Accel-Expires'] = storage.ttl;
  header['X-Breakwater'] = `${string.format('%010d', math.max(2, now - storage.age))} ${answered}`;
}

/** A failure that nginx found itself: no connection, no answer in time, or none that is HTTP. */
export function recordLastFailure(): void {
  const [failsMax, seconds, place] = string.match(ngx.var.origin_tried ?? '', '^(%d+) (%d+) (.+)$');
  if (place !== undefined) recordFailure(place, tonumber(failsMax)!, tonumber(seconds)!);
}

/** A response field, its lines joined by commas. */
function field(name: string): string | undefined {
  const value = ngx.header[name];
  if (type(value) === 'table') return table.concat(value as string[], ', ');
  return value === undefined ? undefined : tostring(value);
}

/** Of nginx's `a, b : c`, a value for each try: the last. */
function lastOf(values: string | undefined): string | undefined {
  if (values === undefined) return undefined;
  const [last] = string.match(values, '([^, ]+)$');
  return last === '-' ? undefined : last;
}
