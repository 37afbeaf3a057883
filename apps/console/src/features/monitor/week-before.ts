import { useFigures, type Figures, type MonitorScope, type Step, type Summary } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/format-change.ts';
import { weeksBefore } from '../../kit/time-range.ts';
import { monitorText } from './monitor.text.ts';

/** The same part of the week before: what figures and the chart of bandwidth are compared with. */
export function useWeekBefore(range: TimeRange, scope: MonitorScope, step?: Step) {
  // As many whole weeks as the range needs, so that weekdays are compared with the same weekdays.
  const { weeks, range: earlier } = weeksBefore(range);
  // Of single seconds nothing is known any more.
  const fine = step !== undefined && step < 60;
  const figures = useFigures({
    range: earlier,
    scope,
    step: fine ? undefined : step,
    series: fine ? [] : ['cdn.bandwidth'],
    summaries: ['cdn'],
  });
  return { weeks, figures };
}
export type WeekBefore = ReturnType<typeof useWeekBefore>;

/** Says of a figure how it stands against the week before; nothing where that is not known. */
export function useAgainst({ weeks, figures }: WeekBefore, summary: Summary | undefined) {
  const t = useText(monitorText);
  const before = figures.summary('cdn');
  return (figure: 'requests' | 'flux' | 'bandwidth_peak' | 'status_5xx' | 'attacks'): string | undefined => {
    if (!summary || !before) return undefined;
    const change = formatChange(summary[figure], before[figure]);
    return change === undefined ? t.noBefore(weeks) : t.against(change, weeks);
  };
}

/** The bandwidth of the week before as a line for a chart; undefined where nothing is known of it. */
export function useBandwidthBefore({ weeks, figures }: WeekBefore) {
  const t = useText(monitorText);
  const points = figures.points('cdn.bandwidth');
  if (!points?.some(({ value }) => value !== null)) return undefined;
  return [{ name: t.before(weeks), points, tone: 'info' as const }];
}

export type Points = ReturnType<Figures['points']>;
