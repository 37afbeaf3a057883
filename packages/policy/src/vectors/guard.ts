import type { ConditionGroup } from '@breakwater/contract/condition';
import type { CcGuardianRule, GuardRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import type { MatchRegex } from '../cache/rule.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import { splitTarget } from '../http/path.ts';
import { calmPlace, challengeAtLevel, stepPlace, type GuardLoad } from '../protect/guard-escalation.ts';
import {
  countInWindow,
  countsForGuard,
  guardKeyOf,
  guardModeAt,
  guardShareFrom,
  guardWindowAt,
  isGuardExempt,
  prepareGuard,
  suitsGuardRule,
  type GuardedAnswer,
  type PreparedGuardRule,
} from '../protect/guard.ts';
import { sectionDefaults } from '../site/section-defaults.ts';
import { complete, plainRequest } from './condition.ts';

/** The vectors of CC guard. */
export function runGuardVector(
  decision: string,
  input: Record<string, unknown>,
  tryRegex: MatchRegex,
): unknown {
  if (decision === 'guard') return guard(input as never, tryRegex);
  if (decision === 'guard-window') return windows(input as never);
  if (decision === 'guard-share')
    return { from: guardShareFrom(input.requests as number, input.nodes as number) };
  if (decision === 'guard-escalation') return escalation(input as never);
  return undefined;
}

interface GuardCase {
  settings?: Partial<CcGuardianRule>;
  rules?: Partial<GuardRule>[];
  request?: Partial<DescribedRequest>;
  robot?: boolean;
  /** What was sent under these names: `cookie sid`. */
  sent?: Record<string, string>;
  answer?: GuardedAnswer;
}

const byDefault = sectionDefaults.cc_guardian_rule as unknown as CcGuardianRule;

/** By which rules a request is counted, under which key; with an answer, by those that count it. */
function guard(
  { settings, rules = [], request: given, robot, sent = {}, answer }: GuardCase,
  tryRegex: MatchRegex,
) {
  const whole: GuardRule[] = [];
  for (const rule of rules) whole.push({ ...plainRule, ...rule, ...conditionOf(rule) });
  const prepared = prepareGuard({ ...byDefault, ...settings, rules: whole });
  const request = { ...plainRequest, ...given };
  if (prepared === undefined) return { mode: 'none' };
  const mode = guardModeAt(prepared, request.time);
  const { path } = splitTarget(request.target);
  if (isGuardExempt(prepared, { path, address: request.ip, isRobot: () => robot === true }))
    return { mode, counted: 'exempt' };
  const asked = { path, asked: { facts: factsOf(request), tryRegex, decidedBy: 0 } };
  const counted: string[] = [];
  for (const rule of prepared.rules[mode]) {
    if (!suitsGuardRule(rule, asked)) continue;
    if (answer !== undefined ? !countsForGuard(rule, answer) : false) continue;
    const key = guardKeyOf(rule, request.ip, request.ip, (part, name) => sent[`${part} ${name}`]);
    counted.push(`${nameOf(rule)} by ${key}`);
  }
  return { mode, counted: counted.join('; ') };
}

const nameOf = ({ name, action, requests, seconds }: PreparedGuardRule): string =>
  `${name}=${action} over ${requests}/${seconds}`;

const plainRule: GuardRule = {
  note: '',
  count: 'requests',
  answers: { statuses: [], misses: false },
  key: [{ part: 'address', name: '' }],
  requests: 100,
  period_seconds: 10,
  scope: 'site',
  action: 'limit',
  challenge: 'javascript',
  ban_scope: 'site',
  hold_seconds: 60,
  enabled: true,
};

const conditionOf = ({ condition }: Partial<GuardRule>) =>
  condition === undefined ? {} : { condition: complete(condition as never) as ConditionGroup };

/** How many there are within a window at the end of a run of times at which there was one each. */
function windows({ times, seconds, now }: { times: number[]; seconds: number; now: number }): unknown {
  const { bucket, earlier } = guardWindowAt(now, seconds);
  let [before, later] = [0, 0];
  for (const time of times) {
    const of = guardWindowAt(time, seconds).bucket;
    if (of === bucket) later += 1;
    if (of === bucket - 1) before += 1;
  }
  return { count: Math.round(countInWindow(before, later, earlier) * 100) / 100 };
}

interface EscalationCase {
  settings?: Partial<CcGuardianRule>;
  url?: boolean;
  /** Looked at one after another, at the times that they name. */
  loads: (Partial<GuardLoad> & { at: number })[];
}

/** The steps of a place, each with its time and why. */
function escalation({ settings, url, loads }: EscalationCase): unknown {
  const place = calmPlace(0);
  const steps: string[] = [];
  for (const { at, ...load } of loads) {
    const seen = { ...calm, ...load };
    const step = stepPlace(place, seen, { ...byDefault, ...settings }, url === true, at);
    if (step !== undefined) steps.push(`${at}: ${step.from}>${step.level} ${step.reason}`);
  }
  return { steps: steps.join(', '), challenge: challengeAtLevel(place.level) ?? 'none' };
}

const calm: GuardLoad = { requests: 0, passed: 0, answers: 0, errors: 0, milliseconds: 0, seconds: 5 };
