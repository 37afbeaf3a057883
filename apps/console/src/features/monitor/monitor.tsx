import { Alert, Box, Card, Typography } from '@mui/material';
import { intervalsSeconds } from '@breakwater/contract';
import * as z from 'zod';
import { stepsOf, useFigures, type Figures, type MonitorScope, type Step } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { kitText } from '../../kit/kit.text.ts';
import { useText } from '../../i18n/text.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { alarmTone, FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import {
  formatBitRate,
  formatBytes,
  formatClock,
  formatCount,
  formatSeconds,
  formatShare,
  formatZone,
} from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { roundedNow, timeRange } from '../../kit/time-range.ts';
import { useNow } from '../../kit/use-now.ts';
import { MonitorLive } from './monitor-live.tsx';
import { chosenRange, MonitorFilters, monitorSearch, scopeOf } from './monitor-filters.tsx';
import { StepChoice } from './monitor-step.tsx';
import { monitorText } from './monitor.text.ts';
import {
  useAgainst,
  useBandwidthBefore,
  useWeekBefore,
  type Points,
  type WeekBefore,
} from './week-before.ts';

const chartSearch = monitorSearch.extend({
  /** Seconds a point stands for; absent, what suits the range. */
  step: z.coerce
    .number()
    .pipe(z.literal([...intervalsSeconds]))
    .optional(),
});

/**
 * Traffic as charts, of a range or by the second. What is shown stands in the address, so that a link shows somebody else the same.
 */
export function Monitor() {
  const t = useText(monitorText);
  const { aside } = useText(kitText);
  const [search, setSearch] = useSearchState(chartSearch);
  const [now, renew] = useNow(search.refresh * 1000);
  const range = timeRange(search.range, roundedNow(now, search.step), chosenRange(search));
  const scope = scopeOf(search);
  // An address may name a step that this range does not have, such as one from a link to a shorter one: what suits it is taken.
  const step = stepsOf(range, scope, now).find((each) => each === search.step);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        search.site_id && (
          <LinkButton
            target={to.monitorDetail({ id: search.site_id })}
            icon="chart"
            variant="outlined"
            color="inherit"
          >
            {t.inDepth}
          </LinkButton>
        )
      }
    >
      <Card sx={{ p: 2 }}>
        <MonitorFilters search={search} range={range} onChange={setSearch} onRefresh={renew} withLive>
          <StepChoice
            range={range}
            scope={scope}
            now={now}
            value={step}
            onChange={(chosen) => setSearch({ step: chosen })}
          />
        </MonitorFilters>
      </Card>
      {search.mode === 'live' ? (
        // Other traffic begins anew.
        <MonitorLive key={JSON.stringify(scope)} scope={scope} />
      ) : (
        <>
          <RangeFigures range={range} scope={scope} step={step} now={now} />
          <Typography variant="caption" sx={{ color: 'text.secondary', textAlign: 'right' }}>
            {t.updated(formatClock(now) + aside(formatZone(now)))}
          </Typography>
        </>
      )}
    </Page>
  );
}

/** What `StatusClasses` shows. */
export const statusSeries = [
  'cdn.status_code_2xx',
  'cdn.status_code_3xx',
  'cdn.status_code_4xx',
  'cdn.status_code_5xx',
] as const;

interface Selection {
  range: TimeRange;
  scope: MonitorScope;
  step: Step | undefined;
  /** Renewed as often as the figures are to be. */
  now: number;
}

/** All of one read: a request for each chart would be fifteen of them every ten seconds. */
const series = [
  ...statusSeries,
  'cdn.bandwidth',
  'origin.bandwidth',
  'cdn.flux',
  'origin.flux',
  'cdn.request',
  'origin.request',
  'cdn.flux_hit_rate',
  'cdn.response_time',
  'origin.response_time',
  'cdn.unique_remote_addr',
  'cdn.attacks',
] as const;

/** Two reads: of the range, and of the same part of the week before. */
function RangeFigures({ range, scope, step, now }: Selection) {
  const figures = useFigures({ range, scope, step, series, summaries: ['cdn', 'origin'], askedAt: now });
  const before = useWeekBefore(range, scope, step);
  return (
    <>
      <SumCards figures={figures} before={before} />
      <Charts figures={figures} before={before} />
    </>
  );
}

interface Shown {
  figures: Figures;
  before: WeekBefore;
}

/** Sums of the range, each against the same time a week before. */
function SumCards({ figures, before }: Shown) {
  const t = useText(monitorText);
  const data = figures.summary('cdn');
  const origin = figures.summary('origin');
  const { error } = figures;
  const against = useAgainst(before, data);
  if (error) return <Alert severity="error">{error.message}</Alert>;
  // Null is a share of nothing, shown as a dash; undefined is still to come.
  const errorShare = data && (data.requests === 0 ? null : data.status_5xx / data.requests);
  return (
    <FigureGrid columns={5}>
      <FigureCard
        label={t.peak}
        value={data && formatBitRate(data.bandwidth_peak)}
        icon="traffic"
        tone="info"
        detail={against('bandwidth_peak')}
      />
      <FigureCard
        label={t.flux}
        value={data && formatBytes(data.flux)}
        icon="flux"
        detail={origin && t.originFlux(formatBytes(origin.flux))}
      />
      <FigureCard
        label={t.requests}
        value={data && formatCount(data.requests)}
        icon="log"
        tone="secondary"
        detail={against('requests')}
      />
      <FigureCard
        label={t.hitRate}
        value={data && formatShare(data.flux_hit_rate)}
        icon="hit"
        detail={data && t.saved(formatBytes(data.flux_hit))}
      />
      <FigureCard
        label={t.errors}
        value={data && formatCount(data.status_5xx)}
        icon="fault"
        tone={alarmTone(data?.status_5xx)}
        detail={
          errorShare !== undefined && (errorShare === null ? t.noRequests : t.share(formatShare(errorShare)))
        }
      />
    </FigureGrid>
  );
}

const wide = { gridColumn: '1 / -1', minWidth: 0 };

function Charts({ figures, before }: Shown) {
  const t = useText(monitorText);
  const { points } = figures;
  const hitRate = points('cdn.flux_hit_rate');
  const compare = useBandwidthBefore(before);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <Box sx={wide}>
        <TimeSeriesCard
          title={t.bandwidth}
          series={pair(t, points('cdn.bandwidth'), points('origin.bandwidth'))}
          compare={compare}
          format={formatBitRate}
          height={300}
        />
      </Box>
      <TimeSeriesCard
        title={t.traffic}
        series={pair(t, points('cdn.flux'), points('origin.flux'))}
        format={formatBytes}
        binary
      />
      <TimeSeriesCard
        title={t.requests}
        series={pair(t, points('cdn.request'), points('origin.request'))}
        format={formatCount}
      />
      <TimeSeriesCard
        title={t.hitRate}
        series={hitRate && [{ name: t.hitRateSeries, points: hitRate, tone: 'primary' }]}
        format={formatShare}
        max={1}
      />
      <StatusClasses figures={figures} />
      <MoreCharts figures={figures} />
    </Box>
  );
}

function MoreCharts({ figures: { points } }: Pick<Shown, 'figures'>) {
  const t = useText(monitorText);
  const visitors = points('cdn.unique_remote_addr');
  const refused = points('cdn.attacks');
  return (
    <>
      <TimeSeriesCard
        title={t.responseTime}
        series={pair(t, points('cdn.response_time'), points('origin.response_time'))}
        format={formatSeconds}
      />
      <TimeSeriesCard
        title={t.uniqueVisitors}
        series={visitors && [{ name: t.uniqueVisitors, points: visitors, tone: 'info' }]}
        format={formatCount}
      />
      <Box sx={wide}>
        <TimeSeriesCard
          title={t.refused}
          series={refused && [{ name: t.refused, points: refused, tone: 'error' }]}
          format={formatCount}
        />
      </Box>
    </>
  );
}

/** What visitors got beside what was fetched for them. */
function pair(t: { visitors: string; origin: string }, cdn: Points, origin: Points) {
  if (!cdn || !origin) return undefined;
  return [
    { name: t.visitors, points: cdn, tone: 'primary' as const },
    { name: t.origin, points: origin, tone: 'warning' as const },
  ];
}

const classes = [
  { name: '2xx', tone: 'success' },
  { name: '3xx', tone: 'info' },
  { name: '4xx', tone: 'warning' },
  { name: '5xx', tone: 'error' },
] as const;

export function StatusClasses({ figures: { points } }: Pick<Shown, 'figures'>) {
  const t = useText(monitorText);
  const found = statusSeries.map(points);
  // Undefined is on its way, null failed: one class that is missing says it for all, since they stand on one another.
  const missing = found.find((each) => !each);
  const shown = found.every((each) => each)
    ? classes.map(({ name, tone }, index) => ({ name, tone, points: found[index] ?? [] }))
    : missing;
  return <TimeSeriesCard title={t.statusClasses} series={shown} format={formatCount} stacked />;
}
