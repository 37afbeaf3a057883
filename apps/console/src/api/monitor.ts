import {
  intervalsSeconds,
  type AttackOutcome,
  type CampaignKey,
  pointsMax,
  type MonitorPoint,
  type MonitorSeries,
  type MonitorSide,
  type RankingType,
  type UsageKind,
} from '@breakwater/contract';
import type { ApiError, Data } from './client.ts';
import { useApi } from './query.ts';
import { useMemo } from 'react';
import { completeSteps, stepFor, stepsWithin, type TimeRange } from './time-step.ts';

/** Sums by the second are gone after hours, and a chart may be of any time. */
const minuteSteps = intervalsSeconds.filter((step) => step >= 60);
/** Addresses of visitors are kept by the hour. */
const hourSteps = intervalsSeconds.filter((step) => step >= 3600);

/** Which part of the traffic figures are about. */
export interface MonitorScope {
  site_id?: number | undefined;
  node_id?: number | undefined;
  client_id?: number | undefined;
  order_id?: number | undefined;
  line_group_id?: number | undefined;
  /** By comma. */
  hosts?: string | undefined;
  country?: string | undefined;
  province?: string | undefined;
  carrier?: string | undefined;
}

/** Figures by place are kept by the hour. */
const isPlaced = ({ country, province, carrier }: MonitorScope): boolean =>
  [country, province, carrier].some((place) => place !== undefined && place !== '');

export type Step = (typeof intervalsSeconds)[number];

/** The step (seconds) that charts are drawn in unless another is asked for. */
export const ownStep = (range: TimeRange, scope: MonitorScope): Step =>
  stepFor(range, isPlaced(scope) ? hourSteps : minuteSteps);
/** The steps that may be asked for. */
export const stepsOf = (range: TimeRange, scope: MonitorScope, now: number): Step[] =>
  stepsWithin(range, isPlaced(scope) ? hourSteps : intervalsSeconds, pointsMax, now);

interface MonitorQuestion {
  range: TimeRange;
  scope: MonitorScope;
  /** The step of charts, where it is kept so finely; else one that suits the range. */
  step?: Step | undefined;
  series?: readonly MonitorSeries[];
  summaries?: readonly MonitorSide[];
  /** Another moment asks anew, also where the range is the same one still (`roundedNow`). */
  askedAt?: number;
}

/** What is known of the figures that were asked for. */
export interface Figures {
  /** Undefined until the first answer, then the last one while the next is on its way; null where there are none. */
  points: (name: MonitorSeries) => MonitorPoint[] | null | undefined;
  summary: (side: MonitorSide) => Summary | undefined;
  error: ApiError | null;
}
export type Summary = Data<'readMonitor'>['summaries'][MonitorSide] & object;

/** A range moves on with the clock, each minute as another question. */
const moving = { keepPrevious: true, passing: true } as const;

/** All figures that a screen shows of a range, in one read. */
export function useFigures({ range, scope, step, ...asked }: MonitorQuestion): Figures {
  const { series = [], summaries = [], askedAt } = asked;
  const hourly = isPlaced(scope);
  const wanted = step !== undefined && (!hourly || step >= 3600) ? step : undefined;
  const interval = wanted ?? stepFor(range, hourly ? hourSteps : minuteSteps);
  const query = {
    ...range,
    ...withoutGaps(scope),
    interval,
    ...withoutGaps({ series: series.join(','), summaries: summaries.join(',') }),
  };
  const { data, error, dataUpdatedAt } = useApi('readMonitor', { query }, { ...moving, askedAt });
  return useMemo(() => {
    const found = new Map(
      data?.series.map(({ name, interval: seconds, points }) => [
        name,
        points && completeSteps(points, seconds, dataUpdatedAt),
      ]),
    );
    return {
      // Why there is nothing stands above the charts, said once for all of them.
      points: (name) => (data ? (found.get(name) ?? null) : error ? null : undefined),
      summary: (side) => data?.summaries[side],
      error,
    };
  }, [data, error, dataUpdatedAt]);
}

/** The calls that rank, each by what it ranks. */
export type RankingName =
  | 'rankUrls'
  | 'rankHosts'
  | 'rankReferers'
  | 'rankAddresses'
  | 'rankUserAgents'
  | 'rankTlsClients'
  | 'rankStatuses'
  | 'rankMethods'
  | 'rankCacheStates'
  | 'rankRefusals'
  | 'rankRefusalKinds'
  | 'rankSites'
  | 'rankNodes'
  | 'rankCountries'
  | 'rankProvinces'
  | 'rankCarriers'
  | 'rankNetworks';

export function useRanking(
  name: RankingName,
  side: MonitorSide,
  range: TimeRange,
  scope: MonitorScope,
  { by, refused, askedAt }: { by: RankingType; refused?: 'yes' | undefined; askedAt?: number | undefined },
) {
  const query = { ...range, ...withoutGaps(scope), top_type: by, ...(refused ? { refused } : {}) };
  return useApi(name, { params: { side }, query }, { ...moving, askedAt });
}

interface AttackQuestion {
  range: TimeRange;
  scope: MonitorScope;
  outcome: AttackOutcome;
  askedAt?: number | undefined;
}

/** Attack requests over time by kind. */
export function useAttackTrend({ range, scope, outcome, askedAt }: AttackQuestion) {
  const query = { ...range, ...withoutGaps(scope), outcome, interval: ownStep(range, scope) } as const;
  return useApi('readAttackTrend', { query: query as AttackTrendQuery }, { ...moving, askedAt });
}
/** Its steps are those from a minute on, as `ownStep` chooses them. */
type AttackTrendQuery = NonNullable<Parameters<typeof useApi<'readAttackTrend'>>[1]>['query'];

export function useAttackCampaigns({
  range,
  scope,
  outcome,
  askedAt,
  by,
}: AttackQuestion & { by: CampaignKey }) {
  const query = { ...range, ...withoutGaps(scope), outcome, by };
  return useApi('readAttackCampaigns', { query }, { ...moving, askedAt });
}

export function useUsage(
  kind: UsageKind,
  range: TimeRange,
  query: { client_id?: number | undefined; current_page: number; page_size: number },
  askedAt?: number,
) {
  const all = { ...range, ...withoutGaps(query) };
  return useApi('listUsage', { params: { kind }, query: all }, { ...moving, askedAt });
}

function withoutGaps(values: object): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '',
    ),
  );
}
