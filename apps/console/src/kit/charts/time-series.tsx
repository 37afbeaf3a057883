import { Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useTheme } from '@mui/material/styles';
import { useMemo, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { formatClock, formatDateTime } from '../format.ts';
import { kitText } from '../kit.text.ts';
import { PartMissing } from '../lazy-part.tsx';
import { ChartCard } from './chart-card.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { toneColour, useChartPalette } from './chart-palette.ts';
import { chartText } from './chart.text.ts';
import { asPrevious, timeSeriesOption, within, type Series } from './series.ts';
import { useEChart } from './use-echart.ts';
import { ZoomArea, type TimeSpan } from './zoom-area.tsx';

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
      table={() => <SeriesTable series={all} format={format} />}
    >
      {() => (
        <Chart {...{ title, series: all, format, stacked, binary, max, height, zoom }} onZoom={zoomTo} />
      )}
    </ChartCard>
  );
}

interface ZoomProps {
  series: readonly Series[];
  zoom: TimeSpan | undefined;
  onZoom: (span: TimeSpan | undefined) => void;
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

interface ChartProps extends ZoomProps {
  title: string;
  format: (value: number) => string;
  stacked: boolean;
  binary: boolean;
  max: number | undefined;
  height: number;
}

function Chart({ title, series, format, stacked, binary, max, height, zoom, onZoom }: ChartProps) {
  const language = useLanguage();
  const palette = useChartPalette();
  const { typography, direction } = useTheme();
  const { fontFamily = 'sans-serif' } = typography;
  const mirrored = direction === 'rtl';
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(
    () => series.filter(({ name }) => !hidden.has(name)).map((one) => within(one, zoom)),
    [series, hidden, zoom],
  );
  const key = JSON.stringify(palette);
  const option = useMemo(() => {
    const times = shown[0]?.points ?? [];
    const length = new Date(times.at(-1)?.time ?? 0).getTime() - new Date(times[0]?.time ?? 0).getTime();
    const tick = (time: number) => tickText(time, length);
    const clock = (time: number) => formatDateTime(time, language) ?? '';
    return timeSeriesOption(shown, {
      palette,
      fontFamily,
      format,
      stacked,
      binary,
      max,
      clock,
      tick,
      mirrored,
      span: zoom,
    });
    // The palette is made anew at every drawing; its key says when it differs.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [shown, key, fontFamily, format, stacked, binary, max, language, mirrored, zoom]);
  const { host, chart, isMissing } = useEChart(option);
  const toggle = (name: string) =>
    setHidden(
      (before) => new Set(before.has(name) ? [...before].filter((each) => each !== name) : [...before, name]),
    );
  if (isMissing) return <PartMissing />;
  return (
    <>
      {series.length > 1 && (
        <ChartLegend
          title={title}
          entries={series.map(({ name, tone, previous = false }) => ({
            name,
            colour: toneColour(tone, palette),
            dashed: previous,
          }))}
          hidden={hidden}
          onToggle={toggle}
        />
      )}
      <ZoomArea chart={chart} onZoom={onZoom}>
        <div ref={host} role="img" aria-label={title} dir="ltr" style={{ height, width: '100%' }} />
      </ZoomArea>
    </>
  );
}

/** Seconds for a few minutes, minutes for what fits in a day or two, month and day beyond. */
function tickText(time: number, span: number): string {
  const date = new Date(time);
  const day = `${date.getMonth() + 1}/${date.getDate()}`;
  if (span > 2 * 86_400_000) return date.getHours() === 0 ? day : `${day} ${formatClock(time, false)}`;
  return formatClock(time, span > 0 && span <= 10 * 60_000);
}

function SeriesTable({ series, format }: { series: readonly Series[]; format: (value: number) => string }) {
  const t = useText(kitText);
  const language = useLanguage();
  const times = (series[0]?.points ?? []).map((point, index) => ({ time: point.time, index }));
  const rows = times
    .filter(({ index }) => series.some(({ points }) => (points[index]?.value ?? null) !== null))
    .toReversed();
  if (rows.length === 0) return <Typography variant="body2">{t.noChartData}</Typography>;
  return (
    <Table size="small" stickyHeader>
      <TableHead>
        <TableRow>
          <TableCell>{t.time}</TableCell>
          {series.map(({ name }) => (
            <TableCell key={name} align="right">
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(({ time, index }) => (
          <TableRow key={time}>
            <TableCell>{formatDateTime(time, language)}</TableCell>
            {series.map(({ name, points }) => (
              <TableCell key={name} align="right">
                {points[index]?.value === null || points[index] === undefined
                  ? '–'
                  : format(points[index].value)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
