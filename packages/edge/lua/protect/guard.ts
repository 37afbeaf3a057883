import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { splitTarget } from '@breakwater/policy/http/path';
import { argumentValues, cookieValues } from '@breakwater/policy/http/request-parts';
import { challengeAtLevel } from '@breakwater/policy/protect/guard-escalation';
import {
  guardKeyOf,
  guardModeAt,
  isGuardExempt,
  suitsGuardRule,
  type CountedRequest,
  type PreparedGuard,
  type PreparedGuardRule,
} from '@breakwater/policy/protect/guard';
import { attackChallenge } from '@breakwater/policy/protect/guard-modes';
import { askedOfRequest } from '../front/facts.ts';
import { joined, visitorOf } from '../front/visitor.ts';
import { md5Hex } from '../lib/digest.ts';
import { ja4OfRequest } from '../tls/client-hello.ts';
import { ban } from './bans.ts';
import { dropHold, heldUntil, holdFor } from './guard-counts.ts';
import { countArrival, judgePlace, placeAt, placeName } from './guard-places.ts';
import { countForRule, isShared } from './guard-shares.ts';
import { noteProtection, noteRefusal } from './note.ts';
import type { Passing, Protection } from './protect.ts';
import { isRobot, wantChallenge } from './verify.ts';

const section = 'cc_guardian_rule';

/** The stage: counts the request, and answers who has asked too much. */
export function guardPage(protection: Protection, passing: Passing): string | undefined {
  const { guard, siteKey } = protection;
  if (guard === undefined) return undefined;
  const now = ngx.now();
  const mode = guardModeAt(guard, now);
  if (mode === 'off') return undefined;
  const variables = ngx.var;
  const target = variables.request_uri!;
  const { path } = splitTarget(target);
  if (isGuardExempt(guard, { path, address: variables.client_addr!, isRobot })) return undefined;
  const request: Guarded = { path, asked: askedOfRequest(), url: md5Hex(pathOfTarget(target)), now };
  if (mode === 'under_attack') challenge(passing, attackChallenge, 'under_attack');
  const escalates = guard.settings.escalation && (mode === 'normal' || mode === 'strict');
  if (escalates) askByPlaces(guard, siteKey, request, pathOfTarget(target), passing);
  const counted: string[] = [];
  for (const rule of guard.rules[mode]) {
    if (!suitsGuardRule(rule, request)) continue;
    const page = pageOfRule(rule, protection, request, passing, counted);
    if (page !== undefined) return page;
  }
  if (escalates || counted.length > 0) {
    hasNoted = true;
    variables.edge_guard = `${mode}\n${escalates ? request.url : ''}\n${table.concat(counted, '\n')}`;
  }
  return undefined;
}

let hasNoted = false;

/** Whether this worker ever had a request that counts by its answer: where it had none, nothing need be read of any. */
export const areSomeGuarded = (): boolean => hasNoted;

interface Guarded extends CountedRequest {
  /** Short for its path. */
  url: string;
  now: number;
}

/** What is under attack asks all visitors for a challenge: the URL where it is one, and else the site. */
function askByPlaces(
  { settings }: PreparedGuard,
  siteKey: string,
  { url, now }: Guarded,
  path: string,
  passing: Passing,
): void {
  const ofUrl = placeName(siteKey, url);
  const rate = countArrival(ofUrl, now);
  const attacked = placeAt(ofUrl);
  if (rate > settings.escalation_url_requests && attacked === undefined)
    judgePlace(siteKey, url, path, settings, now);
  const ofSite = placeName(siteKey, '');
  // What is asked for an URL that is under attack does not make it one on the site.
  if (attacked === undefined) countArrival(ofSite, now);
  judgePlace(siteKey, '', '', settings, now);
  const place = placeAt(ofUrl) ?? placeAt(ofSite);
  const kind = challengeAtLevel(place?.level ?? 0);
  if (kind !== undefined) challenge(passing, kind, `${place!.path === '' ? 'site' : 'url'} ${place!.reason}`);
}

const challenge = (passing: Passing, kind: VerifyKind, rule: string): void =>
  wantChallenge(passing, kind, { section, rule, isNoted: false });

/** What is counted by the answer goes to `counted`, to be counted then. */
function pageOfRule(
  rule: PreparedGuardRule,
  protection: Protection,
  { url, now }: Guarded,
  passing: Passing,
  counted: string[],
): string | undefined {
  const who = whoOf(rule, url, now);
  const name = counterName(protection.siteKey, rule, who);
  let until = heldUntil(name);
  if (until === undefined || until <= now) {
    if (rule.count !== 'requests') {
      counted.push(`${rule.name} ${who}`);
      return undefined;
    }
    if (countForRule(name, rule, now) <= rule.requests) return undefined;
    until = holdFor(name, rule.holdSeconds, now);
  }
  const page = answer(rule, protection, passing, until - now);
  // The ban stands by itself: held here too, who is released would be banned again.
  if (page === 'banned') dropHold(name);
  return page;
}

export const counterName = (siteKey: string, { counter }: PreparedGuardRule, who: string): string =>
  `${siteKey} ${counter} ${who}`;

/** Short, whatever was sent. What other nodes may hear of has no address in it. */
function whoOf(rule: PreparedGuardRule, url: string, now: number): string {
  const address = ngx.var.client_addr!;
  const visitor = visitorOf(address);
  const isPlain = rule.key.length === 1 && rule.key[0]!.part === 'address';
  const who = isPlain && !isShared(now) ? visitor : md5Hex(guardKeyOf(rule, visitor, address, sentValue));
  return rule.isOfUrl ? `${who} ${url}` : who;
}

/** The first of an argument or a cookie that is there more than once: it is the one that most software reads. */
function sentValue(part: 'header' | 'cookie' | 'argument' | 'ja4', name: string): string | undefined {
  if (part === 'ja4') return ja4OfRequest();
  const variables = ngx.var;
  if (part === 'argument')
    return firstOf(argumentValues(splitTarget(variables.request_uri!).query ?? '', name));
  if (part === 'cookie') return firstOf(cookieValues(variables.http_cookie ?? '', name));
  const value = ngx.req.get_headers(0)[string.lower(name)];
  return value === undefined ? undefined : joined(value);
}

const firstOf = (values: string[] | undefined): string | undefined => values?.[0];

function answer(
  rule: PreparedGuardRule,
  { addressRule }: Protection,
  passing: Passing,
  seconds: number,
): string | undefined {
  const { name, action } = rule;
  if (action === 'challenge') {
    challenge(passing, rule.challenge, name);
    return undefined;
  }
  if (action === 'observe') {
    noteProtection(section, name, 'observe');
    return undefined;
  }
  if (action === 'block') {
    noteRefusal(section, name, 'block');
    return 'blocked';
  }
  if (action === 'ban' && ban({ addressRule }, rule.banScope, rule.holdSeconds, `${section} ${name}`)) {
    noteRefusal(section, name, 'ban');
    return 'banned';
  }
  // Who may not be banned is limited.
  noteRefusal(section, name, 'limit');
  ngx.var.edge_retry_after = `${math.max(1, math.ceil(seconds))}`;
  return 'too_many_requests';
}
