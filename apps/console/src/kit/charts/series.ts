import type { EChartsCoreOption } from 'echarts/core';
import { darkPalette, lightPalette } from '../../theme/palette.ts';

export interface Series {
  name: string;
  points: readonly { time: string; value: number | null }[];
  tone: 'primary' | 'info' | 'success' | 'warning' | 'error' | 'secondary';
}
export interface ChartLook {
  dark: boolean;
  fontFamily: string;
  format: (value: number) => string;
  stacked: boolean;
  /** Steps by powers of 1024, as bytes are read. */
  binary: boolean;
  /** Largest value of the axis where it is known, such as 1 for shares. */
  max?: number | undefined;
  clock: (time: number) => string;
  tick: (time: number) => string;
}

/** The chart of some series over time, as ECharts wants it. A null value is a gap in the line. */
export function timeSeriesOption(series: readonly Series[], look: ChartLook): EChartsCoreOption {
  const palette = look.dark ? darkPalette : lightPalette;
  const text = { color: palette.text.secondary, fontFamily: look.fontFamily, fontSize: 12 };
  return {
    animationDuration: 300,
    animationDurationUpdate: 0,
    grid: { left: 8, right: 16, top: series.length > 1 ? 40 : 16, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: {
      show: series.length > 1,
      top: 0,
      right: 0,
      icon: 'circle',
      itemWidth: 8,
      itemHeight: 8,
      itemGap: 20,
      inactiveColor: palette.text.disabled,
      textStyle: { ...text, color: palette.text.primary },
    },
    tooltip: tooltip(look, palette),
    xAxis: {
      type: 'time',
      axisLine: { lineStyle: { color: palette.divider } },
      axisTick: { show: false },
      splitNumber: 5,
      axisLabel: { ...text, hideOverlap: true, formatter: look.tick },
    },
    yAxis: {
      type: 'value',
      min: 0,
      ...valueSteps(series, look),
      splitNumber: 4,
      axisLabel: { ...text, formatter: look.format },
      splitLine: { lineStyle: { color: palette.divider, type: [3, 3] } },
    },
    series: series.map((one) => (look.stacked ? stackedBars(one, palette, look) : line(one, palette, look))),
  };
}

/** Where the axis of values ends and its steps, where ECharts' decimal ones would not do. */
function valueSteps(series: readonly Series[], { max, binary }: ChartLook): { max?: number; interval?: number } {
  if (max !== undefined) return { max, interval: max / 4 };
  const largest = Math.max(0, ...series.flatMap(({ points }) => points.map((point) => point.value ?? 0)));
  if (!binary || largest < 1024) return {};
  const unit = 1024 ** Math.floor(Math.log(largest) / Math.log(1024));
  const wanted = largest / unit / 4;
  const interval = unit * ([0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((step) => step >= wanted) ?? 250);
  return { interval, max: Math.ceil(largest / interval) * interval };
}

type Palette = typeof lightPalette;

const pairs = ({ points }: Series) => points.map(({ time, value }) => [new Date(time).getTime(), value]);

function colourOf({ tone }: Series, palette: Palette, { dark }: ChartLook): string {
  return dark && tone === 'secondary' ? palette[tone].light : palette[tone].main;
}

/** Sums of parts are bars: a stacked line would read as a figure of its own. */
function stackedBars(series: Series, palette: Palette, look: ChartLook) {
  const itemStyle = { color: colourOf(series, palette, look) };
  return { name: series.name, type: 'bar', stack: 'all', barMaxWidth: 14, barMinHeight: 1, itemStyle, data: pairs(series) };
}

function line(series: Series, palette: Palette, look: ChartLook) {
  const color = colourOf(series, palette, look);
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
    lineStyle: { width: 2, color },
    itemStyle: { color },
    areaStyle: {
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

function tooltip(look: ChartLook, palette: Palette) {
  return {
    trigger: 'axis',
    confine: true,
    borderWidth: 0,
    backgroundColor: palette.background.paper,
    extraCssText: `border-radius:8px;box-shadow:0 0 2px rgba(0,0,0,.3),0 8px 24px -4px rgba(0,0,0,.25)`,
    textStyle: { color: palette.text.primary, fontFamily: look.fontFamily, fontSize: 13 },
    axisPointer: { lineStyle: { color: palette.text.disabled } },
    formatter: (items: TooltipItem[]) => {
      const rows = items.map(({ marker, seriesName, value }) => {
        const shown = value[1] === null ? '–' : look.format(value[1]);
        return `<div style="display:flex;gap:24px;justify-content:space-between"><span>${marker}${seriesName}</span><b>${shown}</b></div>`;
      });
      return `<div style="opacity:.7;margin-bottom:4px">${look.clock(items[0]?.value[0] ?? 0)}</div>${rows.join('')}`;
    },
  };
}
