import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { fieldsOfHop } from '@breakwater/policy/http/fields';
import { decideStorage, type StorageDecision } from '@breakwater/policy/cache/storage';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { errorAnswer } from '../pages/error-page.ts';
import { bytesOf } from '../pages/send.ts';
import { pagesTold } from '../hop/told.ts';
import { takeFromShield, type FromShield } from '../hop/to-shield.ts';
import { dateOf, field, lastOf, linesOf } from './answer.ts';
import { recordLastFailure, type Attempt } from './ask.ts';
import { collapsedInto } from './collapse.ts';
import { compress, leaveUncompressed } from './compress.ts';
import { fetchRequest, type FetchRequest } from './fetch-request.ts';
import { recordSuccess } from './health.ts';
import { hitForMissSeconds, keepOrPass, tellNotKept, type Giver } from './keeping.ts';
import { noteTooLong } from './kept-size.ts';
import { askPlainly, isInterim } from './interim.ts';
import { isUsablePart, sliceRequest, wholeLength } from './slice.ts';
import { beginLeaks, readPiece } from './leaks.ts';
import { beginBodyChange, changePiece } from './rewrite-body.ts';
import { takeInPlaceOfError, takeStored } from './revalidation.ts';
import { hasStale, requestKey } from './stale.ts';
import { rememberedRuleOf } from '../site/host.ts';
import { readTags } from '../front/tags.ts';

/** The way of an origin's answer back to the cache; the way there is in `ask.ts`. */

/**
 * Tells the front how long to keep an answer, and in one note, since every hit reads it again: ten digits, a sign (`*`: its
 * `Cache-Control` was replaced; `!`: something was found in it, see `hold-answer.ts`), which origin gave it, why it is kept or is not, and
 * the origin's status. The digits are when it was made (seconds since 1970), 0 for what is not kept.
 */
export function fetchHeaders(): void {
  const variables = ngx.var;
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  const asked: Giver = {
    addr: lastOf(variables.upstream_addr) ?? '-',
    status: lastOf(variables.upstream_status) ?? '0',
  };
  dropServer();
  if (attempt === undefined || !attempt.isAsked) {
    leaveUncompressed();
    tellNotKept(asked);
    return;
  }
  const { entry } = attempt;
  const request = fetchRequest();
  // A rule of the site may have set it.
  if (request.acceptEncoding !== undefined || entry.site.rewriting !== undefined) leaveUncompressed();
  const stated = variables.upstream_http_content_length;
  if (isOfNoUse(request, attempt, stated)) return;
  const told = attempt.shields && takeFromShield();
  const giver = told?.giver ?? asked;
  if (isFailure() && takeInPlaceOfError(attempt)) {
    tellNotKept(giver);
    collapsedInto(request, 'each', 1);
    return;
  }
  const status = ngx.status;
  if (status !== 304) attempt.stored = undefined;
  if (attempt.stored !== undefined && !takeStored(attempt)) return;
  if (status !== 101) dropFieldsOfHop();
  takeAnswer(request, attempt, giver, told, tonumber(stated));
}

/** Of an answer that says something: `length` is what it states. */
function takeAnswer(
  request: FetchRequest,
  attempt: Attempt,
  giver: Giver,
  told: FromShield | undefined,
  length: number | undefined,
): void {
  const header = ngx.header;
  const { entry } = attempt;
  const tags = takeTags(request, attempt, told);
  const slice = sliceRequest(request);
  if (slice !== undefined && !isUsablePart(entry, slice)) {
    tellNotKept(giver);
    collapsedInto(request, 'whole', hitForMissSeconds);
    return;
  }
  const given = header.Vary;
  const vary = compress(entry.site, request.acceptEncoding, linesOf(given));
  // Of several lines the cache would read the last only.
  if (type(given) === 'table') header.Vary = vary;
  const contentType = field('Content-Type');
  const isStream = isStreamOf(contentType);
  if (isStream) header['X-Accel-Buffering'] = 'no';
  const now = ngx.time();
  const rule = rememberedRuleOf(entry, request.target)?.rule;
  const fields = { contentType, vary, isSlice: slice !== undefined, length };
  const decided = decide(request, attempt, rule, fields, now);
  // A rule's lifetime began when the shield had the answer.
  if (decided.reason === 'rule_ttl') decided.ttl = math.max(0, decided.ttl - (told?.seconds ?? 0));
  const storage = changeContent(request, attempt, decided, isStream);
  keepOrPass(request, attempt, { storage, giver, rule, vary, length, isStream, now, tags });
}

/** nginx adds a `Server` where there is none, and leaves it out where one was taken away: a hit would read it for nothing. */
function dropServer(): void {
  ngx.header.Server = '-';
  ngx.header.Server = undefined;
}

/** The statuses that RFC 5861 §4 means. */
const isFailure = (): boolean => failures[ngx.status] === true;

/** By its status line alone; then it ends here. */
function isOfNoUse(request: FetchRequest, attempt: Attempt, length: string | undefined): boolean {
  if (isInterim()) {
    askPlainly(attempt.entry.site.key);
    return true;
  }
  const isUnusable = isBroken(length);
  if (isUnusable) recordLastFailure();
  else recordSuccess(attempt.places[attempt.last]!);
  // Silence makes the cache give what it has; RFC 5861 §4 means these statuses.
  if (!isUnusable && !(isFailure() && hasStale(request))) return false;
  ngx.exit(ngx.ERROR);
  return true;
}

/** What visitors get may be other content than the origin's: of what is for another node's visitors, that is the other's to do. */
function changeContent(
  request: FetchRequest,
  attempt: Attempt,
  decided: StorageDecision,
  isStream: boolean,
): StorageDecision {
  if (request.isFromEdge) return decided;
  const isReplacement = replaceError(attempt);
  beginBodyChange(attempt);
  if (!isStream) beginLeaks(attempt);
  return isReplacement ? { ...decided, ttl: 0, reason: 'error_page' } : decided;
}

/** They are said to this cache: visitors need not know them. Another node that asks does: it forgets by them too. */
function takeTags(request: FetchRequest, { stored }: Attempt, told: FromShield | undefined): string[] {
  const header = ngx.header;
  const own = takeField('Cache-Tag');
  const others = takeField('Surrogate-Key');
  const tags = told === undefined ? readTags(own, others) : readTags(told.tags, undefined);
  if (!request.isFromEdge) return tags;
  header['X-Breakwater-Tags'] =
    tags.length > 0 ? table.concat(tags, ', ') : stored?.fields['x-breakwater-tags']?.values[0];
  return tags;
}

function takeField(name: string): string | undefined {
  const value = field(name);
  if (value !== undefined) ngx.header[name] = undefined;
  return value;
}

/** A part that goes from the cache to the cache: there it is kept already. */
export function partHeaders(): void {
  ngx.header['Cache-Control'] = 'no-store';
  ngx.header['X-Accel-Expires'] = 0;
}

/** Puts the site's own page in place of an origin's error. True: others may get another answer, so it must not be kept. */
function replaceError(attempt: Attempt): boolean {
  const site = attempt.entry.site;
  if (site.errorPages === undefined || ngx.status < 400) return false;
  const variables = ngx.var;
  const { answer, isConditional } = errorAnswer(site.errorPages, pagesTold, variables.request_uri!, {
    status: ngx.status,
    host: attempt.entry.host,
    requestId: variables.http_x_request_id ?? '',
    clientIp: variables.http_x_real_ip ?? '',
  });
  if (answer === undefined) return isConditional;
  const header = ngx.header;
  ngx.status = answer.status;
  for (const name of fieldsOfContent) header[name] = undefined;
  header['Content-Type'] = answer.contentType;
  header['Content-Length'] = bytesOf(answer.body);
  header.Location = answer.location;
  // The origin's content may never end: nothing else may wait for it on this connection.
  header.Connection = 'close';
  attempt.replacement = answer.body.join('');
  return answer.personal || isConditional;
}

/** What an origin says of the content that is replaced. */
const fieldsOfContent = [
  'Content-Encoding',
  'Content-Language',
  'Content-Range',
  'Content-Disposition',
  'Content-Location',
  'Content-MD5',
  'Content-Digest',
  'Repr-Digest',
  'Accept-Ranges',
  'ETag',
  'Last-Modified',
  'Refresh',
];

/** The content of the origin, or what stands in its place: sent once, and all that follows is passed over. */
export function fetchBody(): number | undefined {
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  if (attempt === undefined) return undefined;
  if (attempt.bytesLeft !== undefined && isTooLong(attempt)) return ngx.ERROR;
  if (ngx.arg.get(2) === true) attempt.isComplete = true;
  if (attempt.bodyChange !== undefined) changePiece(attempt);
  if (attempt.leaks !== undefined && readPiece(attempt)) return ngx.ERROR;
  if (attempt.replacement === undefined) return undefined;
  ngx.arg.set(1, attempt.replacement);
  ngx.arg.set(2, true);
  attempt.replacement = undefined;
  return undefined;
}

/** What the origin wants handed on as it comes. */
function isStreamOf(contentType: string | undefined): boolean {
  if (contentType !== undefined && contentType.startsWith('text/event-stream')) return true;
  return ngx.var.upstream_http_x_accel_buffering === 'no';
}

function isTooLong(attempt: Attempt): boolean {
  const chunk = ngx.arg.get(1) as string | undefined;
  attempt.bytesLeft = attempt.bytesLeft! - (chunk ?? '').length;
  if (attempt.bytesLeft >= 0) return false;
  const { site } = attempt.entry;
  ngx.log(
    ngx.WARN,
    'site ',
    site.siteId,
    ': ',
    ngx.var.request_uri!,
    ' is too long to be kept, and ends here once',
  );
  noteTooLong(requestKey(fetchRequest())!);
  return true;
}

/** No HTTP that can be passed on: without a status line (nginx takes that for HTTP/0.9), another protocol unasked, or of a length that is none. */
function isBroken(length: string | undefined): boolean {
  if (ngx.req.http_version() < 1) return true;
  if (ngx.status === 101 && ngx.var.forward_upgrade === '') return true;
  return length !== undefined && !isWhole(length);
}

/** Digits alone. Of most the first part says it, in which LuaJIT compiles what the second is in the way of. */
const isWhole = (text: string): boolean =>
  `${tonumber(text) ?? ''}` === text || string.find(text, '^%d+$')[0] !== undefined;

const failures: Record<number, boolean> = { 500: true, 502: true, 503: true, 504: true };

function decide(
  request: FetchRequest,
  { entry, stored }: Attempt,
  rule: EdgeCacheRule | undefined,
  known: {
    contentType: string | undefined;
    vary: string | undefined;
    isSlice: boolean;
    length: number | undefined;
  },
  now: number,
): StorageDecision {
  const { isSlice } = known;
  return decideStorage({
    method: ngx.req.get_method(),
    authorized: request.hasAuthorization,
    hasCookie: request.hasCookie,
    hasContent: request.hasContent,
    requestCacheControl: request.cacheControl!,
    rule,
    path: pathOfTarget(request.target),
    isSlice,
    alwaysOnline: entry.site.alwaysOnline,
    now,
    answer: {
      status: ngx.status,
      cacheControl: field('Cache-Control')!,
      cdnCacheControl: field('CDN-Cache-Control')!,
      expires: field('Expires')!,
      date: dateOf(),
      age: field('Age')!,
      lastModified: field('Last-Modified')!,
      etag: field('ETag')!,
      vary: known.vary!,
      setCookie: ngx.header['Set-Cookie'] !== undefined,
      contentType: known.contentType!,
      length: (isSlice ? wholeLength() : (stored?.bytes ?? known.length))!,
    },
  });
}

/**
 * What is for this hop only goes no further and is not stored (RFC 9110 §7.6.1, RFC 9111 §3.1). nginx leaves out those that always are
 * (`nginx/fetch.ts`), but for one that has its use where protocols change.
 */
function dropFieldsOfHop(): void {
  const header = ngx.header;
  if (header.Upgrade !== undefined) header.Upgrade = undefined;
  const connection = ngx.var.upstream_http_connection;
  if (connection === undefined || plainConnection[connection] === true) return;
  for (const name of fieldsOfHop(connection)) if (header[name] !== undefined) header[name] = undefined;
}

/** What servers send as `Connection`, which names no other field. */
const plainConnection: Record<string, boolean> = {
  'keep-alive': true,
  'Keep-Alive': true,
  close: true,
};
