import { Alert, Box } from '@mui/material';
import { useAccount } from '../../api/account.ts';
import { useMonitorMetric, useMonitorSummary } from '../../api/monitor.ts';
import { useApi } from '../../api/query.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/change.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatShare } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { timeRange } from '../../kit/time-range.ts';
import { useNow } from '../../kit/use-now.ts';
import { EndingCertificates, EndingOrders } from './home-ending.tsx';
import { FailedTasks, NodeStates, SiteDeliveries } from './home-lists.tsx';
import { homeText } from './home.text.ts';

const refreshMs = 10_000;

export function Home() {
  const t = useText(homeText);
  const account = useAccount();
  const admin = account.role === 'admin';
  const [now] = useNow(refreshMs);
  const range = timeRange('last_hour', now);
  return (
    <Page
      title={t.hello(account.name || account.username)}
      subtitle={t.lastHour}
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
        <TrafficFigures range={range} />
        {admin ? <OperatorFigures /> : <CustomerFigures />}
      </FigureGrid>
      <TrafficChart range={range} />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            lg: admin ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
          },
        }}
      >
        <SiteDeliveries />
        {admin && <NodeStates />}
        {admin && <FailedTasks />}
        <EndingCertificates now={now} />
        <EndingOrders now={now} />
      </Box>
    </Page>
  );
}

function TrafficFigures({ range }: { range: TimeRange }) {
  const t = useText(homeText);
  const { data: summary, error } = useMonitorSummary('cdn', range, {});
  const before = useMonitorSummary('cdn', aWeekBefore(range), {}).data;
  const bandwidth = useMonitorMetric('cdn', 'bandwidth', range, {});
  const known = bandwidth?.filter((point) => point.value !== null);
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
        value={known && formatBitRate(known.at(-1)?.value ?? 0)}
        detail={
          summary && (
            <TextLink target={to.monitor()}>
              {t.bandwidthPeak(formatBitRate(summary.bandwidth_peak))}
            </TextLink>
          )
        }
        icon="traffic"
        tone="info"
      />
      <FigureCard
        label={t.requests}
        value={summary && formatCount(summary.requests)}
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
        value={summary && formatShare(summary.flux_hit_rate)}
        detail={summary && <TextLink target={to.accessStats()}>{t.flux(formatBytes(summary.flux))}</TextLink>}
        icon="certificate"
      />
      <FigureCard
        label={t.errors}
        value={summary && formatCount(summary.status_5xx)}
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
        value={summary && formatCount(summary.attacks)}
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

const weekMs = 7 * 24 * 3_600_000;
const at = (time: number): string => new Date(time).toISOString();
const aWeekBefore = ({ start_time, end_time }: TimeRange): TimeRange => ({
  start_time: at(new Date(start_time).getTime() - weekMs),
  end_time: at(new Date(end_time).getTime() - weekMs),
});

function sinceLastWeek(
  t: { sinceLastWeek: (change: string) => string; noLastWeek: string },
  now: number,
  before: number,
) {
  const change = formatChange(now, before);
  return change === undefined ? t.noLastWeek : t.sinceLastWeek(change);
}

function OperatorFigures() {
  const t = useText(homeText);
  const sites = useApi('listSites', { query: { page_size: 1 } }, { refetchInterval: refreshMs }).data;
  const nodes = useApi('listNodes', { query: { page_size: 200 } }, { refetchInterval: refreshMs }).data;
  const failed = useApi(
    'listTasks',
    { query: { status: 'failed', page_size: 5 } },
    { refetchInterval: refreshMs },
  ).data;
  const serving = nodes?.list.filter((node) => node.enabled);
  const normal = serving?.filter((node) => node.status === 'normal').length ?? 0;
  return (
    <>
      <FigureCard
        label={t.sites}
        value={sites && formatCount(sites.total)}
        detail={sites && <TextLink target={to.sites()}>{t.allSites}</TextLink>}
        icon="site"
      />
      <FigureCard
        label={t.nodes}
        value={nodes && formatCount(nodes.total)}
        detail={serving && <TextLink target={to.nodes()}>{t.nodesNormal(normal, serving.length)}</TextLink>}
        icon="node"
        tone={serving && normal < serving.length ? 'error' : 'primary'}
      />
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
    </>
  );
}

function CustomerFigures() {
  const t = useText(homeText);
  const sites = useApi('listSites', { query: { page_size: 1 } }, { refetchInterval: refreshMs }).data;
  const orders = useApi('listOrders', { query: { status: 'active', page_size: 1 } }).data;
  return (
    <>
      <FigureCard label={t.sites} value={sites && formatCount(sites.total)} icon="site" />
      <FigureCard label={t.orders} value={orders && formatCount(orders.total)} icon="order" tone="info" />
    </>
  );
}

function TrafficChart({ range }: { range: TimeRange }) {
  const t = useText(homeText);
  const visitors = useMonitorMetric('cdn', 'bandwidth', range, {});
  const origin = useMonitorMetric('origin', 'bandwidth', range, {});
  const lastWeek = useMonitorMetric('cdn', 'bandwidth', aWeekBefore(range), {});
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
