import { Stack } from '@mui/material';
import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import { DonutCard } from '../../kit/charts/donut.tsx';
import { RankingCard } from '../../kit/charts/ranking.tsx';
import type { Series } from '../../kit/charts/series.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { WorldMapCard } from '../../kit/charts/world-map.tsx';
import { formatBitRate, formatBytes, formatCount } from '../../kit/format.ts';
import { noise, sampleRows, sampleSeries } from '../sample.ts';
import { StoryGrid } from '../story.tsx';
import { storyText } from './story.text.ts';

const codes = ['CN', 'US', 'DE', 'JP', 'SG', 'HK', 'BR', 'IN', 'FR', 'GB', 'RU', 'AU', 'ZA', 'KR', 'CA'];
const none: never[] = [];

export function ChartsSection() {
  const t = useText(storyText);
  const data = useSampleSeries();
  const hosts = useMemo(() => sampleRows(14).map(({ name, requests }) => ({ name, value: requests })), []);
  const regions = useMemo(
    () => codes.map((code, index) => ({ code, value: Math.round(9e6 * noise(index) * 0.6 ** index) + 900 })),
    [],
  );
  const states = [
    { name: 'HIT', value: 812_345 },
    { name: 'MISS', value: 91_234 },
    { name: 'EXPIRED', value: 20_001 },
    { name: 'BYPASS', value: 9_000 },
    { name: 'STALE', value: 500 },
    { name: 'UPDATING', value: 120 },
    { name: 'REVALIDATED', value: 77 },
  ];
  return (
    <Stack sx={{ gap: 3 }}>
      <TimeSeriesCard
        title={t.compareTitle}
        figure={formatBitRate(5.2e8)}
        series={data.now}
        compare={data.before}
        format={formatBitRate}
      />
      <StoryGrid min={420}>
        <TimeSeriesCard title={t.stackedTitle} series={data.codes} format={formatCount} stacked />
        <TimeSeriesCard title={t.bytesTitle} series={data.single} format={formatBytes} binary />
        <TimeSeriesCard title={t.gapTitle} series={data.gap} format={formatBitRate} />
        <TimeSeriesCard title={t.zeroTitle} series={data.zero} format={formatBitRate} />
        <DonutCard title={t.donutTitle} parts={states} format={formatCount} />
        <RankingCard title={t.rankingTitle} items={hosts} format={formatCount} />
      </StoryGrid>
      <WorldMapCard title={t.mapTitle} regions={regions} format={formatCount} height={420} />
      <StoryGrid min={300}>
        <TimeSeriesCard
          title={`${t.compareTitle}: ${t.emptyChart}`}
          series={data.unknown}
          format={formatBitRate}
          height={160}
        />
        <DonutCard
          title={`${t.donutTitle}: ${t.emptyChart}`}
          parts={none}
          format={formatCount}
          height={160}
        />
        <RankingCard
          title={`${t.rankingTitle}: ${t.emptyChart}`}
          items={none}
          format={formatCount}
          height={160}
        />
        <WorldMapCard
          title={`${t.mapTitle}: ${t.emptyChart}`}
          regions={none}
          format={formatCount}
          height={160}
        />
        <TimeSeriesCard
          title={`${t.compareTitle}: ${t.loadingChart}`}
          series={undefined}
          format={formatBitRate}
          height={160}
        />
        <DonutCard
          title={`${t.donutTitle}: ${t.loadingChart}`}
          parts={undefined}
          format={formatCount}
          height={160}
        />
        <RankingCard
          title={`${t.rankingTitle}: ${t.loadingChart}`}
          items={undefined}
          format={formatCount}
          height={160}
        />
        <WorldMapCard
          title={`${t.mapTitle}: ${t.loadingChart}`}
          regions={undefined}
          format={formatCount}
          height={160}
        />
      </StoryGrid>
    </Stack>
  );
}

function useSampleSeries() {
  const t = useText(storyText);
  return useMemo(() => {
    const tones = ['success', 'info', 'warning', 'error'] as const;
    const one = (name: string, tone: Series['tone'], points: Series['points']): Series => ({
      name,
      tone,
      points,
    });
    const points = sampleSeries(1, 96, 900);
    const earlier = (series: Series['points']) =>
      series.map(({ time, value }) => ({
        time: new Date(new Date(time).getTime() - 86_400_000).toISOString(),
        value: value === null ? null : value * 0.8 + 3e7 * noise(value),
      }));
    return {
      now: [one(t.out, 'primary', points), one(t.in, 'info', sampleSeries(2, 96, 900))],
      before: [
        one(t.before(t.out), 'primary', earlier(points)),
        one(t.before(t.in), 'info', earlier(sampleSeries(2, 96, 900))),
      ],
      codes: tones.map((tone, index) =>
        one(
          `${index + 2}xx`,
          tone,
          sampleSeries(index + 3, 48, 1800).map((point) => ({
            ...point,
            value: Math.round((point.value ?? 0) / 10 ** (4 + index)),
          })),
        ),
      ),
      single: [one(t.out, 'primary', sampleSeries(4, 96, 900))],
      gap: [one(t.out, 'primary', sampleSeries(5, 96, 900, { from: 30, until: 55 }))],
      zero: [
        one(
          t.out,
          'primary',
          points.map(({ time }) => ({ time, value: 0 })),
        ),
      ],
      unknown: [
        one(
          t.out,
          'primary',
          points.map(({ time }) => ({ time, value: null })),
        ),
      ],
    };
  }, [t]);
}
