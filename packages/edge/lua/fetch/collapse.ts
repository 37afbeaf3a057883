import { bypassCache } from '../front/bypass.ts';
import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { trimOws } from '@breakwater/policy/lib/text';
import { isRunning } from '../lib/active.ts';
import { md5Hex } from '../lib/digest.ts';
import { joined } from '../front/visitor.ts';
import { fetchRequest, holdCollapsed, type FetchRequest } from './fetch-request.ts';
import { entryOf } from '../site/host.ts';
import { answerSeconds } from '../site/origins.ts';
import { waitInRoom } from './room.ts';
import { hasStale } from './stale.ts';

/**
 * Collapsed forwarding: of requests at once for what the cache has not, one asks the origin, and the others wait for what
 * comes of it. A hit knows nothing of this: it begins in the fetch server, which sends a request that is to wait back to
 * the visitor's side, where it takes no connection but the visitor's, and then goes to the cache once more. nginx's own lock
 * lets waiting requests go one after another where the answer is not to be kept, and none wait where one has expired.
 *
 * For each key that is asked for there is an entry, in memory that all workers share; with none, who comes next asks:
 * - `asking PID ID`: the origin's header is not there yet
 * - `storing PID ID`: it is, and its answer is on its way into the cache
 * - `stored`: the cache has it, or will in a moment. Where it was learnt only from this answer that there are variants, those
 *   who want another wait for that as well: of two that come at once for what the cache has not, nginx keeps the last alone
 * - `each`: what came is not to be kept, so whoever comes asks for itself, and nobody waits (hit-for-miss). Only requests
 *   that the cache could have answered leave it, and each kind of request for itself
 * - `whole`: as that, since it is not to be had in parts
 * What is pushed out of this memory costs an origin a request more, and so does a worker that was killed.
 */
const entries = ngx.shared.edge_asking;

/** nginx takes ten redirects within itself for a loop, and each wait takes two. */
const waitsMax = 3;
/** After the end of the fetching, until nginx has put the answer in its place: the longer the later it was found missing. */
const settleSeconds = [0.05, 0.05, 0.5, 0.5];
/** Who has waited so often for what then was not there asks for it anew. */
const vainWaitsMax = 2;
const storedSeconds = 2;
const pauseSecondsMax = 0.25;
const daySeconds = 86_400;
/** In the place of what a request waits for: it goes around the cache now. */
export const bypass = '-';
const forRoom = '+';
/** For how long, and up to twice as long, one waits for room at an origin, the first time, the second and the third. */
const roomSeconds = [0.1, 0.4, 1];
/** What the cache says of a request that may fill it. */
const filling: Record<string, boolean> = { MISS: true, EXPIRED: true };

/** In the fetch server, before an origin is asked: who comes back from this asks. */
export function collapse(request: FetchRequest, origins: OriginServerConfig): void {
  const { key, cached } = request;
  if (key === undefined || filling[cached ?? ''] !== true) return;
  // The parts of one version are fresh together: the first, which the visitor has, is (RFC 9111 §4.3.4).
  if (cached === 'EXPIRED' && request.isLaterPart) takePart();
  const waits = waitsOf(request);
  const kind = kindOf(request, key);
  const name = isStoring(kind) ? kind : nameOf(kind, request.acceptEncoding);
  if (waits >= vainWaitsMax && entries.get(name) === 'stored') entries.delete(name);
  if (lead(request, name, origins) || asksForItself(request, name) || waits >= waitsMax) return;
  if (request.isLaterPart) {
    if (outcomeOf(name, 0) === 'stored') takePart();
    lead(request, name, origins);
    return;
  }
  sendToWait(name, placeOf(request)!);
}

/** How often it has waited: the first digit of its place. What goes nowhere back has waited enough. */
const waitsOf = ({ place }: FetchRequest): number =>
  (place === undefined ? undefined : tonumber(string.sub(place, 1, 1))) ?? waitsMax;

const placeOf = ({ place }: FetchRequest): string | undefined =>
  place === undefined ? undefined : string.sub(place, 3);

function isStoring(name: string): boolean {
  return string.sub((entries.get(name) as string | undefined) ?? '', 1, 8) === 'storing ';
}

function sendToWait(name: string, place: string): void {
  ngx.header['X-Accel-Redirect'] = '@wait';
  ngx.header['X-Breakwater-Wait'] = `${name} ${place}`;
  ngx.exit(204);
}

/** Where the request can go back to, if it has not been there too often. */
export const placeToReturn = (request: FetchRequest): string | undefined =>
  waitsOf(request) >= waitsMax ? undefined : placeOf(request);

/**
 * With the header of an answer, and in its place: the request goes back to the visitor's side, and from there to the cache again.
 * False: it has been there too often.
 */
export function comeAgain(): boolean {
  const request = fetchRequest();
  const place = placeToReturn(request);
  if (place === undefined) return false;
  endCollapse(request);
  const header = ngx.header;
  for (const name in ngx.resp.get_headers(0)) header[name] = undefined;
  ngx.status = 204;
  header['X-Accel-Redirect'] = '@wait';
  header['X-Breakwater-Wait'] = `0 ${place}`;
  return true;
}

/** A later part comes from the cache, of the variant that the first is of: parts are asked for without `Accept-Encoding`. */
export function takePart(): void {
  const encoding = ngx.var.http_x_breakwater_encoding;
  if (encoding !== undefined) ngx.req.set_header('Accept-Encoding', encoding);
  ngx.exec('@part');
}

/**
 * In the fetch server: there is no room at the origins of a site (`room.ts`). False: who has waited before, or brings content,
 * which is read only once, waits no longer, nor does who can be given what is stale.
 */
export function sendToWaitForRoom(request: FetchRequest): boolean {
  if (waitsOf(request) >= waitsMax || request.hasContent || hasStale(request)) return false;
  endCollapse(request);
  sendToWait(forRoom, placeOf(request)!);
  return true;
}

/** On the visitor's side: waits, and goes to the cache again. */
export function waitForAnother(): void {
  // A renewal behind a visitor's back: another is under way.
  if (ngx.is_subrequest) ngx.exit(204);
  const variables = ngx.var;
  const [name, place] = string.match(variables.upstream_http_x_breakwater_wait!, '^(%S+) (.+)$');
  if (name === bypass) {
    bypassCache();
    ngx.exec(place!);
    return;
  }
  const waits = tonumber(variables.edge_waited)! + 1;
  let outcome: string | undefined;
  const hasWaited = waitInRoom(entryOf(variables.host!)?.site.key ?? '', () => {
    if (name === forRoom) ngx.sleep(roomSeconds[waits - 1]! * (1 + math.random()));
    else outcome = outcomeOf(name!, waits);
  });
  // Who may not wait is turned away, or given what is stale, by the fetch server, which knows if there is any.
  variables.edge_waited = `${hasWaited ? waits : waitsMax}`;
  if (outcome !== 'whole') ngx.exec(place!);
  const [whole] = string.gsub(place!, '@slice_%d+m', '@whole');
  ngx.exec(whole);
}

function outcomeOf(name: string, waits: number): string | undefined {
  let pause = 0.01;
  let wasStoring = false;
  while (true) {
    const entry = entries.get(name) as string | undefined;
    if (entry === 'stored' || (entry === undefined && wasStoring)) ngx.sleep(settleSeconds[waits]!);
    wasStoring = isStoring(name);
    const [pid] = string.match(entry ?? '', '^%a+ (%d+) ');
    if (pid === undefined) return entry;
    if (!isRunning(tonumber(pid)!)) return undefined;
    ngx.sleep(pause);
    pause = math.min(pause * 1.3, pauseSecondsMax);
  }
}

/** Its answer may be the first that can be kept after all: from then on others wait for it. */
function asksForItself(request: FetchRequest, name: string): boolean {
  const entry = entries.get(name);
  if (entry !== 'each' && entry !== 'whole') return false;
  holdCollapsed(request, { name, holder: newHolder(), isForItself: true });
  return true;
}

export const isForItself = ({ collapsed }: FetchRequest): boolean => collapsed?.isForItself === true;

let holders = 0;

/** Another for each request of a worker. */
function newHolder(): string {
  holders += 1;
  return `${ngx.worker.pid()} ${holders}`;
}

/** True: this request is the one that asks. */
function lead(request: FetchRequest, name: string, origins: OriginServerConfig): boolean {
  const holder = newHolder();
  const seconds = answerSeconds(origins) + 1;
  const [isFirst] = entries.add(name, `asking ${holder}`, seconds);
  if (!isFirst) {
    const [pid] = string.match((entries.get(name) as string | undefined) ?? '', '^%a+ (%d+) ');
    if (pid === undefined || isRunning(tonumber(pid)!)) return false;
    entries.set(name, `asking ${holder}`, seconds);
  }
  holdCollapsed(request, { name, holder, isForItself: false });
  return true;
}

/** What the answer's header means for those who wait. */
export function collapsedInto(request: FetchRequest, outcome: 'each' | 'whole', seconds: number): void {
  if (request.collapsed === undefined) return;
  entries.set(request.collapsed.name, outcome, seconds);
  holdCollapsed(request, undefined);
}

/** It will be kept; who waits does so as long as an origin may be silent. */
export function collapsedIntoStored(
  request: FetchRequest,
  origins: OriginServerConfig,
  vary: string | undefined,
): void {
  const { collapsed, key } = request;
  if (collapsed === undefined) return;
  const { name, holder } = collapsed;
  const kind = kindOf(request, key!);
  if (vary !== undefined) entries.set(`vary ${kind}`, vary, daySeconds);
  const isKind = vary === undefined && name === kind;
  const variant = isKind ? kind : nameOf(kind, request.acceptEncoding);
  // Who wants another variant waits no longer, but where it is only now known that there are some.
  if (variant !== name && name !== kind) entries.delete(name);
  const note = `storing ${holder}`;
  if (name === kind && variant !== kind) entries.set(kind, note, origins.read_timeout_seconds);
  entries.set(variant, note, origins.read_timeout_seconds);
  if (variant !== name || collapsed.isForItself)
    holdCollapsed(request, { name: variant, holder, isForItself: false });
}

/** The next who waits asks again. */
export function endCollapse(request: FetchRequest): void {
  if (request.collapsed === undefined) return;
  entries.delete(request.collapsed.name);
  holdCollapsed(request, undefined);
}

/** At the end of the request to the fetch server. `isComplete`: the answer was given to its end. */
export function leaveCollapse(request: FetchRequest, isComplete: boolean): void {
  if (request.collapsed === undefined) return;
  const { name, holder } = request.collapsed;
  const entry = entries.get(name);
  // Who waited for what has failed does not wait for the next to fail.
  if (entry === `asking ${holder}`) entries.set(name, 'each', 1);
  if (entry !== `storing ${holder}`) return;
  if (isComplete) entries.set(name, 'stored', storedSeconds);
  else entries.delete(name);
  const kind = kindOf(request, request.key!);
  if (kind !== name && entries.get(kind) === entry) entries.delete(kind);
}

/**
 * What a request says by which its answer may not be kept for others sets it apart: nobody else waits for it, and what
 * comes of it says nothing of theirs. A cookie may be one of these, so requests that carry some stand beside those without.
 */
function kindOf(request: FetchRequest, key: string): string {
  request.kind ??= md5Hex(`${key}${apart(request)}`);
  return request.kind;
}

function apart({ hasAuthorization, hasCookie, cacheControl }: FetchRequest): string {
  const isPersonal =
    hasAuthorization ||
    (cacheControl !== undefined && string.find(cacheControl, 'no-store', 1, true)[0] !== undefined);
  if (isPersonal) return ' personal';
  return hasCookie ? ' cookie' : '';
}

/** The entry's name: requests for one variant share it, as far as it is known what answers vary by. */
function nameOf(kind: string, acceptEncoding: string | undefined): string {
  const vary = entries.get(`vary ${kind}`) as string | undefined;
  if (vary === undefined) return kind;
  const headers = ngx.req.get_headers(0);
  let text = kind;
  for (const each of vary.toLowerCase().split(',')) {
    const item = trimOws(each);
    const value = item === 'accept-encoding' ? (acceptEncoding ?? '') : joined(headers[item] ?? '');
    text = `${text}\n${value.length} ${value}`;
  }
  return md5Hex(text);
}
