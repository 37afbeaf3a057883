import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import type { StorageReason } from '@breakwater/contract/storage-reasons';
import { parseDirectives, secondsOf, type Directives } from '../http/cache-control.ts';
import { parseHttpDate } from '../http/date.ts';
import { isNoSuchFile, isOfOtherSize, ruleLifetime } from './storage-rule.ts';
import { parseDictionary } from '../http/structured-field.ts';
import { parseDigits, trimOws } from '../lib/text.ts';

/** What the decision reads of an answer. Repeated fields are joined by commas; absent ones are absent. */
export interface OriginAnswer {
  status: number;
  cacheControl?: string;
  cdnCacheControl?: string;
  expires?: string;
  date?: string;
  age?: string;
  lastModified?: string;
  etag?: string;
  vary?: string;
  setCookie: boolean;
  contentType?: string;
  /** Bytes of the whole, where they are stated. */
  length?: number;
}

export interface StorageInput {
  method: string;
  /** The visitor's request carried `Authorization`. */
  authorized: boolean;
  /** It carried cookies: what comes back may be for one person, whatever the origin leaves unsaid. */
  hasCookie?: boolean;
  /** It carried content, which is not in the key (a GET can). */
  hasContent?: boolean;
  /** Its own `Cache-Control`. */
  requestCacheControl?: string;
  rule: EdgeCacheRule | undefined;
  /** The normalised path, for rules that go by it. */
  path?: string;
  /** The answer is one of the parts that the edge keeps a large one in. */
  isSlice?: boolean;
  /** The site serves what is stored while its origin is away, if nothing else is said. */
  alwaysOnline?: boolean;
  answer: OriginAnswer;
  /** Seconds since 1970. */
  now: number;
}

export interface StorageDecision {
  /** Seconds the answer may be served without asking the origin again; 0: it is not stored. */
  ttl: number;
  /** How old the answer was when it arrived, in seconds (RFC 9111 §4.2.3). */
  age: number;
  reason: StorageReason;
  /** For how long after that it may be served while it is asked for again (RFC 5861 §3); absent: not at all. */
  staleWhileRevalidate?: number;
  /** And for how long when the origin fails (RFC 5861 §4). */
  staleIfError?: number;
  /** It may be stored in spite of `ttl` 0, to ask the origin each time whether it is still good. */
  isValidated?: boolean;
}

/** Statuses that a rule's lifetime is forced on. Errors keep the lifetime the origin gives them, if any. */
const forced: Record<string, boolean> = {
  '200': true,
  '203': true,
  '204': true,
  '300': true,
  '301': true,
  '302': true,
  '307': true,
  '308': true,
};
/** Final ones that answer a part or a condition of one request, and so are never stored. */
const ofOneRequest: Record<string, boolean> = { '206': true, '304': true, '412': true, '416': true };
/** Errors that are not of what was asked for, but of the moment or of who asks: kept no longer than this, whatever they say. */
const passingSecondsMax = 60;
const lasting: Record<string, boolean> = {
  '404': true,
  '405': true,
  '410': true,
  '414': true,
  '451': true,
  '501': true,
};

/** Statuses for which a lifetime may be guessed (RFC 9110 §15.1). */
const heuristic: Record<string, boolean> = {
  '200': true,
  '203': true,
  '204': true,
  '300': true,
  '301': true,
  '308': true,
  '404': true,
  '405': true,
  '410': true,
  '414': true,
  '501': true,
};
const heuristicSecondsMax = 86_400;
/** As long as the edge keeps what nobody asks for. */
const alwaysOnlineSeconds = 2_592_000;
/** What nginx keeps of a `Vary`: a longer one it could not tell apart by. */
const varyBytesMax = 128;

/** Whether an answer is stored, and for how long. */
export function decideStorage(input: StorageInput): StorageDecision {
  const decision = lifetimeOf(input);
  if (decision.ttl === 0 && isForValidation(input, decision.reason)) decision.isValidated = true;
  return decision;
}

/** What comes for a request with cookies may be for one person, and its tag may not tell that: unless it says that it is for all. */
function isForValidation({ answer, hasCookie, isSlice }: StorageInput, reason: StorageReason): boolean {
  if ((reason !== 'no-cache' && reason !== 'stale') || isSlice === true) return false;
  if (answer.etag === undefined && answer.lastModified === undefined) return false;
  return hasCookie !== true || isForAll(answer.cacheControl);
}

/** Of what is asked for each time: whoever asks, it is the same. */
export function isForAll(cacheControl: string | undefined): boolean {
  return parseDirectives(cacheControl ?? '').public !== undefined;
}

function lifetimeOf(input: StorageInput): StorageDecision {
  const { answer } = input;
  const status = statusOf(input);
  const rule = ruleFor(input);
  const age = initialAge(answer, input.now);
  const obstacle = obstacleOf(input, rule, status);
  if (obstacle !== undefined) return { ttl: 0, age, reason: obstacle };
  const shared = parseDirectives(answer.cacheControl ?? '');
  // RFC 9213: a valid targeted field stands in place of Cache-Control and Expires.
  const cdn = answer.cdnCacheControl;
  const targeted = (cdn === undefined ? undefined : parseDictionary(trimOws(cdn))) ?? {};
  const isTargeted = hasAny(targeted);
  const directives = isTargeted ? targeted : shared;
  if (input.authorized && !allowsAuthorized(directives)) return { ttl: 0, age, reason: 'authorization' };
  const ttl = rule === undefined ? undefined : ruleLifetime(rule, status, forced[`${status}`] === true);
  if (ttl !== undefined) {
    const forbidden = rule!.ignore_cache_control === true ? undefined : prohibitionOf(directives);
    if (forbidden !== undefined) return { ttl: 0, age, reason: forbidden };
    return withStale({ ttl, age, reason: ttl > 0 ? 'rule_ttl' : 'rule_ttl_zero' }, directives, input, rule);
  }
  const expires = isTargeted ? undefined : answer.expires;
  const stated = followOrigin(directives, expires, answer.date, age, input.now);
  if (status >= 400 && lasting[`${status}`] !== true && stated.ttl > passingSecondsMax)
    stated.ttl = passingSecondsMax;
  const mayGuess = heuristic[`${status}`] === true && input.hasCookie !== true;
  if (stated.reason !== 'no_lifetime' || !mayGuess) return withStale(stated, directives, input, rule);
  const lifetime = heuristicLifetime(answer, input.now);
  if (lifetime <= age) return stated;
  return withStale({ ttl: lifetime - age, age, reason: 'heuristic' }, directives, input, rule);
}

/** A part counts as the whole that it is one of. */
function statusOf({ answer, isSlice }: StorageInput): number {
  return isSlice === true && answer.status === 206 ? 200 : answer.status;
}

/** The rule, unless it forces a lifetime on files and this is none. */
function ruleFor({ rule, answer, path }: StorageInput): EdgeCacheRule | undefined {
  if (rule === undefined || rule.action !== 'cache') return rule;
  return isNoSuchFile(rule, path, answer.contentType) ? undefined : rule;
}

/** Why an answer cannot be stored, whatever it says of its lifetime. */
function obstacleOf(
  { answer, method, hasContent, requestCacheControl }: StorageInput,
  rule: EdgeCacheRule | undefined,
  status: number,
): StorageReason | undefined {
  if (rule !== undefined && rule.action === 'bypass') return 'rule_bypass';
  if (method !== 'GET' && method !== 'HEAD') return 'method';
  if (hasContent === true) return 'request_content';
  if (requestCacheControl !== undefined && parseDirectives(requestCacheControl)['no-store'] !== undefined)
    return 'request_no_store';
  if (status < 200 || ofOneRequest[`${status}`] === true) return 'status';
  if (answer.setCookie && rule?.ignore_set_cookie !== true) return 'set_cookie';
  if (answer.vary !== undefined && listContains(answer.vary, '*')) return 'vary_any';
  if (answer.vary !== undefined && answer.vary.length > varyBytesMax) return 'vary_long';
  if (rule !== undefined && isOfOtherSize(rule, answer.length)) return 'size';
  return undefined;
}

/** What forbids a shared cache to keep an answer that has a lifetime. */
function prohibitionOf(directives: Directives): StorageReason | undefined {
  for (const name of ['no-store', 'private', 'no-cache'] as const)
    if (directives[name] !== undefined) return name;
  return undefined;
}

/**
 * Adds how long a stored answer may be served stale: as the rule says, else as its origin does, and against the origin's
 * word only where the rule ignores that.
 */
function withStale(
  decision: StorageDecision,
  directives: Directives,
  input: StorageInput,
  rule: EdgeCacheRule | undefined,
): StorageDecision {
  if (decision.ttl === 0) return decision;
  // RFC 9111 §5.2.2.10: `s-maxage` means `proxy-revalidate` too.
  if (rule?.ignore_cache_control !== true)
    for (const name of ['must-revalidate', 'proxy-revalidate', 's-maxage', 'no-cache'])
      if (directives[name] !== undefined) return decision;
  const updating =
    rule?.stale_while_revalidate_seconds ?? secondsOf(directives, 'stale-while-revalidate') ?? 0;
  const failing =
    rule?.stale_if_error_seconds ??
    secondsOf(directives, 'stale-if-error') ??
    (input.alwaysOnline === true ? alwaysOnlineSeconds : 0);
  // A part is never asked for behind a visitor's back: nginx would ask for the whole.
  if (updating > 0 && input.isSlice !== true) decision.staleWhileRevalidate = updating;
  if (failing > 0) decision.staleIfError = failing;
  return decision;
}

function followOrigin(
  directives: Directives,
  expires: string | undefined,
  date: string | undefined,
  age: number,
  now: number,
): StorageDecision {
  const forbidden = prohibitionOf(directives);
  if (forbidden !== undefined) return { ttl: 0, age, reason: forbidden };
  let lifetime = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (lifetime === undefined && expires !== undefined) {
    // An Expires that is no date, `0` above all, is in the past (RFC 9111 §5.3).
    const until = parseHttpDate(trimOws(expires), now) ?? 0;
    lifetime = until - (date === undefined ? now : (parseHttpDate(trimOws(date), now) ?? now));
  }
  if (lifetime === undefined) return { ttl: 0, age, reason: 'no_lifetime' };
  if (lifetime <= age) return { ttl: 0, age, reason: 'stale' };
  return { ttl: lifetime - age, age, reason: 'origin_lifetime' };
}

/**
 * A tenth of the time since the answer last changed, a day at most (RFC 9111 §4.2.2): plain file servers say when a file
 * changed and nothing of caching. Without `Last-Modified` there is no guess.
 */
function heuristicLifetime(answer: OriginAnswer, now: number): number {
  const stated = answer.lastModified;
  const changed = stated === undefined ? undefined : parseHttpDate(trimOws(stated), now);
  if (changed === undefined || changed >= now) return 0;
  const tenth = Math.floor((now - changed) / 10);
  return tenth > heuristicSecondsMax ? heuristicSecondsMax : tenth;
}

/** RFC 9111 §3.5. */
function allowsAuthorized(directives: Directives): boolean {
  const names = ['public', 's-maxage', 'must-revalidate'];
  for (const name of names) if (directives[name] !== undefined) return true;
  return false;
}

/** The larger of what `Age` says and what `Date` shows; the time on the way from the origin is left out. */
function initialAge(answer: OriginAnswer, now: number): number {
  const date = answer.date === undefined ? undefined : parseHttpDate(trimOws(answer.date), now);
  const apparent = date === undefined || date > now ? 0 : now - date;
  // Of several the first counts, and what is no number does not (RFC 9111 §5.1).
  const first = answer.age === undefined ? undefined : answer.age.split(',')[0];
  const stated = first === undefined ? 0 : (parseDigits(trimOws(first)) ?? 0);
  return stated > apparent ? stated : apparent;
}

function listContains(field: string, wanted: string): boolean {
  for (const item of field.split(',')) if (trimOws(item) === wanted) return true;
  return false;
}

function hasAny(directives: Directives): boolean {
  for (const _name in directives) return true;
  return false;
}
