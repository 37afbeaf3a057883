import { Alert, Box } from '@mui/material';
import { Suspense } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/format-change.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { alarmTone, FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatShare } from '../../kit/format.ts';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { RangeText } from '../../kit/time.tsx';
import { useNow } from '../../kit/use-now.ts';
import { ControlPlane } from './control-plane.tsx';
import { EndingCertificates, EndingOrders, WronglyServed } from './home-ending.tsx';
import { FailedTasks, NodeStates, SiteDeliveries } from './home-lists.tsx';
import {
  useHomeState,
  useHomeStatistics,
  useHomeTrends,
  type HomeFigure,
  type HomeState,
  type HomeTrends,
} from './home-reads.ts';
import { homeText } from './home.text.ts';
import { useGuide } from './use-guide.ts';

const SetupGuide = lazyPart(() => import('./setup-guide.tsx').then((module) => module.SetupGuide));

/**
 * The first screen: figures of the last hour, the state of what the reader may see, and what needs somebody. New
 * installations begin with the guide.
 */
export function Home() {
  const t = useText(homeText);
  const account = useAccount();
  const may = useMay();
  const traffic = may('getDashboardStatistics');
  const state = useHomeState();
  const guide = useGuide();
  return (
    <Page
      title={t.hello(account.name || account.username)}
      subtitle={traffic && <LastHour />}
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
      {guide.setup && (
        <Suspense>
          <SetupGuide setup={guide.setup} onClose={guide.close} />
        </Suspense>
      )}
      <FigureGrid columns={4}>
        {traffic && <TrafficFigures />}
        <StateFigures state={state.data} admin={account.role === 'admin'} />
      </FigureGrid>
      {traffic && <TrafficChart />}
      <Loaded read={state}>{(parts) => <HomeLists parts={parts} traffic={traffic} />}</Loaded>
    </Page>
  );
}

function LastHour() {
  const t = useText(homeText);
  const { data } = useHomeStatistics();
  return (
    <>
      {t.lastHour}
      {data && (
        <>
          {' · '}
          <RangeText range={data} />
        </>
      )}
    </>
  );
}

function HomeLists({ parts, traffic }: { parts: HomeState; traffic: boolean }) {
  const t = useText(homeText);
  const may = useMay();
  const [now] = useNow(60_000);
  // A part is null where the reader may not read it.
  const { sites, nodes, certificates, served, orders, tasks } = parts;
  const machine = may('getSystemInfo');
  if (!traffic && !machine && Object.values(parts).every((part) => part === null))
    return <EmptyState icon="home" title={t.nothing} hint={t.nothingHint} />;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          // Customers have sites alone, mostly: their list takes the whole width.
          lg: nodes || machine || tasks ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
        },
        // Nothing stands alone beside an empty place.
        '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' },
      }}
    >
      {nodes && <NodeStates nodes={nodes} />}
      {machine && <ControlPlane />}
      {tasks && tasks.failed > 0 && <FailedTasks tasks={tasks} />}
      {served && served.total > 0 && <WronglyServed served={served} />}
      {certificates && certificates.list.length > 0 && (
        <EndingCertificates certificates={certificates} now={now} />
      )}
      {orders && orders.list.length > 0 && <EndingOrders orders={orders} now={now} />}
      {sites && <SiteDeliveries sites={sites} />}
    </Box>
  );
}

type Points = HomeTrends['visitors'];
/** After so long a value is no longer called the present one: nodes are silent, or nobody has told the log store. */
const newsMs = 5 * 60_000;

/** The last value that is known, unless that is too long ago to be called now. */
function latest(points: Points | undefined, now: number): string {
  const last = points?.findLast(({ value }) => value !== null);
  return last && now - Date.parse(last.time) < newsMs ? formatBitRate(last.value ?? 0) : '–';
}

/** Figures of the last hour against the same hour a week before. A dash stands where no node told of anything. */
function TrafficFigures() {
  const t = useText(homeText);
  const { data, error } = useHomeStatistics();
  const { summary, before } = data ?? {};
  const trends = useHomeTrends();
  const [now] = useNow(10_000);
  const current = trends === undefined ? undefined : latest(trends?.visitors, now);
  // What no node told of is not nothing.
  const silent = trends?.visitors.every(({ value }) => value === null) ?? false;
  const shown = (figure: (all: NonNullable<typeof summary>) => string) =>
    summary === undefined || trends === undefined ? undefined : silent ? '–' : figure(summary);
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
          before !== undefined && (
            <TextLink target={to.analysis()}>
              {before ? sinceLastWeek(t, summary.requests, before.requests) : t.noLastWeek}
            </TextLink>
          )
        }
        icon="log"
        tone="secondary"
      />
      <FigureCard
        label={t.hitRate}
        value={shown(({ flux_hit_rate }) => formatShare(flux_hit_rate))}
        detail={summary && <TextLink target={to.accessStats()}>{t.flux(formatBytes(summary.flux))}</TextLink>}
        icon="hit"
      />
      <FigureCard
        label={t.errors}
        value={shown(({ status_5xx }) => formatCount(status_5xx))}
        detail={
          summary && (
            <TextLink target={to.accessStats()}>
              {summary.requests === 0
                ? t.statusCodes
                : t.shareOfRequests(formatShare(summary.status_5xx / summary.requests))}
            </TextLink>
          )
        }
        icon="fault"
        tone={alarmTone(summary?.status_5xx)}
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
        icon="refused"
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

/** Of what the reader may see; what is still to be read has its place. */
function StateFigures({ state, admin }: { state: HomeState | undefined; admin: boolean }) {
  // How many orders there are says something to whoever bought them, not to operators.
  const may = useMay();
  return (
    <>
      {may('listSites') && <SiteFigure sites={state?.sites} />}
      {may('listNodes') && <NodeFigure nodes={state?.nodes} />}
      {may('listTasks') && <FailedTaskFigure tasks={state?.tasks} />}
      {!admin && may('listOrders') && <OrderFigure orders={state?.orders} />}
    </>
  );
}

function SiteFigure({ sites }: HomeFigure<'sites'>) {
  const t = useText(homeText);
  return (
    <FigureCard
      label={t.sites}
      value={sites ? formatCount(sites.total) : undefined}
      detail={sites && <TextLink target={to.sites()}>{t.allSites}</TextLink>}
      icon="site"
    />
  );
}

function NodeFigure({ nodes }: HomeFigure<'nodes'>) {
  const t = useText(homeText);
  return (
    <FigureCard
      label={t.nodes}
      value={nodes ? formatCount(nodes.total) : undefined}
      detail={nodes && <TextLink target={to.nodes()}>{t.nodesNormal(nodes.normal, nodes.enabled)}</TextLink>}
      icon="node"
      tone={nodes && nodes.normal < nodes.enabled ? 'error' : 'primary'}
    />
  );
}

function FailedTaskFigure({ tasks }: HomeFigure<'tasks'>) {
  const t = useText(homeText);
  return (
    <FigureCard
      label={t.failedTasks}
      value={tasks ? formatCount(tasks.failed) : undefined}
      detail={
        tasks && (
          <TextLink target={to.tasks({ status: 'failed' })}>
            {tasks.failed === 0 ? t.noFailed : t.seeFailed}
          </TextLink>
        )
      }
      icon="task"
      tone={alarmTone(tasks?.failed)}
    />
  );
}

function OrderFigure({ orders }: HomeFigure<'orders'>) {
  const t = useText(homeText);
  return (
    <FigureCard
      label={t.orders}
      value={orders ? formatCount(orders.active) : undefined}
      icon="order"
      tone="info"
    />
  );
}

function TrafficChart() {
  const t = useText(homeText);
  const trends = useHomeTrends();
  // An installation younger than a week would be compared with a line along the bottom, read as a week without traffic.
  const known = trends?.before?.some(({ value }) => value !== null);
  return (
    <TimeSeriesCard
      title={t.traffic}
      height={280}
      format={formatBitRate}
      compare={known ? [{ name: t.lastWeek, points: trends?.before ?? [], tone: 'info' }] : undefined}
      series={
        trends && [
          { name: t.visitors, points: trends.visitors, tone: 'primary' },
          { name: t.origin, points: trends.origin, tone: 'warning' },
        ]
      }
    />
  );
}
