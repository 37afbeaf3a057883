import type { ConditionGroup } from '@breakwater/contract/condition';
import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { MatcherRule } from '@breakwater/contract/site-config/matcher-rule';
import type { MatchRegex } from '../cache/rule.ts';
import { isAnswerField } from '../conditions/answer-facts.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import { splitTarget } from '../http/path.ts';
import {
  banAgainst,
  banNameOf,
  banNames,
  lastEnd,
  withBan,
  withoutBan,
  type BanEntry,
} from '../protect/bans.ts';
import type { Digests } from '../origin/sigv4.ts';
import {
  answerPlace,
  contentMatchersOf,
  decideMatchers,
  hasAnswerMatchers,
  isContentDecisive,
  nameOfMatcher,
  partOf,
  possibleAnswerMatchers,
  prepareMatchers,
  type MatcherFit,
  type MatcherRequest,
  type PreparedMatchers,
} from '../protect/matchers.ts';
import { partOfRequest, withEntry, withPart, withTag } from '../protect/note.ts';
import { complete, plainRequest } from './condition.ts';
import { runGuardVector } from './guard.ts';
import { runSubmittedVector } from './submitted.ts';
import { runVerifyVector } from './verify.ts';

/** The vectors of protection. */
export function runProtectVector(
  decision: string,
  input: Record<string, unknown>,
  tryRegex: MatchRegex,
  digests: Digests,
): unknown {
  if (decision === 'matcher') return matcher(input as never, tryRegex);
  if (decision === 'protection-note') return note(input as never);
  if (decision === 'ban') return bans(input as never);
  if (decision === 'submitted') return runSubmittedVector(input as never);
  if (decision === 'visitor-part') return { part: partOf(input.visitor as string, input.index as number) };
  return runGuardVector(decision, input, tryRegex) ?? runVerifyVector(decision, input, digests);
}

interface MatcherCase {
  rules: Partial<MatcherRule>[];
  levels?: { level: 'global' | 'product' | 'client'; rules: Partial<MatcherRule>[] }[];
  request?: Partial<DescribedRequest>;
  visitor?: string;
  node?: string;
  /** Rules, by number, of which it is one too many. */
  over?: number[];
}

/**
 * Every rule that fits and what it does, in order; where rules ask for content, whether it has to be read, and where they ask for
 * answers, which may fit one, and what they do with this one.
 */
function matcher(input: MatcherCase, tryRegex: MatchRegex): unknown {
  const levels: NonNullable<EffectiveSite['matcher_levels']> = [];
  for (const { level, rules } of input.levels ?? []) levels.push({ level, rules: completed(rules) });
  const prepared = prepareMatchers({
    matcher_rule: { rules: completed(input.rules) },
    matcher_levels: levels,
  });
  if (prepared === undefined) return { fitted: 'none' };
  const tags: string[] = [];
  const request = { ...plainRequest, ...input.request, tags };
  const fitted: string[] = [];
  const asking = contentMatchersOf(prepared);
  const before: DescribedRequest = { ...request, content: 'unread' };
  const reads = asking !== undefined && isContentDecisive(asking, matcherRequest(input, before, tryRegex));
  const asked = matcherRequest(input, request, tryRegex);
  const noteIn = (list: string[]) => (fit: MatcherFit) => {
    list.push(`${nameOfMatcher(fit.matcher)}=${fit.action}`);
    if (fit.action === 'tag') tags.push(fit.matcher.rule.tag.name);
  };
  const last = decideMatchers(prepared, asked, noteIn(fitted));
  return {
    fitted: fitted.join(' '),
    ended: last === undefined ? 'no' : nameOfMatcher(last.matcher),
    ...(asking === undefined ? {} : { reads }),
    ...(hasAnswerMatchers(prepared) ? ofAnswer(prepared, asked, answerPlace(prepared, last), noteIn) : {}),
  };
}

function ofAnswer(
  prepared: PreparedMatchers,
  request: MatcherRequest,
  before: number,
  noteIn: (list: string[]) => (fit: MatcherFit) => void,
): Record<string, string> {
  const unanswered: MatcherRequest = {
    ...request,
    asked: {
      ...request.asked,
      facts: (field, name) => (isAnswerField(field) ? false : request.asked.facts(field, name)),
    },
  };
  const possible: string[] = [];
  for (const each of possibleAnswerMatchers(prepared, unanswered, before)) possible.push(nameOfMatcher(each));
  const fitted: string[] = [];
  const last = decideMatchers(prepared, { ...request, answerBefore: before }, noteIn(fitted));
  return {
    possible: possible.join(' '),
    answered: fitted.join(' '),
    withheld: last === undefined ? 'no' : nameOfMatcher(last.matcher),
  };
}

function matcherRequest(input: MatcherCase, request: DescribedRequest, tryRegex: MatchRegex): MatcherRequest {
  return {
    path: splitTarget(request.target).path,
    asked: { facts: factsOf(request), tryRegex, decidedBy: 0 },
    now: request.time,
    visitor: input.visitor ?? request.ip,
    ...(input.node === undefined ? {} : { node: input.node }),
    isOver: ({ index }) => {
      for (const number of input.over ?? []) if (number === index + 1) return true;
      return false;
    },
  };
}

function completed(rules: readonly Partial<MatcherRule>[]): MatcherRule[] {
  const whole: MatcherRule[] = [];
  for (const rule of rules) whole.push({ ...plainRule, ...rule, ...conditionOf(rule) });
  return whole;
}

const plainRule: MatcherRule = {
  note: '',
  action: 'block',
  allow: { scope: 'all' },
  block: { kind: 'page', status: 403, body: '' },
  ban: { seconds: 3600, scope: 'site', place: 'edge' },
  challenge: { kind: 'javascript' },
  redirect: { url: '', status: 302 },
  limit: { requests: 60, period_seconds: 60, burst: 20, key: 'address' },
  delay: { milliseconds: 1000 },
  tag: { name: '' },
  list: { seconds: 86_400 },
  notify: { minutes: 60 },
  mode: 'enforce',
  share: 100,
  nodes: 100,
  enabled: true,
};

/** In vectors what is as by default is left out. */
const conditionOf = ({ condition }: Partial<MatcherRule>) =>
  condition === undefined ? {} : { condition: complete(condition as never) as ConditionGroup };

interface NoteCase {
  entries?: [section: string, rule: string, action: string][];
  parts?: [place: string, name: string, value: string][];
  tags?: string[];
}

function note({ entries = [], parts = [], tags = [] }: NoteCase): unknown {
  let [entry, part, tag] = ['', '', ''];
  for (const [section, rule, action] of entries) entry = withEntry(entry, section, rule, action);
  for (const [place, name, value] of parts) part = withPart(part, partOfRequest(place, name, value));
  for (const each of tags) tag = withTag(tag, each);
  return { entries: entry, parts: part, tags: tag };
}

interface BanCase {
  address?: string;
  /** Put one after another, at the times that they name; a negative id is taken out again. */
  entries?: (BanEntry & { at?: number })[];
  site?: number;
  client?: number;
  now?: number;
}

/** What an address is looked up under, what is kept of entries, and which of them counts for a site. */
function bans({ address, entries = [], site = 0, client = 0, now = 0 }: BanCase): unknown {
  let text = '';
  for (const { at = 0, ...entry } of entries) {
    if (entry.id >= 0) text = withBan(text, entry, at);
    else text = withoutBan(text, -entry.id, entry.segment, at);
  }
  const against = banAgainst(text, site, client, now);
  return {
    names: address === undefined ? '' : banNames(address).join(' '),
    banned: (address === undefined ? undefined : banNameOf(address)) ?? '',
    text,
    end: lastEnd(text),
    against: against === undefined ? 'none' : `${against.scope} ${against.id}`,
  };
}
