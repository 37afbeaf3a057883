import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { CcGuardianRule, GuardReason } from '@breakwater/contract/site-config/cc-guardian-rule';

/**
 * How a site, or one URL of it, comes to be under attack by itself, and out of it again: a level for each place, up within seconds
 * and down after a quiet time.
 */

export interface GuardPlace {
  level: number;
  /** When it got there, and when it was last anything but quiet; seconds since 1970. */
  since: number;
  busy: number;
}

/** What was seen in the last seconds; of an URL only what is asked for it. */
export interface GuardLoad {
  /** Each second, and of them those that got to the site. */
  requests: number;
  passed: number;
  /** Of the origin: how many answers there were, how many of them were errors, how long they took together, within so many seconds. */
  answers: number;
  errors: number;
  milliseconds: number;
  seconds: number;
}

/** What crossed its threshold. */
export interface GuardSign {
  reason: GuardReason;
  value: number;
  limit: number;
}

export interface GuardStep extends GuardSign {
  level: number;
  from: number;
}

const levelMax = 2;
/** Few answers say nothing of an origin. */
const answersMin = 20;
/** So long a level is given to show what it does. */
const trialSeconds = 5;

export const calmPlace = (now: number): GuardPlace => ({ level: 0, since: now, busy: now });

/** The kind of challenge at a level; nothing at 0. */
export function challengeAtLevel(level: number): VerifyKind | undefined {
  if (level <= 0) return undefined;
  return level === 1 ? 'javascript' : 'proof_of_work';
}

/**
 * What becomes of a place; the place itself is changed. Above level 0 only what passed counts for a step up: what was turned away
 * does not ask for more, and it keeps it from being quiet all the same.
 */
export function stepPlace(
  place: GuardPlace,
  load: GuardLoad,
  settings: CcGuardianRule,
  isOfUrl: boolean,
  now: number,
): GuardStep | undefined {
  if (signOf(load, settings, isOfUrl, 0.5, true) !== undefined) place.busy = now;
  const from = place.level;
  const isTried = from === 0 || now - place.since >= trialSeconds;
  const up = from < levelMax && isTried ? signOf(load, settings, isOfUrl, 1, from === 0) : undefined;
  if (up !== undefined) {
    moveTo(place, from + 1, now);
    return { ...up, level: place.level, from };
  }
  if (from === 0 || now - place.busy < settings.quiet_seconds) return undefined;
  moveTo(place, from - 1, now);
  return { reason: 'quiet', value: load.requests, limit: settings.quiet_seconds, level: place.level, from };
}

function moveTo(place: GuardPlace, level: number, now: number): void {
  place.level = level;
  place.since = now;
  place.busy = now;
}

/** The first that is over so much of its threshold. */
function signOf(
  load: GuardLoad,
  settings: CcGuardianRule,
  isOfUrl: boolean,
  part: number,
  countsAll: boolean,
): GuardSign | undefined {
  const most = isOfUrl ? settings.escalation_url_requests : settings.escalation_requests;
  const rate = countsAll ? load.requests : load.passed;
  if (rate > most * part) return { reason: countsAll ? 'requests' : 'passed', value: rate, limit: most };
  if (isOfUrl || load.answers < answersMin) return undefined;
  const percent = (load.errors * 100) / load.answers;
  const errorsMost = settings.escalation_error_percent;
  if (percent >= errorsMost * part) return { reason: 'errors', value: percent, limit: errorsMost };
  const mean = load.milliseconds / load.answers;
  const slowMost = settings.escalation_slow_ms;
  if (mean > slowMost * part) return { reason: 'slow', value: mean, limit: slowMost };
  // Little's law: how many there are at once is how many come, times how long each stays.
  const atOnce = load.milliseconds / 1000 / load.seconds;
  const atOnceMost = settings.escalation_origin_requests;
  if (atOnce > atOnceMost * part) return { reason: 'origin_requests', value: atOnce, limit: atOnceMost };
  return undefined;
}
