import { setImmediate } from 'node:timers/promises';
import { replayOutcomes, type ReplayOutcome } from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import type { AddressLookups } from '@breakwater/policy/conditions/address-fact';
import { namedRobot, type RobotOfAddress } from '@breakwater/policy/access/search-robots';
import { reserve } from '@breakwater/policy/access/rate';
import { parseAddress, visitorKey } from '@breakwater/policy/address/ip';
import { nameOfMatcher, type PreparedMatcher } from '@breakwater/policy/protect/matchers';
import { decideReplay, isStopped, type ReplayPair, type ReplayPlan } from '@breakwater/policy/replay/replay';
import type { PreparedKnown } from '@breakwater/policy/detect/known-rules';
import type { StageResult } from '@breakwater/policy/replay/stage';
import {
  freedBit,
  inOrder,
  newlyBit,
  stoppedBit,
  type ReplayCode,
  type ReplayGroup,
  type ReplayJudge,
} from '../../logs/replay-question.ts';

/** Decides groups of requests by today's configuration and by the draft, and sums up what came of them. */

const turnMs = 8;

/** Whether a line counts for a limit cannot be told: what is not in the log counts too. */
const rate = 'rate';

interface Judging {
  /** By site. */
  plans: ReadonlyMap<number, ReplayPlan>;
  lookups: Pick<AddressLookups, 'isListed'>;
  /** One in so many requests is in the log, by site. */
  sampleRates: ReadonlyMap<number, number>;
  robots: Robots;
  known: PreparedKnown;
  signal: AbortSignal;
}

export interface Robots {
  /** Asks DNS of those that are not known yet, as long as it may. */
  learn(addresses: Iterable<string>): Promise<void>;
  of(address: string): RobotOfAddress;
  isKnown(address: string): boolean;
}

export interface Sums {
  outcomes: Map<ReplayOutcome, { today: number; draft: number }>;
  changes: Map<string, { from: ReplayOutcome; to: ReplayOutcome; requests: number }>;
  rules: Map<string, { rule: string; outcome: ReplayOutcome; requests: number }>;
  unknown: Map<string, number>;
  stopped: number;
  newly: number;
  freed: number;
  allowed: number;
}

interface Counted {
  pair: ReplayPair;
  group: ReplayGroup;
  visitor: string;
}

export const resultsOf = (code: ReplayCode): { from: ReplayOutcome; to: ReplayOutcome } => ({
  from: replayOutcomes[(code >> 4) & 15]!,
  to: replayOutcomes[code & 15]!,
});

export class Judge implements ReplayJudge {
  readonly sums: Sums = {
    outcomes: new Map(replayOutcomes.map((outcome) => [outcome, { today: 0, draft: 0 }])),
    changes: new Map(),
    rules: new Map(),
    unknown: new Map(),
    stopped: 0,
    newly: 0,
    freed: 0,
    allowed: 0,
  };
  readonly #judging: Judging;
  readonly #counted = new Map<number, Counted>();
  readonly #counters = new Map<string, number>();
  #isSample = false;
  #turnEnds = 0;

  constructor(judging: Judging) {
    this.#judging = judging;
  }

  begin({ total, read }: { total: number; read: number }): void {
    this.#isSample = read < total;
  }

  async groups(groups: readonly ReplayGroup[]): Promise<ReplayCode[]> {
    await this.#learnRobots(groups);
    const codes: ReplayCode[] = [];
    for (const group of groups) {
      await this.#turn();
      codes.push(this.#group(group));
    }
    return codes;
  }

  async lines(lines: readonly { group: number; at: number }[]): Promise<ReplayCode[]> {
    const codes: ReplayCode[] = [];
    for (const { group, at } of lines) {
      await this.#turn();
      const counted = this.#counted.get(group)!;
      const { today, draft, isWelcome } = counted.pair;
      const pair = {
        today: this.#counting('today', today, counted, at),
        draft: this.#counting('draft', draft, counted, at),
        isWelcome,
      };
      codes.push(this.#add(pair, 1));
    }
    return codes;
  }

  /** Others have their turn, and whoever has gone ends it. */
  async #turn(): Promise<void> {
    if (performance.now() < this.#turnEnds) return;
    await setImmediate();
    this.#judging.signal.throwIfAborted();
    this.#turnEnds = performance.now() + turnMs;
  }

  async #learnRobots(groups: readonly ReplayGroup[]): Promise<void> {
    const { plans, robots } = this.#judging;
    const asked = new Set<string>();
    for (const { siteId, line } of groups)
      if (plans.get(siteId)?.reads.robots === true && namedRobot(line.user_agent) !== undefined)
        asked.add(line.remote_addr);
    if (asked.size > 0) await robots.learn(asked);
  }

  #group(group: ReplayGroup): ReplayCode {
    const { plans, lookups, robots, known } = this.#judging;
    const plan = plans.get(group.siteId);
    if (plan === undefined) return 0;
    let isRobotOpen = false;
    const robotOf = (address: string) => {
      if (!robots.isKnown(address)) isRobotOpen = true;
      return robots.of(address);
    };
    const pair = decideReplay(plan, group.line, {
      tryRegex: matchPattern,
      lookups: { ...lookups, placeOf: () => undefined, robotOf },
      known,
    });
    if (isRobotOpen) return this.#add(asUnknown(pair, 'verified_robot'), group.requests);
    if (pair.today.limits.length + pair.draft.limits.length === 0) return this.#add(pair, group.requests);
    if (this.#isUncountable(pair, group.siteId)) return this.#add(asUnknown(pair, rate), group.requests);
    const address = parseAddress(group.line.remote_addr);
    const visitor = address === undefined ? group.line.remote_addr : visitorKey(address);
    this.#counted.set(group.id, { pair, group, visitor });
    return inOrder;
  }

  #isUncountable({ today, draft }: ReplayPair, siteId: number): boolean {
    if ((this.#judging.sampleRates.get(siteId) ?? 1) > 1) return true;
    const ofAll = ({ rule }: PreparedMatcher) => rule.limit.key === 'all';
    return this.#isSample && [...today.limits, ...draft.limits].some(ofAll);
  }

  /** The rules that count come first, each with a counter of its own, as on a node. */
  #counting(side: string, result: StageResult, { group, visitor }: Counted, at: number): StageResult {
    let { outcome, rule } = result;
    for (const matcher of result.limits) {
      const name = nameOfMatcher(matcher);
      const who = matcher.rule.limit.key === 'address' ? visitor : '';
      const { interval, tolerance } = matcher.rate!;
      const key = `${side} ${group.siteId} ${group.nodeId} ${name} ${interval} ${tolerance} ${who}`;
      const { allowed, next } = reserve(matcher.rate!, this.#counters.get(key) ?? 0, at);
      this.#counters.set(key, next);
      if (allowed) continue;
      const named = `matcher_rule ${name}`;
      if (matcher.rule.mode === 'enforce') return { ...result, outcome: 'limit', rule: named };
      if (outcome === 'pass') [outcome, rule] = ['observe', named];
    }
    return { ...result, outcome, rule };
  }

  #add({ today, draft, isWelcome }: ReplayPair, requests: number): ReplayCode {
    const { sums } = this;
    sums.outcomes.get(today.outcome)!.today += requests;
    sums.outcomes.get(draft.outcome)!.draft += requests;
    if (today.outcome !== draft.outcome)
      addTo(sums.changes, `${today.outcome} ${draft.outcome}`, requests, () => ({
        from: today.outcome,
        to: draft.outcome,
        requests: 0,
      }));
    if (draft.rule !== '' && draft.outcome !== 'other')
      addTo(sums.rules, `${draft.rule} ${draft.outcome}`, requests, () => ({
        rule: draft.rule,
        outcome: draft.outcome,
        requests: 0,
      }));
    if (draft.outcome === 'unknown')
      sums.unknown.set(draft.unknown, (sums.unknown.get(draft.unknown) ?? 0) + requests);
    const [before, after] = [isStopped(today.outcome), isStopped(draft.outcome)];
    // What cannot be told of one of the two is no difference.
    const isKnown = today.outcome !== 'unknown' && draft.outcome !== 'unknown';
    const isNewly = after && !before && isKnown;
    const isFreed = before && !after && isKnown;
    if (after) sums.stopped += requests;
    if (isNewly) sums.newly += requests;
    if (isFreed) sums.freed += requests;
    if (isNewly && isWelcome) sums.allowed += requests;
    if (today.outcome === draft.outcome && !after && draft.outcome !== 'observe') return 0;
    const bits = (after ? stoppedBit : 0) + (isNewly ? newlyBit : 0) + (isFreed ? freedBit : 0);
    return bits + replayOutcomes.indexOf(today.outcome) * 16 + replayOutcomes.indexOf(draft.outcome);
  }
}

const asUnknown = ({ today, draft, isWelcome }: ReplayPair, part: string): ReplayPair => {
  const unknown = (result: StageResult): StageResult => ({ ...result, outcome: 'unknown', unknown: part });
  return { today: unknown(today), draft: unknown(draft), isWelcome };
};

function addTo<Sum extends { requests: number }>(
  sums: Map<string, Sum>,
  key: string,
  requests: number,
  make: () => Sum,
): void {
  const sum = sums.get(key) ?? make();
  sum.requests += requests;
  sums.set(key, sum);
}
