import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { ReplayOutcome } from '@breakwater/contract/rule-replay';
import type { AddressLookups } from '../conditions/address-fact.ts';
import type { TryRegex } from '../conditions/condition.ts';
import type { PreparedKnown } from '../detect/known-rules.ts';
import type { PreparedMatcher } from '../protect/matchers.ts';
import type { LogContents, Reads, ReplayLine } from './logged.ts';

/** What a stage says of a request. `limits`: rules that count it, asked in their order before the rest holds. */
export interface StageResult {
  outcome: ReplayOutcome;
  rule: string;
  /** The part of the request that no line holds and it depends on. */
  unknown: string;
  limits: PreparedMatcher[];
  /** Past all of protection that follows. */
  passesAll: boolean;
  /** A rule of access lets this visitor in by name. */
  isWelcome: boolean;
}

export const passed = (outcome: ReplayOutcome = 'pass', rule = ''): StageResult => ({
  outcome,
  rule,
  unknown: '',
  limits: [],
  passesAll: false,
  isWelcome: false,
});

export const untold = (part: string): StageResult => ({ ...passed('unknown'), unknown: part });

export interface ReplayTools {
  tryRegex: TryRegex;
  lookups: AddressLookups;
  known?: PreparedKnown | undefined;
}

export interface ReplayStage {
  reads: Reads;
  /** Has rules that count. */
  counts: boolean;
  decide: (this: void, line: ReplayLine, tools: ReplayTools) => StageResult;
}

/** Makes a stage of a site's document; nothing where the site has none of it. `now`: rules whose time is over are left out. */
export type PrepareStage = (
  this: void,
  document: EffectiveSite,
  log: LogContents,
  now: number,
) => ReplayStage | undefined;
