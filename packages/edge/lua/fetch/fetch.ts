import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { fieldsOfHop, hopFieldsOfAnswers } from '@breakwater/policy/http/fields';
import type { StorageReason } from '@breakwater/contract/storage-reasons';
import { decideStorage, type StorageDecision } from '@breakwater/policy/cache/storage';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { errorAnswer } from '../pages/error-page.ts';
import { bytesOf } from '../pages/send.ts';
import { isFromEdge } from '../hop/shields.ts';
import { pagesTold } from '../hop/told.ts';
import { noteIsPrivate, takeFromShield, type FromShield } from '../hop/to-shield.ts';
import { isAdmitted } from './admission.ts';
import { field, lastOf } from './answer.ts';
import { recordLastFailure, type Attempt } from './ask.ts';
import { collapsedInto, collapsedIntoStored, endCollapse, isForItself } from './collapse.ts';
import { compress, leaveUncompressed } from './compress.ts';
import { recordSuccess } from './health.ts';
import { asksLargeForLittle, sendToBypass } from './little.ts';
import { keptBytesMax, noteTooLong, wasTooLong } from './kept-size.ts';
import { askPlainly, isInterim } from './interim.ts';
import { isUsablePart, sliceRequest, wholeLength } from './slice.ts';
import { instructCache, isReplaced } from './instruct.ts';
import { beginLeaks, readPiece } from './leaks.ts';
import { beginBodyChange, changePiece } from './rewrite-body.ts';
import { contentBytesMax, renewInPlace, takeInPlaceOfError, takeStored } from './revalidation.ts';
import { hasStale, noteStale, requestKey } from './stale.ts';
import { bucketOfTarget, ruleOf } from '../site/host.ts';
import { readTags, recordTags } from '../front/tags.ts';

/** How long it is known of what could not be kept (hit-for-miss); every such answer renews it. */
const hitForMissSeconds = 60;

/** The way of an origin's answer back to the cache; the way there is in `ask.ts`. */

/**
 * Tells the front how long to keep an answer, and in one note, since every hit reads it again: ten digits, a sign (`*`: its
 * `Cache-Control` was replaced; `!`: something was found in it, see `hold-answer.ts`), which origin gave it, and with which status.
 * The digits are when it was made (seconds since 1970), 0 for what is not kept.
 */
export function fetchHeaders(): void {
  const variables = ngx.var;
  const header = ngx.header;
  let answered = `${lastOf(variables.upstream_addr) ?? '-'} ${lastOf(variables.upstream_status) ?? '0'}`;
  header['X-Breakwater'] = `${notKept} ${answered}`;
  header['X-Accel-Expires'] = 0;
  header['X-Breakwater-Reason'] = undefined;
  header['X-Breakwater-Leaks'] = undefined;
  if (variables.http_x_breakwater_holding !== undefined) header['X-Breakwater-Holding'] = undefined;
  const encodings = variables.http_accept_encoding;
  leaveUncompressed();
  const attempt = ngx.ctx.attempt as Attempt | undefined;
  if (attempt === undefined || !attempt.isAsked) return;
  if (isOfNoUse(attempt)) return;
  const told = attempt.shields && takeFromShield();
  answered = told?.answered ?? answered;
  header['X-Breakwater'] = `${notKept} ${answered}`;
  if (isFailure() && takeInPlaceOfError(attempt)) {
    collapsedInto('each', 1);
    return;
  }
  if (ngx.status !== 304) attempt.stored = undefined;
  if (attempt.stored !== undefined && !takeStored(attempt)) return;
  if (ngx.status !== 101) dropFieldsOfHop();
  const { entry } = attempt;
  const tags = takeTags(attempt, told);
  const slice = sliceRequest();
  if (slice !== undefined && !isUsablePart(entry, slice)) {
    collapsedInto('whole', hitForMissSeconds);
    return;
  }
  const vary = compress(entry.site, encodings, field('Vary'));
  // Of several lines the cache would read the last only.
  if (type(header.Vary) === 'table') header.Vary = vary;
  if (isStream()) header['X-Accel-Buffering'] = 'no';
  const now = ngx.time();
  const rule = ruleOf(entry, variables.request_uri!);
  const decided = decide(attempt, rule, vary, slice !== undefined, now);
  // A rule's lifetime began when the shield had the answer.
  if (decided.reason === 'rule_ttl') decided.ttl = math.max(0, decided.ttl - (told?.seconds ?? 0));
  const storage = changeContent(attempt, decided);
  tellReason(storage.reason);
  keepOrPass(attempt, { storage, answered, rule, vary, encodings, now, tags });
}

const isFailure = (): boolean => failures[`${ngx.status}`] === true;

/** By its status line alone; then it ends here. */
function isOfNoUse(attempt: Attempt): boolean {
  if (isInterim()) {
    askPlainly(attempt.entry.site.key);
    return true;
  }
  const isUnusable = isBroken();
  if (isUnusable) recordLastFailure();
  else recordSuccess(attempt.places[attempt.last]!);
  // Silence makes the cache give what it has; RFC 5861 §4 means these statuses.
  if (!isUnusable && !(isFailure() && hasStale())) return false;
  ngx.exit(ngx.ERROR);
  return true;
}

interface Answered {
  storage: StorageDecision;
  answered: string;
  rule: EdgeCacheRule | undefined;
  vary: string | undefined;
  encodings: string | undefined;
  now: number;
  tags: string[];
}

/** What becomes of an answer: kept, passed on, or kept another time. */
function keepOrPass(attempt: Attempt, answer: Answered): void {
  const { entry } = attempt;
  const { storage, answered, rule, vary, encodings, now, tags } = answer;
  const variables = ngx.var;
  if (attempt.stored?.isLarge === true) {
    if (storage.staleIfError !== undefined) noteStale(requestKey()!, storage.ttl + storage.staleIfError);
    renewInPlace(attempt, storage, isReplaced(storage), now);
  } else if (storage.ttl === 0 && !isKeptToValidate(attempt, storage)) passOn(attempt, storage);
  // It did not come by way of the cache, so it is not kept, and says nothing of what does.
  else if ((variables.http_x_breakwater ?? 'bypass') === 'bypass') tellReason('bypass');
  else if (asksLargeForLittle()) {
    endCollapse();
    ngx.status = 204;
    sendToBypass();
  } else if (!limitLength(attempt)) {
    tellReason('too_long');
    collapsedInto('each', hitForMissSeconds);
  } else if (!isAdmitted(rule, requestKey()!)) {
    tellReason('seldom');
    endCollapse();
  } else {
    // Of what goes on and on there may be no end to wait for.
    if (isStream()) collapsedInto('each', 1);
    else if (storage.ttl === 0) collapsedInto('each', hitForMissSeconds);
    else collapsedIntoStored(entry.site.origins, vary, encodings);
    if (tags.length > 0) recordTags(entry.site.key, bucketOfTarget(entry, variables.request_uri!), tags);
    keep(storage, answered, now);
  }
}

/** What visitors get may be other content than the origin's: of what is for another node's visitors, that is the other's to do. */
function changeContent(attempt: Attempt, decided: StorageDecision): StorageDecision {
  if (isFromEdge()) return decided;
  const isReplacement = replaceError(attempt);
  beginBodyChange(attempt);
  if (!isStream()) beginLeaks(attempt);
  return isReplacement ? { ...decided, ttl: 0, reason: 'error_page' } : decided;
}

/** They are said to this cache: visitors need not know them. Another node that asks does: it forgets by them too. */
function takeTags({ stored }: Attempt, told: FromShield | undefined): string[] {
  const header = ngx.header;
  const tags =
    told === undefined
      ? readTags(field('Cache-Tag'), field('Surrogate-Key'))
      : readTags(told.tags, undefined);
  header['Cache-Tag'] = undefined;
  header['Surrogate-Key'] = undefined;
  if (!isFromEdge()) return tags;
  header['X-Breakwater-Tags'] =
    tags.length > 0 ? table.concat(tags, ', ') : stored?.fields['x-breakwater-tags']?.values[0];
  return tags;
}

/** For the access log: why the answer is kept, or is not. An origin has no say in it. */
function tellReason(reason: StorageReason): void {
  ngx.header['X-Breakwater-Reason'] = reason;
}

/** What is not to be kept. */
function passOn({ entry, shields }: Attempt, { reason }: StorageDecision): void {
  const header = ngx.header;
  // What is stored nginx has to buffer.
  if (entry.site.isStreaming) header['X-Accel-Buffering'] = 'no';
  // Unchanged for one visitor: it is no more to be kept than it was.
  if (ngx.status === 304 && isForItself()) {
    collapsedInto('each', hitForMissSeconds);
    return;
  }
  const isAlways = ofThisRequest[reason] !== true && ofThisAnswer[`${ngx.status}`] !== true;
  // What a shield has had for long may be asked for anew a moment later.
  const isOld = shields !== undefined && ofItsAge[reason] === true;
  if (isAlways && !isOld && shields !== undefined) noteIsPrivate();
  collapsedInto('each', isAlways && !isOld ? hitForMissSeconds : 1);
}

/**
 * It may be stored, and given to nobody but when the origin has said that it is still good. What is stored so already, and as it
 * is, is not stored again.
 */
function isKeptToValidate({ stored }: Attempt, { isValidated }: StorageDecision): boolean {
  if (isValidated !== true || isStream()) return false;
  if (stored !== undefined) return stored.isChanged;
  const length = statedLength();
  return length !== undefined && length <= contentBytesMax;
}

const statedLength = (): number | undefined => tonumber(ngx.var.upstream_http_content_length);

function keep(storage: StorageDecision, answered: string, now: number): void {
  const header = ngx.header;
  // Where a rule keeps an answer in spite of its cookies, nobody gets them.
  if (header['Set-Cookie'] !== undefined) header['Set-Cookie'] = undefined;
  if (storage.staleIfError !== undefined) noteStale(requestKey()!, storage.ttl + storage.staleIfError);
  const born = string.format('%010d', math.max(3, now - storage.age));
  header['X-Breakwater'] = `${born}${instructCache(storage) ? '*' : ' '}${answered}`;
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
function isStream(): boolean {
  if (ngx.var.upstream_http_x_accel_buffering === 'no') return true;
  return (field('Content-Type') ?? '').startsWith('text/event-stream');
}

/** What states no length is kept up to a limit. False: it was longer than that before. */
function limitLength(attempt: Attempt): boolean {
  if (ngx.var.upstream_http_content_length !== undefined) return true;
  if (wasTooLong(requestKey()!)) return false;
  attempt.bytesLeft = keptBytesMax();
  return true;
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
  noteTooLong(requestKey()!);
  return true;
}

/** No HTTP that can be passed on: without a status line (nginx takes that for HTTP/0.9), another protocol unasked, or of a length that is none. */
function isBroken(): boolean {
  if (ngx.req.http_version() < 1) return true;
  if (ngx.status === 101 && ngx.var.forward_upgrade === '') return true;
  const length = ngx.var.upstream_http_content_length;
  return length !== undefined && string.find(length, '^%d+$')[0] === undefined;
}

/** In place of the time at which a kept answer was made. */
const notKept = '0000000000';
const failures: Record<string, boolean> = { '500': true, '502': true, '503': true, '504': true };
/** Reasons and statuses that lie in one request, not in what it asked for. */
const ofThisRequest: Record<string, boolean> = {
  method: true,
  authorization: true,
  request_content: true,
  request_no_store: true,
};
/** Reasons that time alone brings about. */
const ofItsAge: Record<string, boolean> = { stale: true, rule_ttl: true };
const ofThisAnswer: Record<string, boolean> = { '206': true, '304': true, '412': true, '416': true };

function decide(
  { entry, stored }: Attempt,
  rule: EdgeCacheRule | undefined,
  vary: string | undefined,
  isSlice: boolean,
  now: number,
): StorageDecision {
  const variables = ngx.var;
  const length = variables.http_content_length;
  return decideStorage({
    method: ngx.req.get_method(),
    authorized: variables.http_authorization !== undefined,
    hasCookie: variables.http_cookie !== undefined,
    hasContent: (length !== undefined && length !== '0') || variables.http_transfer_encoding !== undefined,
    requestCacheControl: variables.http_cache_control!,
    rule,
    path: pathOfTarget(variables.request_uri!),
    isSlice,
    alwaysOnline: entry.site.alwaysOnline,
    now,
    answer: {
      status: ngx.status,
      cacheControl: field('Cache-Control')!,
      cdnCacheControl: field('CDN-Cache-Control')!,
      expires: field('Expires')!,
      date: field('Date')!,
      age: field('Age')!,
      lastModified: field('Last-Modified')!,
      etag: field('ETag')!,
      vary: vary!,
      setCookie: field('Set-Cookie') !== undefined,
      contentType: field('Content-Type')!,
      length: (isSlice ? wholeLength() : (stored?.bytes ?? statedLength()))!,
    },
  });
}

/** What is for this hop only goes no further and is not stored (RFC 9110 §7.6.1, RFC 9111 §3.1). */
function dropFieldsOfHop(): void {
  const names = fieldsOfHop(ngx.var.upstream_http_connection ?? '');
  for (const name of hopFieldsOfAnswers) names.push(name);
  for (const name of names) if (ngx.header[name] !== undefined) ngx.header[name] = undefined;
}
