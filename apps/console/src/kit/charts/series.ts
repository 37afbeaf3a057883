import type { EChartsCoreOption } from 'echarts/core';
import { darkPalette, lightPalette } from '../../theme/palette.ts';

export interface Series {
  name: string;
  points: readonly { time: string; value: number | null }[];
  tone: 'primary' | 'info' | 'success' | 'warning' | 'error' | 'secondary';
}
export interface ChartLook {
  dark: boolean;
  format: (value: number) => string;
  stacked: boolean;
  /** Largest value of the axis where it is known, such as 1 for shares. */
  max?: number | undefined;
  clock: (time: number) => string;
  tick: (time: number) => string;
}

/** The chart of some series over time, as ECharts wants it. A null value is a gap in the line. */
export function timeSeriesOption(series: readonly Series[], look: ChartLook): EChartsCoreOption {
  const palette = look.dark ? darkPalette : lightPalette;
  const text = { color: palette.text.secondary, fontFamily: 'inherit', fontSize: 12 };
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
      itemGap: 16,
      inactiveColor: palette.text.disabled,
      textStyle: { ...text, color: palette.text.primary },
    },
    tooltip: tooltip(look, palette),
    xAxis: {
      type: 'time',
      axisLine: { lineStyle: { color: palette.divider } },
      axisTick: { show: false },
      splitNumber: 6,
      axisLabel: { ...text, hideOverlap: true, formatter: look.tick },
    },
    yAxis: {
      type: 'value',
      min: 0,
      ...(look.max === undefined ? {} : { max: look.max }),
      splitNumber: 4,
      axisLabel: { ...text, formatter: look.format },
      splitLine: { lineStyle: { color: palette.divider, type: [3, 3] } },
    },
    series: series.map(({ name, points, tone }) => {
      const colour = look.dark && tone === 'secondary' ? palette[tone].light : palette[tone].main;
      return {
        name,
        type: 'line',
        ...(look.stacked ? { stack: 'all' } : {}),
        showSymbol: points.filter((point) => point.value !== null).length < 3,
        symbol: 'circle',
        symbolSize: 6,
        smooth: 0.2,
        smoothMonotone: 'x',
        lineStyle: { width: 2, color: colour },
        itemStyle: { color: colour },
        areaStyle: {
          color: {
            type: 'linear',
            x: 0,
            y: 0,
            x2: 0,
            y2: 1,
            colorStops: [
              { offset: 0, color: `${colour}${look.stacked ? '66' : '40'}` },
              { offset: 1, color: `${colour}${look.stacked ? '33' : '00'}` },
            ],
          },
        },
        data: points.map(({ time, value }) => [new Date(time).getTime(), value]),
      };
    }),
  };
}

interface TooltipItem {
  marker: string;
  seriesName: string;
  value: [number, number | null];
}

function tooltip(look: ChartLook, palette: typeof lightPalette) {
  return {
    trigger: 'axis',
    confine: true,
    borderWidth: 0,
    backgroundColor: palette.background.paper,
    extraCssText: `border-radius:8px;box-shadow:0 0 2px rgba(0,0,0,.3),0 8px 24px -4px rgba(0,0,0,.25)`,
    textStyle: { color: palette.text.primary, fontFamily: 'inherit', fontSize: 13 },
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
