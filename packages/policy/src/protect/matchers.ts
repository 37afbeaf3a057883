import type { EffectiveSite, LevelName } from '@breakwater/contract/edge-document';
import type { MatcherAction, MatcherRule } from '@breakwater/contract/site-config/matcher-rule';
import type { ProtectionAction } from '@breakwater/contract/site-config/protection';
import {
  hasTest,
  isOpenIn,
  prepareAccessCondition,
  suitsReadings,
  type AccessCondition,
} from '../access/condition.ts';
import { isAnswerField } from '../conditions/answer-facts.ts';
import { isContentField } from '../conditions/content-facts.ts';
import { printCondition } from '../conditions/text.ts';
import type { Asked, PreparedCondition, PreparedLeaf } from '../conditions/condition.ts';
import { rateOf, type Rate } from '../access/rate.ts';
import { parseIsoTime } from '../http/date.ts';
import { pathForms, type PathForms } from '../http/path-forms.ts';

/**
 * Rules on requests: the levels from the highest down and the site at last, each with rules in their order. They are asked
 * one by one until one ends it; so whom a level lets in no lower one refuses.
 */

export type MatcherLevel = LevelName | 'site';

export interface PreparedMatcher {
  rule: MatcherRule;
  level: MatcherLevel;
  /** Its place among all rules of its level, from 0. */
  index: number;
  /** Of what it is for and what it does: it stays the same where the rule moves. See `identityOf`. */
  identity: number;
  condition: AccessCondition | undefined;
  /** Seconds since 1970; absent: for good. */
  until: number | undefined;
  /** Where its condition cannot be decided, it fits. */
  closes: boolean;
  /** Its condition has tests of the request's content. */
  asksContent: boolean;
  /** Its condition has tests of the answer: it is asked once that is there. */
  asksAnswer: boolean;
  /** Its place among all that are asked, from 0. */
  order: number;
  asksJa4: boolean;
  /** Of one that limits. */
  rate: Rate | undefined;
}

/** In the order in which they are asked. */
export type PreparedMatchers = PreparedMatcher[];

/** What is known of a request when it gets here. */
export interface MatcherRequest {
  /** As it was sent, without the query. */
  path: string;
  asked: Asked;
  /** Seconds since 1970. */
  now: number;
  /** Who is always in the same part of the visitors: an address, or a network of them. */
  visitor: string;
  /** The node's name; absent: it is not known which one is asked, so a rule for some of them is told as one for this. */
  node?: string;
  /** Counts the request under a rule that limits, and says whether it is one too many. */
  isOver: (this: void, matcher: PreparedMatcher) => boolean;
  /**
   * Absent: the request is asked. Else its answer is: the rules that ask for it and stand before this place, as a rule that lets a
   * request past those that follow lets its answer past them too.
   */
  answerBefore?: number;
  /** Readings of the path, worked out where a rule asks. */
  forms?: PathForms;
}

/** A rule that fits, and what it does: `observe` where it is only to be looked at. */
export interface MatcherFit {
  matcher: PreparedMatcher;
  action: ProtectionAction;
}

/** Nothing where there are no rules. */
export function prepareMatchers({
  matcher_rule: section,
  matcher_levels: above,
}: Pick<EffectiveSite, 'matcher_rule' | 'matcher_levels'>): PreparedMatchers | undefined {
  const prepared: PreparedMatchers = [];
  for (const { level, rules } of above ?? []) {
    const identities = identitiesOf(rules);
    addRules(prepared, level, rules, identities, 'allow');
    addRules(prepared, level, rules, identities, 'other');
  }
  const rules = section?.rules ?? [];
  addRules(prepared, 'site', rules, identitiesOf(rules), 'all');
  return prepared.length === 0 ? undefined : prepared;
}

/** Above sites, whom a level lets in it does not refuse, whatever the order of its rules. */
function addRules(
  prepared: PreparedMatchers,
  level: MatcherLevel,
  rules: readonly MatcherRule[],
  identities: readonly number[],
  which: 'allow' | 'other' | 'all',
): void {
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!;
    const { condition } = rule;
    if (!rule.enabled || (which !== 'all' && (rule.action === 'allow') !== (which === 'allow'))) continue;
    prepared.push({
      rule,
      level,
      index,
      identity: identities[index]!,
      order: prepared.length,
      condition: condition && prepareAccessCondition(condition),
      until: rule.until === undefined ? undefined : parseIsoTime(rule.until),
      closes: closing[rule.action] === true,
      asksJa4: condition !== undefined && hasTest(condition, ({ field }) => field === 'ja4'),
      asksContent: condition !== undefined && hasTest(condition, ({ field }) => isContentField(field)),
      asksAnswer: condition !== undefined && hasTest(condition, ({ field }) => isAnswerField(field)),
      rate: rule.action === 'limit' ? rateOfLimit(rule.limit) : undefined,
    });
  }
}

/** What asks or refuses where nobody can say whether it is meant. */
const closing: Partial<Record<MatcherAction, boolean>> = { block: true, limit: true, challenge: true };

/**
 * Numbers by which rules are counted and their shares are drawn: of their actions and conditions, so that a rule that is moved,
 * renamed, switched or given another share keeps its own. Of several that say the same each has another.
 */
function identitiesOf(rules: readonly MatcherRule[]): number[] {
  const identities: number[] = [];
  const seen: Record<string, number> = {};
  for (const rule of rules) {
    const text = identityText(rule);
    const before = seen[text] ?? 0;
    seen[text] = before + 1;
    identities.push(hashOf(text, before + 1));
  }
  return identities;
}

/** What makes a rule the one that it is, wherever it stands. */
export const identityText = ({ action, condition }: Pick<MatcherRule, 'action' | 'condition'>): string =>
  condition === undefined ? action : `${action} ${printCondition(condition)}`;

/** Below 2^31 - 1. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) % 2_147_483_647;
  return hash;
}

const rateOfLimit = ({ requests, period_seconds: seconds, burst }: MatcherRule['limit']): Rate =>
  rateOf(requests, seconds, burst);

/** The rule that ends it, if any does; `fitted` is told of each that fits, in order. */
export function decideMatchers(
  matchers: PreparedMatchers,
  request: MatcherRequest,
  fitted: (this: void, fit: MatcherFit) => void,
): MatcherFit | undefined {
  for (const matcher of matchers) {
    if (!isItsTurn(matcher, request) || !fits(matcher, request)) continue;
    const { mode, action } = matcher.rule;
    // Below its rate there is nothing to say of one that limits.
    if (action === 'limit' && !request.isOver(matcher)) continue;
    const fit: MatcherFit = { matcher, action: mode === 'observe' ? 'observe' : action };
    fitted(fit);
    if (ends[fit.action] === true) return fit;
  }
  return undefined;
}

const isItsTurn = ({ asksAnswer, order }: PreparedMatcher, { answerBefore }: MatcherRequest): boolean =>
  answerBefore === undefined ? !asksAnswer : asksAnswer && order < answerBefore;

/** Up to which place rules are asked of the answer to a request of which that was decided. */
export function answerPlace(matchers: PreparedMatchers, last: MatcherFit | undefined): number {
  if (last === undefined) return matchers.length;
  return last.action === 'allow' ? last.matcher.order : 0;
}

/** Whether any rule asks for answers. */
export function hasAnswerMatchers(matchers: PreparedMatchers): boolean {
  for (const matcher of matchers) if (matcher.asksAnswer) return true;
  return false;
}

/** The rules before a place that some answer to the request may fit. */
export function possibleAnswerMatchers(
  matchers: PreparedMatchers,
  request: MatcherRequest,
  before: number,
): PreparedMatchers {
  const possible: PreparedMatchers = [];
  for (const matcher of matchers)
    if (matcher.asksAnswer && matcher.order < before && fits({ ...matcher, closes: true }, request))
      possible.push(matcher);
  return possible;
}

/** The rules for whose sake content may have to be read; nothing where there are none. */
export function contentMatchersOf(matchers: PreparedMatchers | undefined): PreparedMatchers | undefined {
  const asking: PreparedMatchers = [];
  for (const matcher of matchers ?? []) if (matcher.asksContent && !matcher.asksAnswer) asking.push(matcher);
  return asking.length === 0 ? undefined : asking;
}

/**
 * Whether what a request carries may decide one of those rules: its other tests leave that open. Asked of a request whose content
 * is not known, and before its tags are.
 */
export function isContentDecisive(asking: PreparedMatchers, request: MatcherRequest): boolean {
  const asked = untagged(request.asked);
  for (const matcher of asking) if (isOpen(matcher, request, asked)) return true;
  return false;
}

/** The rules of which that is so, or which the fingerprint of the TLS client may decide where nobody knows it. */
export function openMatchers(matchers: PreparedMatchers, request: MatcherRequest): PreparedMatchers {
  const asked = untagged(request.asked);
  const open: PreparedMatchers = [];
  for (const matcher of matchers)
    if (!matcher.asksAnswer && (matcher.asksContent || matcher.asksJa4) && isOpen(matcher, request, asked))
      open.push(matcher);
  return open;
}

const untagged = ({ facts, tryRegex }: Asked): Asked => ({
  facts: (field, name) => (field === 'tags' ? false : facts(field, name)),
  tryRegex,
  decidedBy: 0,
});

function isOpen(matcher: PreparedMatcher, request: MatcherRequest, asked: Asked): boolean {
  const { condition } = matcher;
  if (!isInForce(matcher, request) || condition === undefined) return false;
  if (condition.folded !== undefined) request.forms ??= pathForms(request.path);
  return isOpenIn(condition, request.forms ?? noForms, asked);
}

const ends: Partial<Record<ProtectionAction, boolean>> = {
  allow: true,
  block: true,
  ban: true,
  redirect: true,
  limit: true,
};

function isInForce({ rule, identity, until }: PreparedMatcher, request: MatcherRequest): boolean {
  if (until !== undefined && request.now >= until) return false;
  if (rule.share < 100 && partOf(request.visitor, identity) >= rule.share) return false;
  return !isElsewhere(rule, identity, request.node);
}

function fits(matcher: PreparedMatcher, request: MatcherRequest): boolean {
  const { condition, closes } = matcher;
  if (!isInForce(matcher, request)) return false;
  if (condition === undefined) return true;
  if (condition.folded !== undefined) request.forms ??= pathForms(request.path);
  return suitsReadings(condition, request.forms ?? noForms, request.asked, closes);
}

/** Whether a rule for some of the nodes is not for this one. Documents from before such rules say nothing of nodes. */
function isElsewhere({ nodes }: Partial<MatcherRule>, identity: number, node: string | undefined): boolean {
  if (nodes === undefined || nodes >= 100 || node === undefined) return false;
  return partOf(node, identity) >= nodes;
}

const noForms: PathForms = pathForms('/');

/** In which hundredth of all visitors, or nodes, one is, for the rule of an identity: 0 to 99. */
export function partOf(who: string, identity: number): number {
  const hash = hashOf(who, identity + 1);
  // Else neighbours would stand side by side.
  return ((hash * 48_271) % 2_147_483_647) % 100;
}

/** `3` of a site, `global 2` of a level. */
export function nameOfMatcher({ level, index }: Pick<PreparedMatcher, 'level' | 'index'>): string {
  return level === 'site' ? `${index + 1}` : `${level} ${index + 1}`;
}

/** The test of a condition that was looked at last. */
export function decidingLeaf(condition: PreparedCondition, index: number): PreparedLeaf | undefined {
  for (const { leaf, group } of condition.items) {
    const found = leaf === undefined ? decidingLeaf(group!, index) : leaf.index === index ? leaf : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
