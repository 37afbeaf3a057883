import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { StepReason } from '@breakwater/contract/request-steps';
import { contentOf, factsOf } from '../conditions/request-facts.ts';
import { visitorKey, parseAddress } from '../address/ip.ts';
import { splitTarget } from '../http/path.ts';
import { judgeTarget } from '../http/request-path.ts';
import { isAcmeChallenge } from '../http/tls.ts';
import { detect, worstOf } from '../detect/detect.ts';
import { leakRulesOf, systemRulesOf } from '../detect/settings.ts';
import {
  answerPlace,
  decideMatchers,
  nameOfMatcher,
  openMatchers,
  possibleAnswerMatchers,
  type MatcherFit,
  type MatcherRequest,
  type PreparedMatchers,
} from '../protect/matchers.ts';
import { guardModeAt, isGuardExempt, prepareGuard, suitsGuardRule } from '../protect/guard.ts';
import { partOfRequest } from '../protect/note.ts';
import { isEnough } from '../protect/verify.ts';
import { isToBeAsked, prepareVerification, type Verification } from '../protect/verify-scope.ts';
import { addStep, describedRequest, fact, noteLevel, requestFacts, type Fact, type Trace } from './trace.ts';

/** The stages of protection, decided by what decides in traffic; nothing is counted. */

/** Whether no stage is asked: nothing of it is set here, or it is not the site that is asked for. */
function isFree(
  trace: Trace,
  step: 'matchers' | 'cc_guard' | 'browser_verification' | 'system_rules',
  isOff: boolean,
): boolean {
  const { target } = trace.request;
  if (isOff) addStep(trace, step, 'off');
  else if (isAcmeChallenge(target)) addStep(trace, step, 'passed', 'acme_challenge');
  else if (judgeTarget(target) === 'own') addStep(trace, step, 'passed', 'own_page');
  else return false;
  return true;
}

export function explainMatchers(trace: Trace): void {
  const { matchers } = trace.site;
  if (isFree(trace, 'matchers', matchers === undefined)) return;
  const { request, address, tools } = trace;
  const parsed = parseAddress(address);
  const described = describedRequest(trace);
  const tags: string[] = [];
  described.tags = tags;
  const facts: Fact[] = [];
  let noted = 0;
  const asked: MatcherRequest = {
    path: splitTarget(request.target).path,
    asked: { facts: factsOf(described, tools.lookups), tryRegex: tools.tryRegex, decidedBy: 0 },
    now: request.time,
    visitor: parsed === undefined ? address : visitorKey(parsed),
    ...(tools.node === undefined ? {} : { node: tools.node }),
    // Nothing is counted, so the rule is told as one that fits and lets it go on.
    isOver: (matcher) => {
      facts.push(fact('limit', nameOfMatcher(matcher)));
      noted += 1;
      return false;
    },
  };
  const isUntold = contentOf(described) === 'unread' || asked.asked.facts('ja4', '') === false;
  const open = isUntold ? openMatchers(matchers!, asked) : [];
  for (const matcher of open) facts.push(fact('undecided', nameOfMatcher(matcher)));
  const last = decideMatchers(without(matchers!, open), asked, ({ matcher, action }) => {
    if (action === 'observe') facts.push(fact('observed', nameOfMatcher(matcher)));
    if (action === 'tag') {
      facts.push(fact('tag', matcher.rule.tag.name));
      tags.push(matcher.rule.tag.name);
    }
    if (action === 'list') facts.push(fact('listed', nameOfMatcher(matcher)));
    if (action === 'notify') facts.push(fact('notified', nameOfMatcher(matcher)));
    if (action === 'delay') facts.push(fact('delay', nameOfMatcher(matcher)));
    if (action === 'challenge') {
      facts.push(fact('challenge', nameOfMatcher(matcher)));
      want(trace, matcher.rule.challenge.kind);
    }
    noted += 1;
  });
  // No trace describes an answer.
  const ofAnswer = possibleAnswerMatchers(matchers!, asked, answerPlace(matchers!, last));
  for (const matcher of ofAnswer) facts.push(fact('undecided', nameOfMatcher(matcher)));
  if (last !== undefined) addMatched(trace, last, facts);
  else addStep(trace, 'matchers', 'passed', reasonOf(noted, open.length + ofAnswer.length), facts);
}

function reasonOf(noted: number, undecided: number): StepReason {
  if (undecided > 0) return 'matcher_undecided';
  return noted > 0 ? 'matcher_noted' : 'matcher_unmet';
}

/** Rules that ask for what is not described are told as such and not asked. */
function without(matchers: PreparedMatchers, open: PreparedMatchers): PreparedMatchers {
  if (open.length === 0) return matchers;
  const rest: PreparedMatchers = [];
  for (const matcher of matchers) if (open.indexOf(matcher) < 0) rest.push(matcher);
  return rest;
}

function want(trace: Trace, kind: VerifyKind): void {
  const { challengeWanted: before } = trace;
  if (before === undefined || !isEnough(before, kind)) trace.challengeWanted = kind;
}

/** The rule that ended it. */
function addMatched(trace: Trace, last: MatcherFit, facts: Fact[]): void {
  const { rule, level, index } = last.matcher;
  trace.passesProtection = last.action === 'allow' && rule.allow.scope === 'all';
  facts.push(fact('rule', index + 1));
  if (rule.note !== '') facts.push(fact('note', rule.note));
  if (last.action === 'block')
    facts.push(fact('status', rule.block.kind === 'close' ? 444 : rule.block.status));
  if (last.action === 'redirect') {
    facts.push(fact('status', rule.redirect.status));
    facts.push(fact('location', rule.redirect.url));
  }
  const isLetIn = last.action === 'allow';
  const stopped: StepReason = last.action === 'redirect' ? 'matcher_redirected' : 'matcher_blocked';
  const reason = isLetIn ? 'matcher_allowed' : stopped;
  const step = addStep(trace, 'matchers', isLetIn ? 'passed' : 'stopped', reason, facts);
  step.level = level;
}

/** Which rules the request is counted by. Nothing is counted here, and where the site is under attack by itself no trace says. */
export function explainGuard(trace: Trace): void {
  const { request, address, tools } = trace;
  const guard = prepareGuard(trace.site.document.cc_guardian_rule);
  const mode = guard === undefined ? 'off' : guardModeAt(guard, request.time);
  if (isFree(trace, 'cc_guard', mode === 'off')) return;
  if (trace.passesProtection === true) {
    addStep(trace, 'cc_guard', 'passed', 'matcher_allowed');
    return;
  }
  const setBy = guard!.settings.mode === mode ? 'mode' : 'attack_until';
  const facts = requestFacts(trace);
  const { path } = splitTarget(request.target);
  const isRobot = () => facts('verified_robot', '') !== undefined;
  const told = [fact('mode', mode)];
  if (isGuardExempt(guard!, { path, address, isRobot })) {
    noteLevel(addStep(trace, 'cc_guard', 'passed', 'guard_exempt', told), trace, 'cc_guardian_rule', setBy);
    return;
  }
  const asked = { path, asked: { facts, tryRegex: tools.tryRegex, decidedBy: 0 } };
  const rules = guard!.rules[mode];
  for (const rule of rules) if (suitsGuardRule(rule, asked)) told.push(fact('limit', rule.name));
  const reason =
    mode === 'under_attack' ? 'guard_challenged' : told.length > 1 ? 'guard_counted' : 'guard_unmet';
  const step = addStep(trace, 'cc_guard', mode === 'under_attack' ? 'changed' : 'passed', reason, told);
  noteLevel(step, trace, 'cc_guardian_rule', setBy);
}

/** Whoever is asked goes on once the browser has passed, so what follows is told as well. */
export function explainVerification(trace: Trace): void {
  const verification = prepareVerification(trace.site.document.browser_verify_rule);
  const { challengeWanted: byRule } = trace;
  if (byRule === undefined && (verification === undefined || !verification.settings.enabled)) {
    addStep(trace, 'browser_verification', 'off');
    return;
  }
  if (isFree(trace, 'browser_verification', false)) return;
  if (trace.passesProtection === true) {
    addStep(trace, 'browser_verification', 'passed', 'matcher_allowed');
    return;
  }
  const isAsked = verification !== undefined && isAskedOf(trace, verification);
  if (isAsked) want(trace, verification.settings.kind);
  const { challengeWanted: wanted } = trace;
  const step =
    wanted === undefined
      ? addStep(trace, 'browser_verification', 'passed', 'verify_exempt')
      : addStep(trace, 'browser_verification', 'changed', 'verify_wanted', [fact('kind', wanted)]);
  if (byRule === undefined) noteLevel(step, trace, 'browser_verify_rule', isAsked ? 'kind' : 'enabled');
}

function isAskedOf(trace: Trace, verification: Verification): boolean {
  const { request, address, tools } = trace;
  const facts = requestFacts(trace);
  return isToBeAsked(
    verification,
    {
      path: splitTarget(request.target).path,
      address,
      isRobot: () => facts('verified_robot', '') !== undefined,
      asked: { facts, tryRegex: tools.tryRegex, decidedBy: 0 },
    },
    tools.lookups,
  );
}

/** The head of the request: what it carries, and what answers it, is described by no trace. */
export function explainSystemRules(trace: Trace): void {
  const { request, site } = trace;
  const rule = site.document.used_system_rule;
  const settings = rule && systemRulesOf(rule);
  const isUnset = rule === undefined || (settings ?? leakRulesOf(rule)) === undefined;
  if (isFree(trace, 'system_rules', isUnset)) return;
  if (trace.passesProtection === true) {
    addStep(trace, 'system_rules', 'passed', 'matcher_allowed');
    return;
  }
  const { method, target, headers, time } = request;
  // Without settings the site looks for leaks alone, in answers, which no trace has.
  const verdict =
    settings && detect({ method, target, headers, body: '', time }, { ...settings, known: site.known });
  const worst = verdict && worstOf(verdict);
  if (worst === undefined) {
    addStep(trace, 'system_rules', 'passed', 'attack_none');
    return;
  }
  const { blocks, detector, place, part, excerpt, group, steps } = worst;
  const facts = [fact('detector', detector), fact('part', partOfRequest(place, part, excerpt))];
  if (steps.length > 0) facts.push(fact('decoded', steps.join(' ')));
  const step = blocks
    ? addStep(trace, 'system_rules', 'stopped', 'attack_blocked', facts)
    : addStep(trace, 'system_rules', 'passed', 'attack_observed', facts);
  noteLevel(step, trace, 'used_system_rule', rule![group] === undefined ? 'mode' : group);
}
