import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { choosePeer, hashText, type Choice, type Peer } from '@breakwater/policy/origin/balance';
import type { BodyChange } from '@breakwater/policy/rewrite/body';
import { parseDirectives } from '@breakwater/policy/http/cache-control';
import { originHost, originScheme } from '@breakwater/policy/origin/origin';
import { fewerForwards } from '@breakwater/policy/http/fields';
import { isRemoved } from '@breakwater/policy/http/visitor-fields';
import * as balancer from 'ngx.balancer';
import { activeAt, endAt, startAt } from '../lib/active.ts';
import { headerNames } from '../lib/header-text.ts';
import { collapse, leaveCollapse, sendToWaitForRoom } from './collapse.ts';
import { noteSilence } from './crowd.ts';
import { fetchRequest, rereadFields, type FetchRequest } from './fetch-request.ts';
import { isDown, recordFailure } from './health.ts';
import { awaitSmallContent, isHeld } from './hold-answer.ts';
import { isAskedPlainly } from './interim.ts';
import { askForReadable, type LeakReading } from './leaks.ts';
import { isLargeForLittle, sendToBypass } from './little.ts';
import { limitFetch } from '../front/limits.ts';
import { signRequest } from './object-storage.ts';
import { askAsVisitor, askWithValidators, type StoredCopy } from './revalidation.ts';
import { askForText } from './rewrite-body.ts';
import { changeRequestHeaders } from '../front/rewrite-headers.ts';
import { takeRuleOver } from '../front/conditional-rules.ts';
import { peersOf, placesOf, type Places } from './peers.ts';
import type { Shields } from '../hop/shields.ts';
import { ratesTold } from '../hop/told.ts';
import { shieldsFor } from '../hop/to-shield.ts';
import { entryOf, type HostEntry } from '../site/host.ts';
import type { Site } from '../site/site.ts';
import { answerSeconds, plainLocationOf } from '../site/origins.ts';
import { renewAside } from './renewal.ts';
import { enterOrigin, leaveOrigin } from './room.ts';
import { releaseSlot, takeSlot } from './slots.ts';

/**
 * The way of a request from the cache to an origin. It comes as the visitor sent it, Host included; the visitor's scheme
 * and port come as `X-Forwarded-Proto` and `X-Breakwater-Port`, which the front always sets itself.
 */
export interface Attempt {
  entry: HostEntry;
  peers: Peer[];
  ports: number[];
  places: string[];
  /** By place in the list; absent: not. */
  tried: boolean[];
  choice: Choice;
  /** Absent: they are origins. */
  shields: Shields | undefined;
  /** How many were asked, and until when (by nginx's clock) all of them together may take to answer. */
  count: number;
  until: number;
  /** Which is being asked; before the first, which will be. */
  last: number;
  isAsked: boolean;
  /** What the visitor gets instead of the origin's content. */
  replacement: string | undefined;
  /** How much more of it may be kept; absent: nothing is kept, or its length is known. */
  bytesLeft: number | undefined;
  /** What is being done to the content, if anything, and how much of it is still looked at. */
  bodyChange: BodyChange | undefined;
  /** The answer was given to its end. */
  isComplete: boolean;
  /** The upstream for TLS that it has to itself. */
  slot: string | undefined;
  changeBytesLeft: number | undefined;
  /** What is read of the content for leaks; absent: nothing, or it is judged. */
  leaks: LeakReading | undefined;
  /** What is stored, where the origin is asked whether it is still good. */
  stored: StoredCopy | undefined;
}

/** Shields are near, and behind them is the origin. */
const shieldConnectSeconds = 1;
const shieldTries = 2;

/**
 * Prepares the asking; `isMoved` in the locations that nginx has for what is set in its configuration only, `isAgain` where a shield
 * was asked in vain.
 */
export function fetchAccess(isMoved: boolean, isAgain = false): void {
  const request = fetchRequest();
  const entry = entryOf(request.host);
  if (entry === undefined) {
    ngx.exit(502);
    return;
  }
  const isNew = !isMoved && !isAgain;
  if (isNew) {
    renewAside(request, entry.site.origins);
    if (isHeld(request, entry.site)) ngx.exec('@held');
  }
  if (entry.site.conditional !== undefined) takeRuleOver();
  // What gets here is not in the cache (RFC 9111 §5.2.1.7).
  const wish = request.cacheControl;
  if (wish !== undefined && parseDirectives(wish)['only-if-cached'] !== undefined) {
    ngx.var.edge_page = 'not_stored';
    ngx.exit(504);
    return;
  }
  const site = entry.site;
  if (isNew) {
    if (isLargeForLittle(request)) {
      sendToBypass(request);
      ngx.exit(204);
      return;
    }
    collapse(request, site.origins);
    takeIn(request, entry);
  }
  const location = isAskedPlainly(site.key, site.origins)
    ? plainLocationOf(site.origins)
    : site.fetchLocation;
  if (!isMoved && location !== undefined) {
    ngx.exec(location);
    return;
  }
  const storage = site.objectStorage;
  const refused = storage === undefined ? undefined : signRequest(storage);
  if (refused !== undefined) {
    ngx.exit(refused);
    return;
  }
  askAsVisitor(request);
  rewriteRequest(request, site);
  askForReadable(site);
  askFor(request, entry, storage?.host ?? originHost(site.origins, entry.host));
}

/** What another node sends it has looked at, and counted. */
function takeIn(request: FetchRequest, entry: HostEntry): void {
  if (request.isFromEdge) return;
  tidyFields(entry.site);
  if (limitFetch(entry.site, request.address, ratesTold)) ngx.exit(504);
  if (shieldsFor(request, entry) !== undefined) ngx.exec('@shield');
}

/** Once, and where the visitor's request came in. */
export function rewriteRequest(request: FetchRequest, { rewriting }: Site): void {
  if (rewriting === undefined || request.isFromEdge || ngx.var.origin_rewritten === '1') return;
  ngx.var.origin_rewritten = '1';
  askForText(rewriting);
  changeRequestHeaders(rewriting.requestHeaders);
  rereadFields(request);
}

/**
 * What a visitor says of itself that only a proxy could know goes no further, unless the site lets it through. Cookies of several
 * lines become one (RFC 6265 §5.4): keys and rules go by all of them, and there are origins that read the first line alone.
 */
export function tidyFields({ document }: Site): void {
  const passed = document.real_ip?.pass_headers ?? nothing;
  const read = headerNames();
  if (read === undefined) {
    tidyMany(passed);
    return;
  }
  const { names, count } = read;
  let cookies = 0;
  let isCounted = false;
  for (let index = 0; index < count; index++) {
    const name = names[index]!;
    if (name === 'cookie') cookies += 1;
    else if (name === 'max-forwards') isCounted = true;
    else if (isRemoved(name, passed)) ngx.req.clear_header(name);
  }
  if (cookies > 1) ngx.req.set_header('Cookie', ngx.var.http_cookie!);
  if (isCounted) countForward();
}

const nothing: string[] = [];

function tidyMany(passed: readonly string[]): void {
  const fields = ngx.req.get_headers(0);
  for (const name in fields) if (isRemoved(name, passed)) ngx.req.clear_header(name);
  if (type(fields.cookie) === 'table') ngx.req.set_header('Cookie', ngx.var.http_cookie!);
  if (fields['max-forwards'] !== undefined) countForward();
}

/** How far OPTIONS goes is the visitor's to say. TRACE, the other method of which RFC 9110 §7.6.2 asks that, nginx answers with 405. */
function countForward(): void {
  if (ngx.req.get_method() !== 'OPTIONS') return;
  const left = fewerForwards(ngx.var.http_max_forwards!);
  if (left === undefined) ngx.exit(204);
  else ngx.req.set_header('Max-Forwards', left);
}

/** Sets what nginx asks the origin with. */
function askFor(request: FetchRequest, entry: HostEntry, host: string): void {
  const variables = ngx.var;
  const config = entry.site.origins;
  const scheme = originScheme(config, request.scheme);
  // It has its place already where a shield was asked before.
  if (variables.origin_place === '' && !takeRoom(request, entry.site)) return;
  const attempt = prepare(entry, scheme, request);
  if (attempt === undefined) return;
  attempt.stored = askWithValidators(request);
  ngx.ctx.attempt = attempt;
  variables.origin_scheme = scheme;
  variables.origin_host = host;
  if (scheme === 'https') {
    const name = config.sni ?? host;
    variables.origin_sni = name;
    attempt.slot = takeSlot(config.keepalive_seconds, config.verify_tls ? `${name} verified` : name);
    variables.origin_upstream = attempt.slot;
  } else if (config.keepalive_seconds !== 4)
    variables.origin_upstream = `origins_http_${config.keepalive_seconds}`;
  if (!config.websocket && variables.http_upgrade !== undefined) ngx.req.clear_header('Upgrade');
}

/** A place at the origins, and with it content that is small. False: the request ends here. */
export function takeRoom(request: FetchRequest, site: Site): boolean {
  if (enterOrigin(site.key, request.isLaterPart)) return awaitSmallContent(request, site);
  if (!sendToWaitForRoom(request)) turnAway();
  return false;
}

/** There is no room: the cache gives what it has, else the page says when to come again. */
export function turnAway(): void {
  ngx.var.edge_retry_after = '1';
  ngx.exit(503);
}

/** Who asked, for what, and at which port. */
export type Visitor = Pick<FetchRequest, 'host' | 'target' | 'address' | 'port'>;

/** Chooses the first origin. Without one the request ends here. */
export function prepare(entry: HostEntry, scheme: 'http' | 'https', visitor: Visitor): Attempt | undefined {
  const { site } = entry;
  const peers = peersOf(site);
  if (peers.length === 0) {
    ngx.log(
      ngx.ERR,
      'site ',
      site.siteId,
      ': no origin is in use, or none has an address (are their names resolved?)',
    );
    ngx.exit(502);
    return undefined;
  }
  const attempt = attemptAt(
    entry,
    peers,
    placesOf(site, peers, scheme, visitor.port),
    choiceFor(site, site.origins, visitor),
  );
  const first = chooseNext(attempt);
  if (first === undefined) {
    ngx.log(ngx.ERR, 'site ', site.siteId, ': every origin has as many requests under way as it may');
    ngx.exit(503);
    return undefined;
  }
  attempt.last = first;
  return attempt;
}

export function attemptAt(
  entry: HostEntry,
  peers: Peer[],
  { ports, names }: Places,
  choice: Choice,
): Attempt {
  return {
    entry,
    peers,
    ports,
    places: names,
    tried: [],
    shields: undefined,
    count: 0,
    until: ngx.now() + answerSeconds(entry.site.origins),
    choice,
    last: -1,
    isAsked: false,
    replacement: undefined,
    bytesLeft: undefined,
    bodyChange: undefined,
    isComplete: false,
    changeBytesLeft: undefined,
    leaks: undefined,
    stored: undefined,
    slot: undefined,
  };
}

function choiceFor(site: Site, { method }: OriginServerConfig, { host, target, address }: Visitor): Choice {
  let hash = 0;
  if (method === 'ip_hash') hash = hashText(address);
  else if (method === 'url_hash' || method === 'consistent') hash = hashText(host + target);
  return { method, random: math.random(), hash, credits: site.credits };
}

export function chooseNext(attempt: Attempt): number | undefined {
  const { peers, places, choice, entry } = attempt;
  const isOnly = peers.length === 1 && !entry.site.isCounted && attempt.shields === undefined;
  // There is no choice, which is the common case, and LuaJIT compiles no function with a loop that runs once.
  if (isOnly) return attempt.tried[0] === true ? undefined : 0;
  const down: boolean[] = [];
  for (let index = 0; index < peers.length; index++) down.push(isDown(places[index]!, peers[index]!.checked));
  if (entry.site.isCounted && attempt.shields === undefined) {
    const active: number[] = [];
    for (const place of places) active.push(activeAt(place));
    choice.active = active;
  }
  const chosen = choosePeer(peers, attempt.tried, down, choice);
  // In place of an origin that failed of late there may be no other; in place of a shield there is the origin.
  return chosen !== undefined && attempt.shields !== undefined && down[chosen]! ? undefined : chosen;
}

/** Called for the first try and again after each that failed. */
export function balance(): void {
  const attempt = ngx.ctx.attempt as Attempt;
  const config = attempt.entry.site.origins;
  const { shields } = attempt;
  if (attempt.isAsked) noteFailure(attempt);
  attempt.count += 1;
  const left = attempt.until - ngx.now();
  const tries = shields === undefined ? config.tries : shieldTries;
  if (attempt.count < math.min(tries, attempt.peers.length) && left > 1) balancer.set_more_tries(1);
  // All tried, and nginx asks once more: a kept-alive connection had gone stale, which says nothing of the origin.
  const chosen = attempt.isAsked ? (chooseNext(attempt) ?? attempt.last) : attempt.last;
  attempt.isAsked = true;
  attempt.tried[chosen] = true;
  attempt.last = chosen;
  const peer = attempt.peers[chosen]!;
  const atMost = math.max(1, left);
  balancer.set_timeouts(
    math.min(shields === undefined ? config.connect_timeout_seconds : shieldConnectSeconds, atMost),
    math.min(config.send_timeout_seconds, atMost),
    math.min(config.read_timeout_seconds, atMost),
  );
  const [isSet, problem] = balancer.set_current_peer(peer.ip, attempt.ports[chosen]!);
  if (isSet === undefined) ngx.log(ngx.ERR, 'origin ', peer.ip, ' cannot be asked: ', problem ?? '');
  const place = attempt.places[chosen]!;
  if (shields !== undefined) ngx.var.origin_sni = shields.names[chosen]!;
  else if (attempt.entry.site.isCounted) countAt(place);
  // The page of a failure runs after an internal redirect, which drops the context; variables outlive it.
  ngx.var.origin_tried = `${peer.origin.max_fails} ${peer.origin.fail_timeout_seconds} ${place}`;
}

/** That it lacks something, or wants to be asked less, says nothing of its health. */
function noteFailure(attempt: Attempt): void {
  const [state, status] = balancer.get_last_failure();
  if (state === 'next' || status === 429) return;
  const { origin } = attempt.peers[attempt.last]!;
  recordFailure(attempt.places[attempt.last]!, origin.max_fails, origin.fail_timeout_seconds);
}

function countAt(place: string): void {
  const before = ngx.var.origin_counted;
  if (before !== undefined && before !== '') endAt(before);
  startAt(place);
  ngx.var.origin_counted = place;
}

/** The end of every request to the fetch server, however it came. */
export function fetchDone(): void {
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  const isComplete = attempt?.isComplete === true;
  if (!isComplete) noteSilence();
  leaveCollapse(fetchRequest(), isComplete);
  endAsking(attempt);
}

/** `attempt`: absent after an internal redirect, which variables outlive. */
export function endAsking(attempt: Attempt | undefined): void {
  const variables = ngx.var;
  leaveOrigin();
  if (attempt === undefined || attempt.entry.site.isCounted) {
    const counted = variables.origin_counted!;
    if (counted !== '') endAt(counted);
  }
  if (attempt === undefined && variables.origin_scheme === 'https') releaseSlot(variables.origin_upstream!);
  else if (attempt?.slot !== undefined) releaseSlot(attempt.slot);
}

/** A failure that nginx found itself: no connection, no answer in time, or none that is HTTP. */
export function recordLastFailure(): void {
  const [failsMax, seconds, place] = string.match(ngx.var.origin_tried ?? '', '^(%d+) (%d+) (.+)$');
  if (place !== undefined) recordFailure(place, tonumber(failsMax)!, tonumber(seconds)!);
}
