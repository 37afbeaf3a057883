import { Box, Card, CardContent, Skeleton, Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useTheme } from '@mui/material/styles';
import type { EChartsType } from 'echarts/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { useDark } from '../dark.ts';
import { formatClock, formatDateTime } from '../format.ts';
import { kitText } from '../kit.text.ts';
import { timeSeriesOption, type Series } from './series.ts';

interface TimeSeriesCardProps {
  title: string;
  /** A figure beside the title. */
  figure?: ReactNode;
  /** Undefined: on its way. */
  series: readonly Series[] | undefined;
  format: (value: number) => string;
  stacked?: boolean;
  /** The values are bytes. */
  binary?: boolean;
  max?: number;
  height?: number;
}

/** Values over time as a chart, or as a table for those who cannot see it. */
export function TimeSeriesCard({ title, figure, series, format, stacked = false, binary = false, max, height = 260 }: TimeSeriesCardProps) {
  const t = useText(kitText);
  const [asTable, setAsTable] = useState(false);
  const known = series?.some(({ points }) => points.some((point) => point.value !== null)) ?? false;
  return (
    <Card component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <CardContent sx={{ p: { xs: 2, sm: 3 } }}>
        <Stack direction="row" sx={{ alignItems: 'center', gap: 1, mb: 1 }}>
          <Typography component="h2" variant="h6" sx={{ flex: 1, minWidth: 0 }}>
            {title}
          </Typography>
          {figure && (
            <Typography variant="subtitle1" component="span" sx={{ whiteSpace: 'nowrap' }}>
              {figure}
            </Typography>
          )}
          <ActionIcon icon={asTable ? 'chart' : 'table'} label={asTable ? t.showChart : t.showTable} onClick={() => setAsTable(!asTable)} />
        </Stack>
        {series === undefined ? (
          <Skeleton variant="rounded" height={height} />
        ) : asTable ? (
          <SeriesTable series={series} format={format} height={height} />
        ) : (
          <Box sx={{ position: 'relative' }}>
            <Chart label={title} series={series} format={format} stacked={stacked} binary={binary} max={max} height={height} />
            {!known && (
              <Typography
                variant="body2"
                sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center', color: 'text.secondary' }}
              >
                {t.noChartData}
              </Typography>
            )}
          </Box>
        )}
      </CardContent>
    </Card>
  );
}

interface ChartProps {
  label: string;
  series: readonly Series[];
  format: (value: number) => string;
  stacked: boolean;
  binary: boolean;
  max: number | undefined;
  height: number;
}

function Chart({ label, series, format, stacked, binary, max, height }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const language = useLanguage();
  const dark = useDark();
  const { fontFamily = 'sans-serif' } = useTheme().typography;
  useEffect(() => {
    let made: EChartsType | undefined;
    let gone = false;
    const observer = new ResizeObserver(() => made?.resize());
    void import('./echarts.ts').then(({ init }) => {
      if (gone || !host.current) return;
      made = init(host.current, null, { renderer: 'svg' });
      observer.observe(host.current);
      setChart(made);
    });
    return () => {
      gone = true;
      observer.disconnect();
      made?.dispose();
      setChart(null);
    };
  }, []);
  useEffect(() => {
    const times = series[0]?.points ?? [];
    const span = new Date(times.at(-1)?.time ?? 0).getTime() - new Date(times[0]?.time ?? 0).getTime();
    const tick = (time: number) => tickText(time, span);
    const clock = (time: number) => formatDateTime(time, language) ?? '';
    chart?.setOption(timeSeriesOption(series, { dark, fontFamily, format, stacked, binary, max, clock, tick }), { replaceMerge: ['series'] });
  }, [chart, series, dark, fontFamily, format, stacked, binary, max, language]);
  return <div ref={host} role="img" aria-label={label} style={{ height, width: '100%' }} />;
}

/** Hours for what fits in a day or two, month and day beyond. */
function tickText(time: number, span: number): string {
  const date = new Date(time);
  const day = `${date.getMonth() + 1}/${date.getDate()}`;
  if (span > 2 * 86_400_000) return date.getHours() === 0 ? day : `${day} ${formatClock(time, false)}`;
  return formatClock(time, false);
}

function SeriesTable({ series, format, height }: { series: readonly Series[]; format: (value: number) => string; height: number }) {
  const t = useText(kitText);
  const language = useLanguage();
  const times = (series[0]?.points ?? []).map((point, index) => ({ time: point.time, index }));
  const rows = times.filter(({ index }) => series.some(({ points }) => points[index]?.value)).toReversed();
  return (
    <Box sx={{ maxHeight: height, overflow: 'auto' }} tabIndex={0} role="region" aria-label={t.showTable}>
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
                  {points[index]?.value === null || points[index] === undefined ? '–' : format(points[index].value)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
