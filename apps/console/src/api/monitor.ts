import { intervalsSeconds, type MonitorMetric, type MonitorSide } from '@breakwater/contract';
import type { Data } from './client.ts';
import { useApi } from './query.ts';
import { stepFor, type TimeRange } from './time-step.ts';

/** Sums by the second are gone after hours, and a chart may be of any time. */
const minuteSteps = intervalsSeconds.filter((step) => step >= 60);

/** Which part of the traffic figures are about. */
export interface MonitorScope {
  site_id?: number | undefined;
  node_id?: number | undefined;
  client_id?: number | undefined;
}
type Points = Data<'monitorMetric'>['points'];

/** One figure over time; undefined until the first answer, then the last one while the next is on its way. */
export function useMonitorMetric(
  side: MonitorSide,
  metric: MonitorMetric,
  range: TimeRange,
  scope: MonitorScope,
): Points | undefined {
  const interval = stepFor(range, minuteSteps);
  const query = { ...range, ...withoutGaps(scope), interval };
  return useApi('monitorMetric', { params: { side, metric }, query }, { keepPrevious: true }).data?.points;
}

export function useMonitorSummary(side: MonitorSide, range: TimeRange, scope: MonitorScope) {
  return useApi(
    'monitorSummary',
    { params: { side }, query: { ...range, ...withoutGaps(scope) } },
    { keepPrevious: true },
  );
}

function withoutGaps(scope: MonitorScope): Record<string, number> {
  return Object.fromEntries(
    Object.entries(scope).filter((pair): pair is [string, number] => pair[1] !== undefined),
  );
}
