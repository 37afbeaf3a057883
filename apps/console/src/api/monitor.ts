import {
  intervalsSeconds,
  pointsMax,
  type MonitorMetric,
  type MonitorSide,
  type RankingType,
  type UsageKind,
} from '@breakwater/contract';
import type { Data } from './client.ts';
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
type Points = Data<'monitorMetric'>['points'];

export type Step = (typeof intervalsSeconds)[number];

/** The step (seconds) that charts are drawn in unless another is asked for. */
export const ownStep = (range: TimeRange, scope: MonitorScope): Step =>
  stepFor(range, isPlaced(scope) ? hourSteps : minuteSteps);
/** The steps that may be asked for. */
export const stepsOf = (range: TimeRange, scope: MonitorScope, now: number): Step[] =>
  stepsWithin(range, isPlaced(scope) ? hourSteps : intervalsSeconds, pointsMax, now);

/** One figure over time, in `step` where it is kept so finely; undefined until the first answer, then the last one while the next is on its way. */
export function useMonitorMetric(
  side: MonitorSide,
  metric: MonitorMetric,
  range: TimeRange,
  scope: MonitorScope,
  step?: Step,
): Points | null | undefined {
  const hourly = metric === 'unique_remote_addr' || isPlaced(scope);
  const wanted = step !== undefined && (!hourly || step >= 3600) ? step : undefined;
  const interval = wanted ?? stepFor(range, hourly ? hourSteps : minuteSteps);
  const query = { ...range, ...withoutGaps(scope), interval };
  const { data, error, dataUpdatedAt } = useApi(
    'monitorMetric',
    { params: { side, metric }, query },
    { keepPrevious: true },
  );
  return useMemo(() => {
    if (data) return completeSteps(data.points, data.interval, dataUpdatedAt);
    // Why there is nothing stands above the charts, said once for all of them.
    return error ? null : undefined;
  }, [data, error, dataUpdatedAt]);
}

export function useMonitorSummary(side: MonitorSide, range: TimeRange, scope: MonitorScope) {
  return useApi(
    'monitorSummary',
    { params: { side }, query: { ...range, ...withoutGaps(scope) } },
    { keepPrevious: true },
  );
}

/** The calls that rank, each by what it ranks. */
export type RankingName =
  | 'rankUrls'
  | 'rankHosts'
  | 'rankReferers'
  | 'rankAddresses'
  | 'rankUserAgents'
  | 'rankStatuses'
  | 'rankMethods'
  | 'rankCacheStates'
  | 'rankRefusals'
  | 'rankRefusalKinds'
  | 'rankSites'
  | 'rankNodes'
  | 'rankCountries'
  | 'rankProvinces'
  | 'rankCarriers';

export function useRanking(
  name: RankingName,
  side: MonitorSide,
  range: TimeRange,
  scope: MonitorScope,
  top_type: RankingType,
  refused?: 'yes' | 'no',
) {
  const query = { ...range, ...withoutGaps(scope), top_type, ...(refused ? { refused } : {}) };
  return useApi(name, { params: { side }, query }, { keepPrevious: true });
}

export function useUsage(
  kind: UsageKind,
  range: TimeRange,
  query: { client_id?: number | undefined; current_page: number; page_size: number },
) {
  const all = { ...range, ...withoutGaps(query) };
  return useApi('listUsage', { params: { kind }, query: all }, { keepPrevious: true });
}

function withoutGaps(values: object): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '',
    ),
  );
}
