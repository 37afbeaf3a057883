import { useMediaQuery } from '@mui/material';
import { useTheme } from '@mui/material/styles';
import { useMemo, useState } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { formatClock, formatDateTime } from '../format.ts';
import { PartMissing } from '../lazy-part.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { toneColour, useChartPalette } from './chart-palette.ts';
import { timeSeriesOption, within, type Series } from './series.ts';
import { useEChart } from './use-echart.ts';
import { ZoomArea, type TimeSpan } from './zoom-area.tsx';

export interface ZoomProps {
  series: readonly Series[];
  zoom: TimeSpan | undefined;
  onZoom: (span: TimeSpan | undefined) => void;
}

interface ChartProps extends ZoomProps {
  title: string;
  format: (value: number) => string;
  stacked: boolean;
  binary: boolean;
  max: number | undefined;
  height: number;
}

/** The chart itself, with its legend. */
export function TimeSeriesChart({
  title,
  series,
  format,
  stacked,
  binary,
  max,
  height,
  zoom,
  onZoom,
}: ChartProps) {
  const language = useLanguage();
  const palette = useChartPalette();
  const { typography, direction } = useTheme();
  const { fontFamily = 'sans-serif' } = typography;
  const mirrored = direction === 'rtl';
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
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
      still,
      span: zoom,
    });
    // The palette is made anew at every drawing; its key says when it differs.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [shown, key, fontFamily, format, stacked, binary, max, language, mirrored, still, zoom]);
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
  if (span === 0) return `${day} ${formatClock(time, false)}`;
  if (span > 2 * 86_400_000) return date.getHours() === 0 ? day : `${day} ${formatClock(time, false)}`;
  return formatClock(time, span <= 10 * 60_000);
}
