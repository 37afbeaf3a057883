import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { LineColumn, ReplayOutcome, ReplaySection } from '@breakwater/contract/rule-replay';
import { judgeTarget } from '../http/request-path.ts';
import { isAcmeChallenge } from '../http/tls.ts';
import { noReads, type LogContents, type Reads, type ReplayLine } from './logged.ts';
import { passed, type PrepareStage, type ReplayStage, type ReplayTools, type StageResult } from './stage.ts';
import { accessStage, refererStage } from './stage-access.ts';
import { httpsStage } from './stage-https.ts';
import { matcherStage, requestMatcherStage } from './stage-matchers.ts';
import { systemStage, verifyStage } from './stage-protect.ts';

/**
 * A section of a site run over logged requests: by the functions that decide in traffic, fed with what a line tells. What
 * comes before the section is asked first; what comes after it is not.
 */

interface Place {
  section: ReplaySection | 'force_https';
  prepare: PrepareStage;
  /** Of what is asked before another section, where that is less. */
  prepareBefore?: PrepareStage;
}

/** In the order of requests. */
const places: Place[] = [
  { section: 'access_control', prepare: accessStage },
  { section: 'block_referer', prepare: refererStage },
  { section: 'force_https', prepare: httpsStage },
  { section: 'matcher_rule', prepare: matcherStage, prepareBefore: requestMatcherStage },
  { section: 'browser_verify_rule', prepare: verifyStage },
  { section: 'used_system_rule', prepare: systemStage },
];

export interface ReplayPlan {
  /** The same for both. */
  before: ReplayStage[];
  today: ReplayStage | undefined;
  draft: ReplayStage | undefined;
  reads: Reads;
  counts: boolean;
}

/** What has to be asked to compare a draft of one section with what is in force. */
export function planReplay(
  section: ReplaySection,
  today: EffectiveSite,
  draft: EffectiveSite,
  log: LogContents,
  now: number,
): ReplayPlan {
  const plan: ReplayPlan = {
    before: [],
    today: undefined,
    draft: undefined,
    reads: noReads(),
    counts: false,
  };
  for (const place of places) {
    if (place.section === section) {
      plan.today = place.prepare(today, log, now);
      plan.draft = place.prepare(draft, log, now);
      break;
    }
    const stage = (place.prepareBefore ?? place.prepare)(today, log, now);
    if (stage !== undefined) plan.before.push(stage);
  }
  for (const stage of plan.before) addReads(plan.reads, stage.reads);
  for (const stage of [plan.today, plan.draft])
    if (stage !== undefined) {
      addReads(plan.reads, stage.reads);
      if (stage.counts) plan.counts = true;
    }
  return plan;
}

function addReads(all: Reads, reads: Reads): void {
  for (const column in reads.columns) all.columns[column as LineColumn] = true;
  if (reads.robots) all.robots = true;
}

export interface ReplayPair {
  today: StageResult;
  draft: StageResult;
  isWelcome: boolean;
}

const stops: Partial<Record<ReplayOutcome, boolean>> = {
  challenge: true,
  redirect: true,
  limit: true,
  block: true,
};
export const isStopped = (outcome: ReplayOutcome): boolean => stops[outcome] === true;

export function decideReplay(plan: ReplayPlan, line: ReplayLine, tools: ReplayTools): ReplayPair {
  if (line.refused_by !== '') return same(passed('other', line.refused_by), false);
  if (line.own_target !== '')
    if (isAcmeChallenge(line.own_target) || judgeTarget(line.own_target) === 'own')
      return same(passed(), false);
  let isWelcome = false;
  for (const stage of plan.before) {
    const result = stage.decide(line, tools);
    if (result.outcome === 'unknown') return same(result, false);
    // What is counted before the section is not counted anew: the log does not show what else was.
    if (isStopped(result.outcome)) return same(passed('other', result.rule), false);
    if (result.passesAll) return same(passed('allow', result.rule), true);
    if (result.isWelcome) isWelcome = true;
  }
  const today = plan.today === undefined ? passed() : plan.today.decide(line, tools);
  const draft = plan.draft === undefined ? passed() : plan.draft.decide(line, tools);
  return { today, draft, isWelcome: isWelcome || today.isWelcome };
}

const same = (result: StageResult, isWelcome: boolean): ReplayPair => ({
  today: result,
  draft: result,
  isWelcome,
});
