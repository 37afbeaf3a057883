import { refusingSections } from '@breakwater/contract/access-log';
import {
  attackKinds,
  campaignQuietSeconds,
  campaignRequestsMin,
  type AttackKind,
} from '@breakwater/contract/attack';
import { intervalsSeconds } from '@breakwater/contract/intervals';
import { systemRuleDetectors, systemRuleGroupOf } from '@breakwater/contract/site-config/used-system-rule';
import { minuteMs, rangeOf, type Range } from './figure-plan.ts';
import type { CampaignFilter, MonitorFilter } from './log-store.ts';
import { seriesPlan, type SeriesFilter } from './monitor-plan.ts';

/** What the figures of attacks are made of, whichever store the records stand in. */

/** How a kind stands in a record: the first word of its decision, detectors, or content that was not read. */
export type KindMatch =
  | { kind: AttackKind; section: string }
  | { kind: AttackKind; detectors: readonly string[] }
  | { kind: AttackKind; unread: true };

const inspection = 'used_system_rule';
const sections: readonly string[] = refusingSections;

export const kindMatches: readonly KindMatch[] = attackKinds.map((kind): KindMatch => {
  if (sections.includes(kind)) return { kind, section: kind };
  const group = kind.slice(inspection.length + 1);
  if (group === 'unread') return { kind, unread: true };
  return { kind, detectors: systemRuleDetectors.filter((each) => systemRuleGroupOf[each] === group) };
});
/** Sections whose rules may observe what fits. */
export const observing: readonly string[] = ['matcher_rule', 'browser_verify_rule'];
export const allDetectors: readonly string[] = systemRuleDetectors;

/** How a chart of attacks is cut. It is made of records, which know places by the minute too. */
export const attackPlan = (filter: SeriesFilter) =>
  seriesPlan('attacks', { ...filter, country: undefined, province: undefined, carrier: undefined });

const campaignStepsMax = 288;
const finestStepMs = 5 * minuteMs;

/** The steps in which it is seen whether a source was there. */
export function campaignPlan(filter: MonitorFilter): { range: Range; stepMs: number } {
  const range = rangeOf(filter, minuteMs);
  const needed = (range.end - range.start) / campaignStepsMax;
  const offered = intervalsSeconds.map((seconds) => seconds * 1000);
  const stepMs = offered.find((step) => step >= Math.max(needed, finestStepMs));
  return { range, stepMs: stepMs ?? Math.ceil(needed / minuteMs) * minuteMs };
}

/** How many requests a source made in a step. */
export interface SourceStep {
  source: string;
  step: number;
  requests: number;
}

/** One stretch of a source; times are of whole steps, the end excluded. */
export interface Stretch extends Range {
  source: string;
  requests: number;
}

/** The stretches of the sources, those with the most requests first. */
export function stretchesOf(
  rows: readonly SourceStep[],
  { range, stepMs }: ReturnType<typeof campaignPlan>,
  top: CampaignFilter['top'],
): Stretch[] {
  const quietSteps = Math.ceil((campaignQuietSeconds * 1000) / stepMs);
  const found: Stretch[] = [];
  for (const [source, steps] of Map.groupBy(rows, (row) => row.source)) {
    let last: { stretch: Stretch; step: number } | undefined;
    for (const { step, requests } of steps.toSorted((a, b) => a.step - b.step)) {
      const start = range.start + step * stepMs;
      const end = Math.min(start + stepMs, range.end);
      if (last === undefined || step - last.step > quietSteps) {
        last = { stretch: { source, start, end, requests: 0 }, step };
        found.push(last.stretch);
      }
      last.stretch.requests += requests;
      last.stretch.end = end;
      last.step = step;
    }
  }
  return found
    .filter(({ requests }) => requests >= campaignRequestsMin)
    .toSorted((a, b) => b.requests - a.requests || a.start - b.start || (a.source < b.source ? -1 : 1))
    .slice(0, top);
}
