import { Alert, Box, Card, Typography } from '@mui/material';
import { intervalsSeconds } from '@breakwater/contract';
import * as z from 'zod';
import {
  stepsOf,
  useMonitorMetric,
  useMonitorSummary,
  type MonitorScope,
  type Step,
} from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
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
import { timeRange } from '../../kit/time-range.ts';
import { useNow } from '../../kit/use-now.ts';
import { MonitorLive } from './monitor-live.tsx';
import { chosenRange, MonitorFilters, monitorSearch, scopeOf } from './monitor-filters.tsx';
import { StepChoice } from './monitor-step.tsx';
import { monitorText } from './monitor.text.ts';
import { useAgainstWeekBefore, useBandwidthWeekBefore } from './week-before.ts';

const chartSearch = monitorSearch.extend({
  /** Seconds a point stands for; absent, what suits the range. */
  step: z.coerce
    .number()
    .pipe(z.literal([...intervalsSeconds]))
    .optional(),
});

export function Monitor() {
  const t = useText(monitorText);
  const [search, setSearch] = useSearchState(chartSearch);
  const [now, renew] = useNow(search.refresh * 1000);
  const range = timeRange(search.range, now, chosenRange(search));
  const scope = scopeOf(search);
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
          <Figures range={range} scope={scope} />
          <Charts range={range} scope={scope} step={step} />
          <Typography variant="caption" sx={{ color: 'text.secondary', textAlign: 'right' }}>
            {t.updated(`${formatClock(now)} (${formatZone(now)})`)}
          </Typography>
        </>
      )}
    </Page>
  );
}

interface Selection {
  range: TimeRange;
  scope: MonitorScope;
  step?: Step | undefined;
}

function Figures({ range, scope }: Selection) {
  const t = useText(monitorText);
  const { data, error } = useMonitorSummary('cdn', range, scope);
  const origin = useMonitorSummary('origin', range, scope).data;
  const against = useAgainstWeekBefore(range, scope, data);
  if (error) return <Alert severity="error">{error.message}</Alert>;
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
        icon="chart"
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
        icon="certificate"
        detail={data && t.saved(formatBytes(data.flux_hit))}
      />
      <FigureCard
        label={t.errors}
        value={data && formatCount(data.status_5xx)}
        icon="warning"
        tone="error"
        detail={errorShare !== undefined && t.share(formatShare(errorShare))}
      />
    </FigureGrid>
  );
}

const wide = { gridColumn: '1 / -1', minWidth: 0 };

function Charts({ range, scope, step }: Selection) {
  const t = useText(monitorText);
  const bandwidth = useMonitorMetric('cdn', 'bandwidth', range, scope, step);
  const before = useBandwidthWeekBefore(range, scope, step);
  const originBandwidth = useMonitorMetric('origin', 'bandwidth', range, scope, step);
  const flux = useMonitorMetric('cdn', 'flux', range, scope, step);
  const originFlux = useMonitorMetric('origin', 'flux', range, scope, step);
  const requests = useMonitorMetric('cdn', 'request', range, scope, step);
  const originRequests = useMonitorMetric('origin', 'request', range, scope, step);
  const hitRate = useMonitorMetric('cdn', 'flux_hit_rate', range, scope, step);
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
          series={pair(t, bandwidth, originBandwidth)}
          compare={before}
          format={formatBitRate}
          height={300}
        />
      </Box>
      <TimeSeriesCard title={t.traffic} series={pair(t, flux, originFlux)} format={formatBytes} binary />
      <TimeSeriesCard title={t.requests} series={pair(t, requests, originRequests)} format={formatCount} />
      <TimeSeriesCard
        title={t.hitRate}
        series={hitRate && [{ name: t.hitRateSeries, points: hitRate, tone: 'primary' }]}
        format={formatShare}
        max={1}
      />
      <StatusClasses range={range} scope={scope} step={step} />
      <MoreCharts range={range} scope={scope} step={step} />
    </Box>
  );
}

function MoreCharts({ range, scope, step }: Selection) {
  const t = useText(monitorText);
  const times = useMonitorMetric('cdn', 'response_time', range, scope, step);
  const originTimes = useMonitorMetric('origin', 'response_time', range, scope, step);
  const visitors = useMonitorMetric('cdn', 'unique_remote_addr', range, scope, step);
  const refused = useMonitorMetric('cdn', 'attacks', range, scope, step);
  return (
    <>
      <TimeSeriesCard title={t.responseTime} series={pair(t, times, originTimes)} format={formatSeconds} />
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

type Points = ReturnType<typeof useMonitorMetric>;

/** What visitors got beside what was fetched for them. */
function pair(t: { visitors: string; origin: string }, cdn: Points, origin: Points) {
  if (!cdn || !origin) return undefined;
  return [
    { name: t.visitors, points: cdn, tone: 'primary' as const },
    { name: t.origin, points: origin, tone: 'warning' as const },
  ];
}

const classes = [
  { metric: 'status_code_2xx', name: '2xx', tone: 'success' },
  { metric: 'status_code_3xx', name: '3xx', tone: 'info' },
  { metric: 'status_code_4xx', name: '4xx', tone: 'warning' },
  { metric: 'status_code_5xx', name: '5xx', tone: 'error' },
] as const;

export function StatusClasses({ range, scope, step }: Selection) {
  const t = useText(monitorText);
  const found = [
    useMonitorMetric('cdn', classes[0].metric, range, scope, step),
    useMonitorMetric('cdn', classes[1].metric, range, scope, step),
    useMonitorMetric('cdn', classes[2].metric, range, scope, step),
    useMonitorMetric('cdn', classes[3].metric, range, scope, step),
  ];
  const missing = found.find((points) => !points);
  const series = found.every((points) => points)
    ? classes.map(({ name, tone }, index) => ({ name, tone, points: found[index] ?? [] }))
    : missing;
  return <TimeSeriesCard title={t.statusClasses} series={series} format={formatCount} stacked />;
}
