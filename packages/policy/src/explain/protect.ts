import type { StepReason } from '@breakwater/contract/request-steps';
import { factsOf } from '../conditions/request-facts.ts';
import { visitorKey, parseAddress } from '../address/ip.ts';
import { splitTarget } from '../http/path.ts';
import { judgeTarget } from '../http/request-path.ts';
import { isAcmeChallenge } from '../http/tls.ts';
import { detect, worstOf } from '../detect/detect.ts';
import { systemRulesOf } from '../detect/settings.ts';
import { decideMatchers, nameOfMatcher, type MatcherFit } from '../protect/matchers.ts';
import { partOfRequest } from '../protect/note.ts';
import { isToBeAsked, prepareVerification } from '../protect/verify-scope.ts';
import { addStep, describedRequest, fact, noteLevel, requestFacts, type Fact, type Trace } from './trace.ts';

/** The stages of protection, decided by what decides in traffic; nothing is counted. */

/** Whether no stage is asked: nothing of it is set here, or it is not the site that is asked for. */
function isFree(
  trace: Trace,
  step: 'matchers' | 'browser_verification' | 'system_rules',
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
  const last = decideMatchers(
    matchers!,
    {
      path: splitTarget(request.target).path,
      asked: { facts: factsOf(described, tools.lookups), tryRegex: tools.tryRegex, decidedBy: 0 },
      now: request.time,
      visitor: parsed === undefined ? address : visitorKey(parsed),
      // Nothing is counted, so the rule is told as one that fits and lets it go on.
      isOver: (matcher) => {
        facts.push(fact('limit', nameOfMatcher(matcher)));
        noted += 1;
        return false;
      },
    },
    ({ matcher, action }) => {
      if (action === 'observe') facts.push(fact('observed', nameOfMatcher(matcher)));
      if (action === 'tag') {
        facts.push(fact('tag', matcher.rule.tag.name));
        tags.push(matcher.rule.tag.name);
      }
      noted += 1;
    },
  );
  if (last === undefined) {
    addStep(trace, 'matchers', 'passed', noted > 0 ? 'matcher_noted' : 'matcher_unmet', facts);
    return;
  }
  addMatched(trace, last, facts);
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

/** Whoever is asked goes on once the browser has passed, so what follows is told as well. */
export function explainVerification(trace: Trace): void {
  const verification = prepareVerification(trace.site.document.browser_verify_rule);
  if (verification === undefined || !verification.settings.enabled) {
    addStep(trace, 'browser_verification', 'off');
    return;
  }
  if (isFree(trace, 'browser_verification', false)) return;
  if (trace.passesProtection === true) {
    addStep(trace, 'browser_verification', 'passed', 'matcher_allowed');
    return;
  }
  const { request, address, tools } = trace;
  const facts = requestFacts(trace);
  const isAsked = isToBeAsked(
    verification,
    {
      path: splitTarget(request.target).path,
      address,
      isRobot: () => facts('verified_robot', '') !== undefined,
      asked: { facts, tryRegex: tools.tryRegex, decidedBy: 0 },
    },
    tools.lookups,
  );
  const step = isAsked
    ? addStep(trace, 'browser_verification', 'changed', 'verify_wanted', [
        fact('kind', verification.settings.kind),
      ])
    : addStep(trace, 'browser_verification', 'passed', 'verify_exempt');
  noteLevel(step, trace, 'browser_verify_rule', isAsked ? 'kind' : 'enabled');
}

/** The head of the request: what it carries is described by no trace. */
export function explainSystemRules(trace: Trace): void {
  const { request, site } = trace;
  const rule = site.document.used_system_rule;
  const settings = rule && systemRulesOf(rule);
  if (isFree(trace, 'system_rules', settings === undefined)) return;
  if (trace.passesProtection === true) {
    addStep(trace, 'system_rules', 'passed', 'matcher_allowed');
    return;
  }
  const { method, target, headers, time } = request;
  const verdict = detect({ method, target, headers, body: '', time }, settings!);
  const worst = worstOf(verdict);
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
