import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import type { StorageReason } from '@breakwater/contract/storage-reasons';
import type { StorageDecision } from '@breakwater/policy/cache/storage';
import { recordTags } from '../front/tags.ts';
import { noteIsPrivate } from '../hop/to-shield.ts';
import { bucketOfTarget } from '../site/host.ts';
import { isAdmitted, isCounted } from './admission.ts';
import type { Attempt } from './ask.ts';
import { collapsedInto, collapsedIntoStored, endCollapse, isForItself } from './collapse.ts';
import { isAround, type FetchRequest } from './fetch-request.ts';
import { instructCache, isReplaced } from './instruct.ts';
import { keptBytesMax, wasTooLong } from './kept-size.ts';
import { asksLargeForLittle, sendToBypass } from './little.ts';
import { contentBytesMax, renewInPlace } from './revalidation.ts';
import { noteStale, requestKey } from './stale.ts';

/** What becomes of an origin's answer, as the cache is told. */

/** How long it is known of what could not be kept (hit-for-miss); every such answer renews it. */
export const hitForMissSeconds = 60;

/** In place of the time at which a kept answer was made. */
const notKept = '0000000000';

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

/** Which origin gave the answer, and with which status. */
export interface Giver {
  addr: string;
  status: string;
}

export interface Answered {
  storage: StorageDecision;
  giver: Giver;
  rule: EdgeCacheRule | undefined;
  vary: string | undefined;
  length: number | undefined;
  isStream: boolean;
  now: number;
  tags: string[];
}

/** What becomes of an answer: kept, passed on, or kept another time. */
export function keepOrPass(request: FetchRequest, attempt: Attempt, answer: Answered): void {
  const { storage, giver, length } = answer;
  if (attempt.stored?.isLarge === true) {
    tellNotKept(giver);
    if (storage.staleIfError !== undefined)
      noteStale(requestKey(request)!, storage.ttl + storage.staleIfError);
    renewInPlace(attempt, storage, isReplaced(storage), answer.now);
  } else if (storage.ttl === 0 && !isKeptToValidate(attempt, answer)) {
    passOn(request, attempt, storage);
    tellNotKept(giver, storage.reason);
  }
  // It did not come by way of the cache, so it is not kept, and says nothing of what does.
  else if (isAround(request)) tellNotKept(giver, 'bypass');
  else if (asksLargeForLittle(request, length)) {
    tellNotKept(giver);
    endCollapse(request);
    ngx.status = 204;
    sendToBypass(request);
  } else if (length === undefined && !limitLength(request, attempt)) {
    tellNotKept(giver, 'too_long');
    collapsedInto(request, 'each', hitForMissSeconds);
  } else if (isSeldom(request, answer.rule)) {
    tellNotKept(giver, 'seldom');
    endCollapse(request);
  } else keep(request, attempt, answer);
}

/** Its rule wants it asked for more often before it is stored. */
const isSeldom = (request: FetchRequest, rule: EdgeCacheRule | undefined): boolean =>
  rule !== undefined && isCounted(rule) && !isAdmitted(rule, requestKey(request)!);

/** `reason`: for the access log, why it is not kept. */
export function tellNotKept({ addr, status }: Giver, reason?: StorageReason): void {
  const header = ngx.header;
  header['X-Breakwater'] =
    reason === undefined ? `${notKept} ${addr} ${status}` : `${notKept} ${addr} ${reason} ${status}`;
  header['X-Accel-Expires'] = 0;
}

/** What is not to be kept. */
function passOn(request: FetchRequest, { entry, shields }: Attempt, { reason }: StorageDecision): void {
  // What is stored nginx has to buffer.
  if (entry.site.isStreaming) ngx.header['X-Accel-Buffering'] = 'no';
  // Unchanged for one visitor: it is no more to be kept than it was.
  if (ngx.status === 304 && isForItself(request)) {
    collapsedInto(request, 'each', hitForMissSeconds);
    return;
  }
  const isAlways = ofThisRequest[reason] !== true && ofThisAnswer[`${ngx.status}`] !== true;
  // What a shield has had for long may be asked for anew a moment later.
  const isOld = shields !== undefined && ofItsAge[reason] === true;
  if (isAlways && !isOld && shields !== undefined) noteIsPrivate(request);
  collapsedInto(request, 'each', isAlways && !isOld ? hitForMissSeconds : 1);
}

/**
 * It may be stored, and given to nobody but when the origin has said that it is still good. What is stored so already, and as it
 * is, is not stored again.
 */
function isKeptToValidate({ stored }: Attempt, { storage, isStream, length }: Answered): boolean {
  if (storage.isValidated !== true || isStream) return false;
  if (stored !== undefined) return stored.isChanged;
  return length !== undefined && length <= contentBytesMax;
}

function keep(request: FetchRequest, { entry }: Attempt, answer: Answered): void {
  const { storage, giver, vary, now, tags, isStream } = answer;
  // Of what goes on and on there may be no end to wait for.
  if (isStream) collapsedInto(request, 'each', 1);
  else if (storage.ttl === 0) collapsedInto(request, 'each', hitForMissSeconds);
  else collapsedIntoStored(request, entry.site.origins, vary);
  if (tags.length > 0) recordTags(entry.site.key, bucketOfTarget(entry, request.target), tags);
  const header = ngx.header;
  // Where a rule keeps an answer in spite of its cookies, nobody gets them.
  if (header['Set-Cookie'] !== undefined) header['Set-Cookie'] = undefined;
  if (storage.staleIfError !== undefined) noteStale(requestKey(request)!, storage.ttl + storage.staleIfError);
  const born = string.format('%010d', math.max(3, now - storage.age));
  const sign = instructCache(storage) ? '*' : ' ';
  header['X-Breakwater'] = `${born}${sign}${giver.addr} ${storage.reason} ${giver.status}`;
}

/** What states no length is kept up to a limit. False: it was longer than that before. */
function limitLength(request: FetchRequest, attempt: Attempt): boolean {
  if (wasTooLong(requestKey(request)!)) return false;
  attempt.bytesLeft = keptBytesMax();
  return true;
}
