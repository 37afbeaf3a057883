import { Alert, Box } from '@mui/material';
import { useAccount, useMay } from '../../api/account.ts';
import { useMonitorMetric, useMonitorSummary } from '../../api/monitor.ts';
import { useApi } from '../../api/query.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/change.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatShare } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { timeRange, weeksBefore } from '../../kit/time-range.ts';
import { RangeText } from '../../kit/time.tsx';
import { useNow } from '../../kit/use-now.ts';
import { ControlPlane } from './control-plane.tsx';
import { EndingCertificates, EndingOrders } from './home-ending.tsx';
import { FailedTasks, NodeStates, SiteDeliveries } from './home-lists.tsx';
import { homeText } from './home.text.ts';

const refreshMs = 10_000;
/** What home shows, by what reads it. */
const reads = [
  'monitorSummary',
  'listSites',
  'listNodes',
  'listTasks',
  'getSystemInfo',
  'listCertificates',
  'listOrders',
] as const;

export function Home() {
  const t = useText(homeText);
  const account = useAccount();
  const admin = account.role === 'admin';
  const may = useMay();
  const traffic = may('monitorSummary');
  const [now] = useNow(refreshMs);
  const range = timeRange('last_hour', now);
  return (
    <Page
      title={t.hello(account.name || account.username)}
      subtitle={
        traffic && (
          <>
            {t.lastHour} · <RangeText range={range} />
          </>
        )
      }
      actions={
        <>
          <LinkButton target={to.monitor()} icon="chart" variant="outlined" color="inherit">
            {t.viewMonitor}
          </LinkButton>
          <LinkButton target={to.siteCreate()} icon="add" variant="contained">
            {t.addSite}
          </LinkButton>
        </>
      }
    >
      <FigureGrid columns={4}>
        {traffic && <TrafficFigures range={range} now={now} />}
        {admin ? <OperatorFigures /> : <CustomerFigures />}
      </FigureGrid>
      {traffic && <TrafficChart range={range} />}
      {!reads.some(may) && <EmptyState icon="home" title={t.nothing} hint={t.nothingHint} />}
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            lg: admin ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
          },
          // Nothing stands alone beside an empty place.
          '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' },
        }}
      >
        {may('listNodes') && <NodeStates />}
        {may('getSystemInfo') && <ControlPlane />}
        {may('listTasks') && <FailedTasks />}
        {may('listCertificates') && <EndingCertificates now={now} />}
        {may('listOrders') && <EndingOrders now={now} />}
        {may('listSites') && <SiteDeliveries />}
      </Box>
    </Page>
  );
}

type Points = ReturnType<typeof useMonitorMetric>;
const newsMs = 5 * 60_000;

/** The last value that is known, unless that is too long ago to be called now. */
function latest(points: Points, now: number): string | undefined {
  if (points === undefined) return undefined;
  const last = points?.findLast(({ value }) => value !== null);
  return last && now - Date.parse(last.time) < newsMs ? formatBitRate(last.value ?? 0) : '–';
}

function TrafficFigures({ range, now }: { range: TimeRange; now: number }) {
  const t = useText(homeText);
  const { data: summary, error } = useMonitorSummary('cdn', range, {});
  const before = useMonitorSummary('cdn', weeksBefore(range).range, {}).data;
  const bandwidth = useMonitorMetric('cdn', 'bandwidth', range, {});
  const current = latest(bandwidth, now);
  // What no node told of is not nothing.
  const silent = bandwidth?.every(({ value }) => value === null) ?? false;
  const shown = (figure: (all: NonNullable<typeof summary>) => string) =>
    summary === undefined || bandwidth === undefined ? undefined : silent ? '–' : figure(summary);
  if (error)
    return (
      <Alert severity="error" sx={{ gridColumn: '1 / -1' }}>
        {error.message}
      </Alert>
    );
  return (
    <>
      <FigureCard
        label={t.bandwidthNow}
        value={current}
        detail={
          summary && (
            <TextLink target={to.monitor()}>
              {current === '–' ? t.noNews : t.bandwidthPeak(formatBitRate(summary.bandwidth_peak))}
            </TextLink>
          )
        }
        icon="traffic"
        tone="info"
      />
      <FigureCard
        label={t.requests}
        value={shown(({ requests }) => formatCount(requests))}
        detail={
          summary &&
          before && (
            <TextLink target={to.analysis()}>{sinceLastWeek(t, summary.requests, before.requests)}</TextLink>
          )
        }
        icon="log"
        tone="secondary"
      />
      <FigureCard
        label={t.hitRate}
        value={shown(({ flux_hit_rate }) => formatShare(flux_hit_rate))}
        detail={summary && <TextLink target={to.accessStats()}>{t.flux(formatBytes(summary.flux))}</TextLink>}
        icon="certificate"
      />
      <FigureCard
        label={t.errors}
        value={shown(({ status_5xx }) => formatCount(status_5xx))}
        detail={
          summary && (
            <TextLink target={to.accessStats()}>
              {t.shareOfRequests(
                formatShare(summary.requests === 0 ? null : summary.status_5xx / summary.requests),
              )}
            </TextLink>
          )
        }
        icon="warning"
        tone={summary && summary.status_5xx > 0 ? 'error' : 'primary'}
      />
      <FigureCard
        label={t.attacks}
        value={shown(({ attacks }) => formatCount(attacks))}
        detail={
          summary && (
            <TextLink target={to.attackStats()}>
              {before ? sinceLastWeek(t, summary.attacks, before.attacks) : t.seeRefused}
            </TextLink>
          )
        }
        icon="warning"
        tone="warning"
      />
    </>
  );
}

function sinceLastWeek(
  t: { sinceLastWeek: (change: string) => string; noLastWeek: string },
  now: number,
  before: number,
) {
  const change = formatChange(now, before);
  return change === undefined ? t.noLastWeek : t.sinceLastWeek(change);
}

function OperatorFigures() {
  const may = useMay();
  return (
    <>
      {may('listSites') && <SiteFigure />}
      {may('listNodes') && <NodeFigure />}
      {may('listTasks') && <FailedTaskFigure />}
    </>
  );
}

function SiteFigure() {
  const t = useText(homeText);
  const sites = useApi('listSites', { query: { page_size: 1 } }, { refetchInterval: refreshMs }).data;
  return (
    <FigureCard
      label={t.sites}
      value={sites && formatCount(sites.total)}
      detail={sites && <TextLink target={to.sites()}>{t.allSites}</TextLink>}
      icon="site"
    />
  );
}

function NodeFigure() {
  const t = useText(homeText);
  const nodes = useApi('listNodes', { query: { page_size: 200 } }, { refetchInterval: refreshMs }).data;
  const serving = nodes?.list.filter((node) => node.enabled);
  const normal = serving?.filter((node) => node.status === 'normal').length ?? 0;
  return (
    <FigureCard
      label={t.nodes}
      value={nodes && formatCount(nodes.total)}
      detail={serving && <TextLink target={to.nodes()}>{t.nodesNormal(normal, serving.length)}</TextLink>}
      icon="node"
      tone={serving && normal < serving.length ? 'error' : 'primary'}
    />
  );
}

function FailedTaskFigure() {
  const t = useText(homeText);
  const failed = useApi(
    'listTasks',
    { query: { status: 'failed', page_size: 5 } },
    { refetchInterval: refreshMs },
  ).data;
  return (
    <FigureCard
      label={t.failedTasks}
      value={failed && formatCount(failed.total)}
      detail={
        failed && (
          <TextLink target={to.tasks({ status: 'failed' })}>
            {failed.total === 0 ? t.noFailed : t.allTasks}
          </TextLink>
        )
      }
      icon="task"
      tone={failed && failed.total > 0 ? 'error' : 'primary'}
    />
  );
}

function CustomerFigures() {
  const may = useMay();
  return (
    <>
      {may('listSites') && <SiteFigure />}
      {may('listOrders') && <OrderFigure />}
    </>
  );
}

function OrderFigure() {
  const t = useText(homeText);
  const orders = useApi('listOrders', { query: { status: 'active', page_size: 1 } }).data;
  return <FigureCard label={t.orders} value={orders && formatCount(orders.total)} icon="order" tone="info" />;
}

function TrafficChart({ range }: { range: TimeRange }) {
  const t = useText(homeText);
  const visitors = useMonitorMetric('cdn', 'bandwidth', range, {});
  const origin = useMonitorMetric('origin', 'bandwidth', range, {});
  const lastWeek = useMonitorMetric('cdn', 'bandwidth', weeksBefore(range).range, {});
  const known = lastWeek?.some(({ value }) => value !== null);
  return (
    <TimeSeriesCard
      title={t.traffic}
      height={280}
      format={formatBitRate}
      compare={known ? [{ name: t.lastWeek, points: lastWeek ?? [], tone: 'info' }] : undefined}
      series={
        visitors &&
        origin && [
          { name: t.visitors, points: visitors, tone: 'primary' },
          { name: t.origin, points: origin, tone: 'warning' },
        ]
      }
    />
  );
}
