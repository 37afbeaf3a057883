import type {
  CcGuardianRule,
  GuardAction,
  GuardMode,
  GuardRule,
} from '@breakwater/contract/site-config/cc-guardian-rule';
import { isUnder } from '../access/access.ts';
import { prepareAccessCondition, suitsReadings, type AccessCondition } from '../access/condition.ts';
import { isInSet, packAddresses, type AddressSet } from '../address/address-set.ts';
import { parseAddress } from '../address/ip.ts';
import type { Asked } from '../conditions/condition.ts';
import { parseIsoTime } from '../http/date.ts';
import { pathForms, type PathForms } from '../http/path-forms.ts';
import { guardLimits, type GuardLimit } from './guard-modes.ts';
import { networkOf } from './verify.ts';

/** CC guard: which rules a request is counted by, under which name, and when that is too many. */

export interface PreparedGuardRule {
  /** `3` of a site's own, or what the mode calls it: as the log has it. */
  name: string;
  /** Names its counters: another limit starts to count anew. */
  counter: string;
  count: GuardRule['count'];
  answers: GuardRule['answers'];
  key: GuardRule['key'];
  requests: number;
  seconds: number;
  isOfUrl: boolean;
  action: GuardAction;
  challenge: GuardRule['challenge'];
  banScope: GuardRule['ban_scope'];
  holdSeconds: number;
  condition: AccessCondition | undefined;
}

export interface PreparedGuard {
  settings: CcGuardianRule;
  /** Seconds since 1970. */
  attackUntil: number | undefined;
  addresses: AddressSet | undefined;
  /** For each mode, in the order in which they are asked. */
  rules: Record<GuardMode, PreparedGuardRule[]>;
}

/** Nothing where it is off, and no time of attack was set. */
export function prepareGuard(settings: CcGuardianRule | undefined): PreparedGuard | undefined {
  if (settings === undefined) return undefined;
  const { mode, attack_until: until, exempt_addresses: exempt } = settings;
  if (mode === 'off' && until === undefined) return undefined;
  const own: PreparedGuardRule[] = [];
  for (let index = 0; index < settings.rules.length; index++) {
    const rule = settings.rules[index]!;
    if (rule.enabled) own.push(prepareRule(`${index + 1}`, rule));
  }
  return {
    settings,
    attackUntil: until === undefined ? undefined : parseIsoTime(until),
    addresses: exempt.length === 0 ? undefined : packAddresses(exempt),
    rules: {
      off: [],
      watch: rulesOf('watch', own),
      normal: rulesOf('normal', own),
      strict: rulesOf('strict', own),
      under_attack: rulesOf('under_attack', own),
    },
  };
}

function rulesOf(mode: GuardMode, own: readonly PreparedGuardRule[]): PreparedGuardRule[] {
  const rules: PreparedGuardRule[] = [];
  for (const rule of own) rules.push(mode === 'watch' ? { ...rule, action: 'observe' } : rule);
  for (const limit of guardLimits[mode]) rules.push(prepareLimit(limit));
  return rules;
}

const ofAddress: GuardRule['key'] = [{ part: 'address', name: '' }];

function prepareLimit({ statuses, ...limit }: GuardLimit): PreparedGuardRule {
  return {
    name: limit.name,
    counter: counterOf(limit.name, limit),
    count: limit.count,
    answers: { statuses, misses: false },
    key: ofAddress,
    requests: limit.requests,
    seconds: limit.period_seconds,
    isOfUrl: false,
    action: limit.action,
    challenge: limit.challenge,
    banScope: 'site',
    holdSeconds: limit.hold_seconds,
    condition: undefined,
  };
}

function prepareRule(name: string, rule: GuardRule): PreparedGuardRule {
  return {
    name,
    counter: counterOf(name, rule),
    count: rule.count,
    answers: rule.answers,
    key: rule.key,
    requests: rule.requests,
    seconds: rule.period_seconds,
    isOfUrl: rule.scope === 'url',
    action: rule.action,
    challenge: rule.challenge,
    banScope: rule.ban_scope,
    holdSeconds: rule.hold_seconds,
    condition: rule.condition === undefined ? undefined : prepareAccessCondition(rule.condition),
  };
}

const counterOf = (
  name: string,
  { requests, period_seconds: seconds, action }: Pick<GuardRule, 'requests' | 'period_seconds' | 'action'>,
): string => `${name} ${requests}/${seconds} ${action}`;

/** Until the time that was set it is under attack. */
export function guardModeAt({ settings, attackUntil }: PreparedGuard, now: number): GuardMode {
  return attackUntil !== undefined && now < attackUntil ? 'under_attack' : settings.mode;
}

export interface GuardedRequest {
  /** As it was sent, without the query. */
  path: string;
  address: string;
  isRobot: (this: void) => boolean;
}

/** Whom it leaves alone. Where a path could be another, the visitor is counted. */
export function isGuardExempt(
  { settings, addresses }: PreparedGuard,
  { path, address: text, isRobot }: GuardedRequest,
): boolean {
  const { except_paths: except } = settings;
  if (except.length > 0 && !isUnder([], except, pathForms(path), true)) return true;
  if (addresses !== undefined) {
    const address = parseAddress(text);
    if (address !== undefined && isInSet(address, addresses)) return true;
  }
  return settings.exempt_robots && isRobot();
}

export interface CountedRequest {
  /** As it was sent, without the query. */
  path: string;
  asked: Asked;
  /** Readings of the path, worked out where a rule asks. */
  forms?: PathForms;
}

/** Where a condition cannot be decided, the request is counted. */
export function suitsGuardRule({ condition }: PreparedGuardRule, request: CountedRequest): boolean {
  if (condition === undefined) return true;
  if (condition.folded !== undefined) request.forms ??= pathForms(request.path);
  return suitsReadings(condition, request.forms ?? noForms, request.asked, true);
}

const noForms: PathForms = pathForms('/');

/** What a visitor sends under a name; absent: nothing of it. */
export type SentValue = (
  this: void,
  part: 'header' | 'cookie' | 'argument' | 'ja4',
  name: string,
) => string | undefined;

/**
 * Who is counted as one. Who lacks what is asked for is counted by address in its place, so that leaving it out helps nobody and
 * harms no other.
 */
export function guardKeyOf(
  { key }: Pick<PreparedGuardRule, 'key'>,
  visitor: string,
  address: string,
  sent: SentValue,
): string {
  if (key.length === 0) return '*';
  const parts: string[] = [];
  for (const { part, name } of key) {
    if (part === 'address') parts.push(visitor);
    else if (part === 'network') parts.push(networkOf(address, 24, 48));
    else {
      const value = sent(part, name);
      parts.push(value === undefined ? `-${visitor}` : `${value.length}=${value}`);
    }
  }
  return parts.join(' ');
}

/** Of a sliding window the two buckets it lies in: the number of the later one, and how much of the earlier one still counts. */
export interface GuardWindow {
  bucket: number;
  earlier: number;
}

export function guardWindowAt(now: number, seconds: number): GuardWindow {
  const bucket = Math.floor(now / seconds);
  return { bucket, earlier: 1 - (now / seconds - bucket) };
}

/** How many there were within the window, as if those of the earlier bucket had come evenly. */
export const countInWindow = (earlier: number, later: number, share: number): number =>
  earlier * share + later;

/**
 * From how many on a node tells the others of its line group what it counted. Of what so many nodes do not tell, there is less than the threshold
 * once more, however it is spread; and who asked once is nobody's business.
 */
export const guardShareFrom = (requests: number, nodes: number): number =>
  Math.max(2, Math.ceil(requests / nodes));

/** What is known of an answer when it was given. */
export interface GuardedAnswer {
  status: number;
  /** As the log has it; empty: no cache was asked. */
  cache: string;
  milliseconds: number;
}

const ofOrigin: Record<string, boolean> = { MISS: true, EXPIRED: true, BYPASS: true, REVALIDATED: true };
const missed: Record<string, boolean> = { MISS: true, EXPIRED: true };

export const isFromOrigin = ({ cache }: Pick<GuardedAnswer, 'cache'>): boolean => ofOrigin[cache] === true;

/** Whether an answer counts for a rule. */
export function countsForGuard(
  { count, answers }: Pick<PreparedGuardRule, 'count' | 'answers'>,
  answer: GuardedAnswer,
): boolean {
  if (count === 'requests') return false;
  if (count === 'origin') return isFromOrigin(answer);
  if (answers.misses && missed[answer.cache] !== true) return false;
  if (answers.slower_than_ms !== undefined && answer.milliseconds <= answers.slower_than_ms) return false;
  return answers.statuses.length === 0 || hasStatus(answers.statuses, answer.status);
}

function hasStatus(statuses: readonly string[], status: number): boolean {
  const exact = `${status}`;
  const ofClass = `${Math.floor(status / 100)}xx`;
  for (const each of statuses) if (each === exact || each === ofClass) return true;
  return false;
}
