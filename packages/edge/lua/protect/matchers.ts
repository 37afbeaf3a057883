import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { BlockAnswer, ProtectionAction } from '@breakwater/contract/site-config/protection';
import type { Asked } from '@breakwater/policy/conditions/condition';
import type { ContentOfRequest } from '@breakwater/policy/conditions/content-facts';
import { retryAfterSeconds } from '@breakwater/policy/access/rate';
import { splitTarget } from '@breakwater/policy/http/path';
import {
  answerPlace,
  decideMatchers,
  decidingLeaf,
  nameOfMatcher,
  prepareMatchers,
  type MatcherFit,
  type MatcherRequest,
  type PreparedMatcher,
  type PreparedMatchers,
} from '@breakwater/policy/protect/matchers';
import { nodeName } from '../control/configuration.ts';
import { takeRate } from '../lib/counters.ts';
import { askedOfRequest } from '../front/facts.ts';
import { visitorOf } from '../front/visitor.ts';
import { ban } from './bans.ts';
import { wantDelay } from './delay.ts';
import { mayHaveContent } from './inspect.ts';
import { wantChallenge } from './verify.ts';
import { noteProtection, noteRefusal, noteTag, partOfRequest } from './note.ts';
import type { Passing, Protection } from './protect.ts';
import { noteAct } from './rule-acts.ts';

const section = 'matcher_rule';

export const matchersOf = (document: EffectiveSite): PreparedMatchers | undefined =>
  prepareMatchers(document);

/** LuaJIT does not compile what makes a function; sites without rules do not come so far. */
export const matchersPage = (protection: Protection, passing: Passing): string | undefined =>
  protection.matchers === undefined ? undefined : askMatchers(protection.matchers, protection, passing);

function askMatchers(
  matchers: PreparedMatchers,
  { contentMatchers, asksAnswers, siteKey, addressRule }: Protection,
  passing: Passing,
): string | undefined {
  const variables = ngx.var;
  const known = contentMatchers === undefined ? undefined : (passing.content ?? unreadContent());
  const request = matcherRequest(siteKey, known);
  const { asked } = request;
  const last = decideMatchers(matchers, request, (fit) => {
    noteFit(fit, asked);
    if (fit.action === 'challenge')
      wantChallenge(passing, fit.matcher.rule.challenge.kind, {
        section,
        rule: nameOfMatcher(fit.matcher),
        isNoted: true,
      });
    if (fit.action === 'list' || fit.action === 'notify') noteAct(fit.matcher);
    if (fit.action === 'delay') wantDelay(fit.matcher.rule.delay.milliseconds);
  });
  if (asksAnswers) variables.edge_answer = `${answerPlace(matchers, last)}`;
  if (last === undefined) return undefined;
  if (last.action === 'allow') {
    passing.passesAll = last.matcher.rule.allow.scope === 'all';
    return undefined;
  }
  if (last.action === 'limit') return 'too_many_requests';
  if (last.action === 'block') return 'blocked';
  if (last.action === 'ban') return banned(last.matcher, addressRule);
  const { status, url } = last.matcher.rule.redirect;
  variables.edge_location = `${status} ${url}`;
  return 'rule_redirect';
}

/** Rules on the answer whose header is on its way out: the name of a page in its place, if any. */
export function answerPage({ matchers, siteKey, addressRule }: Protection): string | undefined {
  const before = tonumber(ngx.var.edge_answer);
  if (matchers === undefined || before === undefined) return undefined;
  const request = matcherRequest(siteKey);
  request.answerBefore = before;
  const { asked } = request;
  const last = decideMatchers(matchers, request, (fit) => {
    noteFit(fit, asked);
    if (fit.action === 'list' || fit.action === 'notify') noteAct(fit.matcher);
  });
  if (last === undefined) return undefined;
  return last.action === 'ban' ? banned(last.matcher, addressRule) : 'blocked';
}

/** `content`: what it carries; absent: nobody knows. */
export function matcherRequest(siteKey: string, content?: ContentOfRequest): MatcherRequest {
  const variables = ngx.var;
  const visitor = visitorOf(variables.client_addr!);
  return {
    path: splitTarget(variables.request_uri!).path,
    asked: askedOfRequest(content),
    now: ngx.time(),
    visitor,
    node: nodeName(),
    isOver: (matcher) => isOver(matcher, siteKey, visitor),
  };
}

/** Where it is not read it is none, cannot be, or decides no rule. */
const unreadContent = (): ContentOfRequest => (mayHaveContent() ? 'unread' : 'none');

/** Who may not be banned is refused this once. */
function banned(matcher: PreparedMatcher, addressRule: Protection['addressRule']): string {
  const { scope, seconds, place } = matcher.rule.ban;
  const decision = `${section} ${nameOfMatcher(matcher)}`;
  return ban({ addressRule }, scope, seconds, decision, place === 'kernel') ? 'banned' : 'blocked';
}

/** Counted on this node, by what the rule counts as one. Another condition or rate starts to count anew; another place does not. */
function isOver(matcher: PreparedMatcher, siteKey: string, visitor: string): boolean {
  const rate = matcher.rate!;
  const who = matcher.rule.limit.key === 'address' ? ` ${visitor}` : '';
  const wait = takeRate(
    `matcher ${siteKey} ${matcher.level} ${matcher.identity} ${rate.interval} ${rate.tolerance}${who}`,
    rate,
  );
  if (wait === 0) return false;
  if (matcher.rule.mode === 'enforce') ngx.var.edge_retry_after = `${retryAfterSeconds(wait)}`;
  return true;
}

const refusing: Partial<Record<ProtectionAction, boolean>> = {
  block: true,
  ban: true,
  limit: true,
  redirect: true,
};

function noteFit({ matcher, action }: MatcherFit, asked: Asked): void {
  const isRefused = refusing[action] === true;
  const note = isRefused ? noteRefusal : noteProtection;
  note(section, nameOfMatcher(matcher), action, partThatFitted(matcher, asked));
  if (action === 'tag') noteTag(matcher.rule.tag.name);
}

/** What the test looked at that decided. */
function partThatFitted({ condition }: PreparedMatcher, asked: Asked): string | undefined {
  const leaf = condition && decidingLeaf(condition.plain, asked.decidedBy);
  if (leaf === undefined) return undefined;
  const fact = asked.facts(leaf.field, leaf.name);
  const text =
    type(fact) === 'table' ? table.concat(fact as string[], ' ') : fact === false ? '' : tostring(fact ?? '');
  return partOfRequest(leaf.field, leaf.name, text);
}

/** What the one gets whom the rule of a decision blocked: `matcher_rule 3`. A rule that is gone meanwhile has no answer. */
export function matcherAnswer(matchers: PreparedMatchers, decision: string): BlockAnswer | undefined {
  for (const matcher of matchers)
    if (decision === `${section} ${nameOfMatcher(matcher)}`) return matcher.rule.block;
  return undefined;
}
