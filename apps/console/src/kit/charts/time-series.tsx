import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { ChartCard } from './chart-card.tsx';
import { chartText } from './chart.text.ts';
import { asPrevious } from './previous.ts';
import type { Series } from './series.ts';
import type { ZoomProps } from './time-series-chart.tsx';
import type { TimeSpan } from './zoom-area.tsx';

// What draws comes with ECharts, after the figures that it stands below.
const TimeSeriesChart = lazyPart(() => {
  // At the same time; whoever wants it is told if it does not come.
  void import('./echarts.ts').catch(() => undefined);
  return import('./time-series-chart.tsx').then((part) => part.TimeSeriesChart);
});
const SeriesTable = lazyPart(() => import('./series-table.tsx').then((part) => part.SeriesTable));

interface TimeSeriesCardProps {
  title: string;
  /** A figure beside the title. */
  figure?: ReactNode;
  /** Undefined: on its way; null: it could not be read. */
  series: readonly Series[] | null | undefined;
  /** The same series in a period before, in the same order, each by a name of its own. */
  compare?: readonly Series[] | undefined;
  format: (value: number) => string;
  stacked?: boolean;
  /** The values are bytes. */
  binary?: boolean;
  max?: number;
  height?: number;
  /** Told of the span that was zoomed into, such as to load it in finer steps; null for all. */
  onZoom?: (span: { start_time: string; end_time: string } | null) => void;
}

/** Values over time as a chart, or as a table for those who cannot see it. */
export function TimeSeriesCard({
  title,
  figure,
  series,
  compare,
  format,
  stacked = false,
  binary = false,
  max,
  height = 260,
  onZoom,
}: TimeSeriesCardProps) {
  const [zoom, setZoom] = useState<TimeSpan>();
  const known = series?.some(({ points }) => points.some((point) => point.value !== null)) ?? false;
  const all = useMemo(
    () => [
      ...(series ?? []),
      ...(series && compare
        ? compare.flatMap((before, index) => (series[index] ? [asPrevious(series[index], before)] : []))
        : []),
    ],
    [series, compare],
  );
  const zoomTo = (span: TimeSpan | undefined) => {
    setZoom(span);
    onZoom?.(
      span
        ? { start_time: new Date(span.from).toISOString(), end_time: new Date(span.until).toISOString() }
        : null,
    );
  };
  return (
    <ChartCard
      title={title}
      figure={figure}
      height={height}
      state={series === undefined ? 'loading' : series === null ? 'failed' : known ? 'ready' : 'empty'}
      tools={<ZoomTools series={all} zoom={zoom} onZoom={zoomTo} />}
      table={() => (
        <Suspense>
          <SeriesTable series={all} format={format} />
        </Suspense>
      )}
    >
      {() => (
        <Suspense fallback={<div style={{ height }} />}>
          <TimeSeriesChart
            {...{ title, series: all, format, stacked, binary, max, height, zoom }}
            onZoom={zoomTo}
          />
        </Suspense>
      )}
    </ChartCard>
  );
}

/** What a pointer does by dragging, for a keyboard. */
function ZoomTools({ series, zoom, onZoom }: ZoomProps) {
  const t = useText(chartText);
  const points = series[0]?.points ?? [];
  const whole = {
    from: new Date(points[0]?.time ?? 0).getTime(),
    until: new Date(points.at(-1)?.time ?? 0).getTime(),
  };
  const { from, until } = zoom ?? whole;
  const seen = points.filter(
    ({ time }) => new Date(time).getTime() >= from && new Date(time).getTime() <= until,
  ).length;
  const quarter = (until - from) / 4;
  return (
    <>
      <ActionIcon
        icon="zoom-in"
        label={t.zoomIn}
        disabled={seen < 8}
        onClick={() => onZoom({ from: from + quarter, until: until - quarter })}
      />
      {zoom && <ActionIcon icon="zoom-out" label={t.zoomOut} onClick={() => onZoom(undefined)} />}
    </>
  );
}
