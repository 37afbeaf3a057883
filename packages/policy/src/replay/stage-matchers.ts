import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { prepareAccessCondition } from '../access/condition.ts';
import { parseAddress, visitorKey } from '../address/ip.ts';
import { factsOf } from '../conditions/request-facts.ts';
import { splitTarget } from '../http/path.ts';
import {
  decideMatchers,
  nameOfMatcher,
  prepareMatchers,
  type MatcherFit,
  type MatcherRequest,
  type PreparedMatcher,
} from '../protect/matchers.ts';
import {
  bounded,
  lookupsOfLine,
  noReads,
  readCondition,
  requestOfLine,
  type LogContents,
  type Reads,
  type ReplayLine,
} from './logged.ts';
import {
  passed,
  untold,
  type PrepareStage,
  type ReplayStage,
  type ReplayTools,
  type StageResult,
} from './stage.ts';

/** Rules on requests, in stretches: those that a line decides together, and each of the others by itself. */

interface Stretch {
  most: PreparedMatcher[];
  /** Absent: lines decide them. */
  least: PreparedMatcher[] | undefined;
  unlogged: string;
  /** They are asked of the answer, after all that are asked of the request. */
  ofAnswer: boolean;
}

export const matcherStage: PrepareStage = (document, log, now) => stageOf(document, log, now, true);

/** Before another section: answers are there only after that. */
export const requestMatcherStage: PrepareStage = (document, log, now) => stageOf(document, log, now, false);

function stageOf(
  document: EffectiveSite,
  log: LogContents,
  now: number,
  asksAnswers: boolean,
): ReplayStage | undefined {
  const matchers = prepareMatchers(document);
  if (matchers === undefined) return undefined;
  const reads = noReads();
  const stretches: Stretch[] = [];
  const ofAnswers: Stretch[] = [];
  let counts = false;
  for (const matcher of matchers) {
    if (matcher.until !== undefined && now >= matcher.until) continue;
    if (matcher.asksAnswer && !asksAnswers) continue;
    const { unlogged } = readMatcher(reads, matcher, log);
    if (matcher.rate !== undefined) counts = true;
    addTo(matcher.asksAnswer ? ofAnswers : stretches, matcher, unlogged, log);
  }
  for (const stretch of ofAnswers) stretches.push(stretch);
  if (counts) {
    reads.columns.remote_addr = true;
    reads.columns.node_id = true;
  }
  if (stretches.length === 0) return undefined;
  return {
    reads,
    counts,
    decide: (line, tools) => decide(stretches, reads.tags, matcherRequest(line, tools)),
  };
}

function readMatcher(reads: Reads, { rule }: PreparedMatcher, log: LogContents): Reads {
  const own = noReads();
  if (rule.condition !== undefined) readCondition(own, rule.condition, log);
  if (rule.share < 100) own.columns.remote_addr = true;
  for (const column in own.columns) reads.columns[column as keyof Reads['columns']] = true;
  if (own.robots) reads.robots = true;
  if (own.tags) reads.tags = true;
  return own;
}

function addTo(
  stretches: Stretch[],
  matcher: PreparedMatcher,
  unlogged: string | undefined,
  log: LogContents,
): void {
  // Lines are of the past, and what is tried is of now.
  const lasting: PreparedMatcher = { ...matcher, until: undefined };
  if (unlogged !== undefined) {
    const { condition } = matcher.rule;
    const towards = (holds: boolean): PreparedMatcher[] => [
      { ...lasting, condition: prepareAccessCondition(bounded(condition!, log, holds)) },
    ];
    stretches.push({ most: towards(true), least: towards(false), unlogged, ofAnswer: matcher.asksAnswer });
    return;
  }
  const last = stretches[stretches.length - 1];
  if (last !== undefined && last.least === undefined) last.most.push(lasting);
  else stretches.push({ most: [lasting], least: undefined, unlogged: '', ofAnswer: matcher.asksAnswer });
}

interface Asking {
  request: MatcherRequest;
  tags: string[];
  limits: PreparedMatcher[];
}

function matcherRequest(line: ReplayLine, { tryRegex, lookups }: ReplayTools): Asking {
  const described = requestOfLine(line);
  const tags: string[] = [];
  described.tags = tags;
  const address = parseAddress(described.ip);
  const limits: PreparedMatcher[] = [];
  const { path } = splitTarget(line.target);
  return {
    tags,
    limits,
    request: {
      path,
      asked: { facts: factsOf(described, lookupsOfLine(line, lookups)), tryRegex, decidedBy: 0 },
      now: 0,
      visitor: address === undefined ? described.ip : visitorKey(address),
      // What it counts to is seen when all requests are counted, in their order.
      isOver: (matcher) => {
        limits.push(matcher);
        return false;
      },
    },
  };
}

function decide(stretches: Stretch[], asksTags: boolean, { request, tags, limits }: Asking): StageResult {
  let observed: MatcherFit | undefined;
  /** What it may end with, by a rule of which nobody can tell whether it fits. */
  let open: StageResult | undefined;
  /** A rule that lets it past those that follow: those before it may still ask for the answer. */
  let allowed: MatcherFit | undefined;
  for (const { most, least, unlogged, ofAnswer } of stretches) {
    if (!ofAnswer && allowed !== undefined) continue;
    if (ofAnswer) request.answerBefore ??= answerPlaceOf(allowed);
    const fits: MatcherFit[] = [];
    const counted = limits.length;
    const last = decideMatchers(most, request, (fit) => {
      fits.push(fit);
      if (fit.action === 'tag') tags.push(fit.matcher.rule.tag.name);
    });
    const isSure =
      least === undefined || fitsToo(least, request, limits, fits.length + limits.length - counted);
    if (isSure) {
      for (const fit of fits) if (fit.action === 'observe') observed ??= fit;
      if (last !== undefined && last.action === 'allow') allowed = last;
      else if (last !== undefined) return withLimits(joined(open, endOf(last)), limits);
      continue;
    }
    if (limits.length > counted) return untold(unlogged);
    for (const { action } of fits) if (action === 'tag' && asksTags) return untold(unlogged);
    if (last === undefined) continue;
    const end = endOf(last);
    if (open !== undefined && open.outcome !== end.outcome) return untold(unlogged);
    end.unknown = unlogged;
    open = end;
  }
  return withLimits(joined(open, restOf(allowed, observed)), limits);
}

const answerPlaceOf = (allowed: MatcherFit | undefined): number => allowed?.matcher.order ?? Infinity;

function restOf(allowed: MatcherFit | undefined, observed: MatcherFit | undefined): StageResult {
  if (allowed !== undefined) return endOf(allowed);
  return observed === undefined
    ? passed()
    : passed('observe', `matcher_rule ${nameOfMatcher(observed.matcher)}`);
}

/** Whether a rule that may fit surely does. What it counted with that is counted once. */
function fitsToo(
  least: PreparedMatcher[],
  request: MatcherRequest,
  limits: PreparedMatcher[],
  may: number,
): boolean {
  if (may === 0) return true;
  const counted = limits.length;
  let fits = 0;
  decideMatchers(least, request, () => (fits += 1));
  const sure = fits + limits.length - counted;
  while (limits.length > counted) limits.pop();
  return sure > 0;
}

function joined(open: StageResult | undefined, result: StageResult): StageResult {
  return open === undefined || open.outcome === result.outcome ? result : untold(open.unknown);
}

function withLimits(result: StageResult, limits: PreparedMatcher[]): StageResult {
  result.limits = limits;
  return result;
}

function endOf({ matcher, action }: MatcherFit): StageResult {
  const name = `matcher_rule ${nameOfMatcher(matcher)}`;
  if (action === 'allow') {
    const result = passed('allow', name);
    result.passesAll = matcher.rule.allow.scope === 'all';
    result.isWelcome = true;
    return result;
  }
  return passed(action === 'redirect' ? 'redirect' : 'block', name);
}
