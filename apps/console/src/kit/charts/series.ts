import type { EChartsCoreOption } from 'echarts/core';
import { toneColour, type ChartPalette, type ChartTone } from './chart-palette.ts';
import { timeTicks } from './time-ticks.ts';
import type { TimeSpan } from './zoom-area.tsx';

export interface Series {
  name: string;
  points: readonly { time: string; value: number | null }[];
  tone: ChartTone;
  /** Of the period before, drawn behind the others with a broken line. */
  previous?: boolean;
}
export interface ChartLook {
  palette: ChartPalette;
  fontFamily: string;
  format: (value: number) => string;
  stacked: boolean;
  /** Steps by powers of 1024, as bytes are read. */
  binary: boolean;
  /** Largest value of the axis where it is known, such as 1 for shares. */
  max?: number | undefined;
  clock: (time: number) => string;
  tick: (time: number) => string;
  /** From right to left: time runs that way, and values stand at the right, where reading begins. */
  mirrored: boolean;
  /** Nothing moves, for who asked the system for that. */
  still: boolean;
  /** What is shown of the time; absent, all. */
  span?: TimeSpan | undefined;
}

/** The chart of some series over time, as ECharts wants it. A null value is a gap in the line. */
export function timeSeriesOption(series: readonly Series[], look: ChartLook): EChartsCoreOption {
  const { palette } = look;
  const span = look.span ?? spanOf(series);
  const alone = span?.from === span?.until ? span?.from : undefined;
  const seen = alone === undefined ? span : { from: alone - aloneMs, until: alone + aloneMs };
  // Areas above one another would read as a sum, and their colours as mud.
  const filled = series.filter(({ previous }) => !previous).length <= 2;
  const text = { color: palette.text.secondary, fontFamily: look.fontFamily, fontSize: 12 };
  return {
    animationDuration: look.still ? 0 : 300,
    animationDurationUpdate: 0,
    grid: {
      left: look.mirrored ? 16 : 8,
      right: look.mirrored ? 8 : 16,
      top: 16,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: tooltip(look, palette),
    xAxis: {
      type: 'time',
      inverse: look.mirrored,
      min: seen?.from ?? null,
      max: seen?.until ?? null,
      axisLine: { lineStyle: { color: palette.divider } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        hideOverlap: true,
        formatter: look.tick,
        ...(seen ? { customValues: alone === undefined ? timeTicks(seen) : [alone] } : {}),
      },
    },
    yAxis: {
      type: 'value',
      position: look.mirrored ? 'right' : 'left',
      min: 0,
      ...valueSteps(series, look),
      splitNumber: 4,
      // Where values are shown without fractions, steps below one would read as the same number twice.
      minInterval: look.format(0.25) === look.format(0) ? 1 : 0,
      axisLabel: { ...text, formatter: look.format },
      splitLine: { lineStyle: { color: palette.divider, type: [3, 3] } },
    },
    series: series.map((one) =>
      look.stacked && !one.previous ? stackedBars(one, palette) : line(one, palette, filled),
    ),
  };
}

/** From the first point to the last. */
function spanOf(series: readonly Series[]): TimeSpan | undefined {
  const times = series
    .flatMap(({ points }) => [points[0], points.at(-1)])
    .flatMap((point) => (point ? [Date.parse(point.time)] : []));
  if (times.length === 0) return undefined;
  const [from, until] = [Math.min(...times), Math.max(...times)];
  return { from, until };
}
/** Around a single point there is some room; only its own time stands at the foot, for nothing else was measured. */
const aloneMs = 30 * 60_000;

/** Where the axis of values ends and its steps, where ECharts' decimal ones would not do. */
function valueSteps(
  series: readonly Series[],
  { max, binary }: ChartLook,
): { max?: number; interval?: number } {
  if (max !== undefined) return { max, interval: max / 4 };
  const largest = series.reduce(
    (most, { points }) => points.reduce((top, { value }) => Math.max(top, value ?? 0), most),
    0,
  );
  // Nothing but zeros: one line at the bottom, without steps of an invented size.
  if (largest === 0) return { max: 1, interval: 1 };
  if (!binary || largest < 1024) return {};
  const unit = 1024 ** Math.floor(Math.log(largest) / Math.log(1024));
  const wanted = largest / unit / 4;
  const interval = unit * ([0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((step) => step >= wanted) ?? 250);
  return { interval, max: Math.ceil(largest / interval) * interval };
}

const pairs = ({ points }: Series) => points.map(({ time, value }) => [new Date(time).getTime(), value]);

/** Sums of parts are bars: a stacked line would read as a figure of its own. */
function stackedBars(series: Series, palette: ChartPalette) {
  const itemStyle = { color: toneColour(series.tone, palette) };
  return {
    name: series.name,
    type: 'bar',
    stack: 'all',
    barMaxWidth: 14,
    barMinHeight: 1,
    itemStyle,
    // The least height is for what is small; of nothing, nothing shows.
    data: pairs(series).map((value) => (value[1] === 0 ? { value, itemStyle: { opacity: 0 } } : value)),
  };
}

function line(series: Series, palette: ChartPalette, filled: boolean) {
  const color = toneColour(series.tone, palette);
  const { points } = series;
  const known = (index: number) => (points[index]?.value ?? null) !== null;
  // A value between two gaps is no line; it is drawn as a dot.
  const alone = (index: number) => !known(index - 1) && !known(index + 1);
  return {
    name: series.name,
    type: 'line',
    showSymbol: true,
    symbol: 'circle',
    symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => (alone(dataIndex) ? 6 : 0),
    smooth: 0.2,
    smoothMonotone: 'x',
    ...(series.previous ? { z: 1 } : {}),
    lineStyle: {
      width: series.previous ? 1.5 : 2,
      color,
      ...(series.previous ? { type: [4, 4], opacity: 0.75 } : {}),
    },
    itemStyle: { color },
    areaStyle: {
      ...(series.previous || !filled ? { opacity: 0 } : {}),
      color: {
        type: 'linear',
        x: 0,
        y: 0,
        x2: 0,
        y2: 1,
        colorStops: [
          { offset: 0, color: `${color}40` },
          { offset: 1, color: `${color}00` },
        ],
      },
    },
    data: pairs(series),
  };
}

interface TooltipItem {
  marker: string;
  seriesName: string;
  value: [number, number | null];
}

function tooltip(look: ChartLook, palette: ChartPalette) {
  return {
    trigger: 'axis',
    confine: true,
    borderWidth: 0,
    backgroundColor: palette.background.paper,
    extraCssText: `border-radius:8px;box-shadow:0 0 2px rgba(0,0,0,.3),0 8px 24px -4px rgba(0,0,0,.25);direction:${look.mirrored ? 'rtl' : 'ltr'}`,
    textStyle: { color: palette.text.primary, fontFamily: look.fontFamily, fontSize: 13 },
    axisPointer: { lineStyle: { color: palette.text.disabled } },
    formatter: (items: TooltipItem[]) => {
      const rows = items.map(({ marker, seriesName, value }) => {
        const shown = value[1] === null ? '–' : look.format(value[1]);
        return `<div style="display:flex;gap:24px;justify-content:space-between"><span>${marker}${escaped(seriesName)}</span><b>${shown}</b></div>`;
      });
      return `<div style="opacity:.7;margin-bottom:4px">${look.clock(items[0]?.value[0] ?? 0)}</div>${rows.join('')}`;
    },
  };
}

/** The tooltip is HTML, and a series may be called by what a visitor sent. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The points within a span. */
export function within({ points, ...series }: Series, span: TimeSpan | undefined): Series {
  if (!span) return { points, ...series };
  return {
    ...series,
    points: points.filter(
      ({ time }) => new Date(time).getTime() >= span.from && new Date(time).getTime() <= span.until,
    ),
  };
}
