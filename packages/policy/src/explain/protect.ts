import { visitorKey, parseAddress } from '../address/ip.ts';
import { splitTarget } from '../http/path.ts';
import { judgeTarget } from '../http/request-path.ts';
import { isAcmeChallenge } from '../http/tls.ts';
import { decideMatchers, nameOfMatcher } from '../protect/matchers.ts';
import { addStep, fact, requestFacts, type Fact, type Trace } from './trace.ts';

/** The stages of protection, decided by what decides in traffic; nothing is counted. */

/** Whether no stage is asked: nothing of it is set here, or it is not the site that is asked for. */
function isFree(trace: Trace, step: 'matchers', isOff: boolean): boolean {
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
  const facts: Fact[] = [];
  let noted = 0;
  const last = decideMatchers(
    matchers!,
    {
      path: splitTarget(request.target).path,
      asked: { facts: requestFacts(trace), tryRegex: tools.tryRegex, decidedBy: 0 },
      now: request.time,
      visitor: parsed === undefined ? address : visitorKey(parsed),
    },
    ({ matcher, action }) => {
      if (action === 'observe') facts.push(fact('observed', nameOfMatcher(matcher)));
      if (action === 'tag') facts.push(fact('tag', matcher.rule.tag.name));
      noted += 1;
    },
  );
  if (last === undefined) {
    addStep(trace, 'matchers', 'passed', noted > 0 ? 'matcher_noted' : 'matcher_unmet', facts);
    return;
  }
  const { rule, level, index } = last.matcher;
  facts.push(fact('rule', index + 1));
  if (rule.note !== '') facts.push(fact('note', rule.note));
  const isBlocked = last.action === 'block';
  if (isBlocked) facts.push(fact('status', rule.block.kind === 'close' ? 444 : rule.block.status));
  const step = addStep(
    trace,
    'matchers',
    isBlocked ? 'stopped' : 'passed',
    isBlocked ? 'matcher_blocked' : 'matcher_allowed',
    facts,
  );
  step.level = level;
}
