import { useMonitorMetric, useMonitorSummary, type MonitorScope, type Step } from '../../api/monitor.ts';
import type { Data } from '../../api/client.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/format-change.ts';
import { weeksBefore } from '../../kit/time-range.ts';
import { monitorText } from './monitor.text.ts';

type Summary = Data<'monitorSummary'>;

/** Says of a figure how it stands against the same part of the week before; nothing where that is not known. */
export function useAgainstWeekBefore(range: TimeRange, scope: MonitorScope, summary: Summary | undefined) {
  const t = useText(monitorText);
  const { weeks, range: earlier } = weeksBefore(range);
  const before = useMonitorSummary('cdn', earlier, scope).data;
  return (figure: 'requests' | 'flux' | 'bandwidth_peak' | 'status_5xx' | 'attacks'): string | undefined => {
    if (!summary || !before) return undefined;
    const change = formatChange(summary[figure], before[figure]);
    return change === undefined ? t.noBefore(weeks) : t.against(change, weeks);
  };
}

/** The bandwidth of the week before as a line for a chart; undefined where nothing is known of it, as of single seconds. */
export function useBandwidthWeekBefore(range: TimeRange, scope: MonitorScope, step?: Step) {
  const t = useText(monitorText);
  const { weeks, range: earlier } = weeksBefore(range);
  const fine = step !== undefined && step < 60;
  const points = useMonitorMetric('cdn', 'bandwidth', earlier, scope, fine ? undefined : step);
  if (fine || !points?.some(({ value }) => value !== null)) return undefined;
  return [{ name: t.before(weeks), points, tone: 'info' as const }];
}
