import type { CacheRule } from '@breakwater/contract/site-config/cache-rule';
import { parseDirectives, secondsOf, type Directives } from './cache-control.ts';
import { parseHttpDate } from './http-date.ts';
import { parseDigits, trimOws } from './text.ts';

/** What the decision reads of an answer. Repeated fields are joined by commas; absent ones are absent. */
export interface OriginAnswer {
  status: number;
  cacheControl?: string;
  cdnCacheControl?: string;
  expires?: string;
  date?: string;
  age?: string;
  lastModified?: string;
  vary?: string;
  setCookie: boolean;
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
  rule: CacheRule | undefined;
  answer: OriginAnswer;
  /** Seconds since 1970. */
  now: number;
}

export interface StorageDecision {
  /** Seconds the answer may be served without asking the origin again; 0: it is not stored. */
  ttl: number;
  /** How old the answer was when it arrived, in seconds (RFC 9111 §4.2.3). */
  age: number;
  reason: string;
  /** For how long after that it may be served while it is asked for again (RFC 5861 §3); absent: not at all. */
  staleWhileRevalidate?: number;
  /** And for how long when the origin fails (RFC 5861 §4). */
  staleIfError?: number;
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
/** Statuses this cache understands and so may store (RFC 9111 §3). A partial answer is never stored. */
const storable: Record<string, boolean> = {
  ...forced,
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
/** What nginx keeps of a `Vary`: a longer one it could not tell apart by. */
const varyBytesMax = 128;

/** Whether an answer is stored, and for how long. */
export function decideStorage(input: StorageInput): StorageDecision {
  const { rule, answer } = input;
  const age = initialAge(answer, input.now);
  const obstacle = obstacleOf(input);
  if (obstacle !== undefined) return { ttl: 0, age, reason: obstacle };
  const shared = parseDirectives(answer.cacheControl ?? '');
  // RFC 9213: a valid targeted field stands in place of Cache-Control and Expires.
  const targeted = answer.cdnCacheControl === undefined ? {} : parseDirectives(answer.cdnCacheControl);
  const isTargeted = hasAny(targeted);
  const directives = isTargeted ? targeted : shared;
  if (input.authorized && !allowsAuthorized(directives)) return { ttl: 0, age, reason: 'authorization' };
  if (rule !== undefined && rule.action === 'cache' && forced[`${answer.status}`] === true) {
    const reason = rule.ttl_seconds > 0 ? 'rule_ttl' : 'rule_ttl_zero';
    return withStale({ ttl: rule.ttl_seconds, age, reason }, directives);
  }
  const expires = isTargeted ? undefined : answer.expires;
  const stated = followOrigin(directives, expires, answer.date, age, input.now);
  const mayGuess = heuristic[`${answer.status}`] === true && input.hasCookie !== true;
  if (stated.reason !== 'no_lifetime' || !mayGuess) return withStale(stated, directives);
  const lifetime = heuristicLifetime(answer, input.now);
  return lifetime <= age ? stated : withStale({ ttl: lifetime - age, age, reason: 'heuristic' }, directives);
}

/** Why an answer cannot be stored, whatever it says of its lifetime. */
function obstacleOf({
  rule,
  answer,
  method,
  hasContent,
  requestCacheControl,
}: StorageInput): string | undefined {
  if (rule !== undefined && rule.action === 'bypass') return 'rule_bypass';
  if (method !== 'GET' && method !== 'HEAD') return 'method';
  if (hasContent === true) return 'request_content';
  if (requestCacheControl !== undefined && parseDirectives(requestCacheControl)['no-store'] !== undefined)
    return 'request_no_store';
  if (storable[`${answer.status}`] !== true) return 'status';
  if (answer.setCookie) return 'set_cookie';
  if (answer.vary !== undefined && listContains(answer.vary, '*')) return 'vary_any';
  if (answer.vary !== undefined && answer.vary.length > varyBytesMax) return 'vary_long';
  return undefined;
}

/** Adds how long a stored answer may be served stale: only as its origin says, and never against its word. */
function withStale(decision: StorageDecision, directives: Directives): StorageDecision {
  if (decision.ttl === 0) return decision;
  // RFC 9111 §5.2.2.10: `s-maxage` means `proxy-revalidate` too.
  for (const name of ['must-revalidate', 'proxy-revalidate', 's-maxage', 'no-cache'])
    if (directives[name] !== undefined) return decision;
  const updating = secondsOf(directives, 'stale-while-revalidate') ?? 0;
  const failing = secondsOf(directives, 'stale-if-error') ?? 0;
  if (updating > 0) decision.staleWhileRevalidate = updating;
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
  for (const name of ['no-store', 'private', 'no-cache'])
    if (directives[name] !== undefined) return { ttl: 0, age, reason: name };
  let lifetime = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (lifetime === undefined && expires !== undefined) {
    // An Expires that is no date, `0` above all, is in the past (RFC 9111 §5.3).
    const until = parseHttpDate(trimOws(expires)) ?? 0;
    lifetime = until - (date === undefined ? now : (parseHttpDate(trimOws(date)) ?? now));
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
  const changed = answer.lastModified === undefined ? undefined : parseHttpDate(trimOws(answer.lastModified));
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
  const date = answer.date === undefined ? undefined : parseHttpDate(trimOws(answer.date));
  const apparent = date === undefined || date > now ? 0 : now - date;
  const stated = answer.age === undefined ? 0 : (parseDigits(trimOws(answer.age)) ?? 0);
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
