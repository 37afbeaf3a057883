import { Alert, Card } from '@mui/material';
import { useAccount } from '../../api/account.ts';
import { useFigures, type Figures } from '../../api/monitor.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { refusalSearch, useRefusalName } from '../../domain/decision.ts';
import { DetailPage } from '../../kit/detail-page.tsx';
import { alarmTone, FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatSeconds, formatShare } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { pageLink, rankedSearch, RankingGrid, RankingOf, useRanked, type Selection } from './analysis.tsx';
import { StatusClasses, statusSeries } from './monitor.tsx';
import { RangeBar } from './monitor-range.tsx';
import { monitorDetailText } from './monitor-detail.text.ts';
import { useAgainst, useBandwidthBefore, useWeekBefore, type WeekBefore } from './week-before.ts';

/** One site in depth: its figures against the period before, its charts, and who and what had the most of it. */
export function MonitorDetail() {
  const t = useText(monitorDetailText);
  const id = useIdParam();
  const site = useApi('getSite', { params: { id } });
  const [search, setSearch] = useSearchState(rankedSearch);
  // The address may name another site's filter; the path decides.
  const { renew, shared } = useRanked({ ...search, site_id: id });
  // What links to the records behind a figure carry: the same time and the site.
  const about = { ...shared.range, site_id: id };
  return (
    <DetailPage
      read={site}
      label={t.label}
      back={{ target: to.monitor({ site_id: id }), label: t.back }}
      title={({ domains }) => domains[0] ?? `#${id}`}
      subtitle={() => t.subtitle}
      actions={() => (
        <>
          <LinkButton target={to.accessLogs(about)} icon="log" variant="outlined" color="inherit">
            {t.logs}
          </LinkButton>
          <LinkButton target={to.siteDetail({ id })} icon="site" variant="outlined" color="inherit">
            {t.site}
          </LinkButton>
        </>
      )}
    >
      {() => (
        <>
          <Card sx={{ p: 2 }}>
            <RangeBar search={search} range={shared.range} onChange={setSearch} onRefresh={renew} />
          </Card>
          <SiteFigures {...shared} />
          <SiteRankings {...shared} siteId={id} />
        </>
      )}
    </DetailPage>
  );
}

const series = [
  ...statusSeries,
  'cdn.bandwidth',
  'origin.bandwidth',
  'cdn.flux_hit_rate',
  'cdn.attacks',
  'cdn.response_time',
] as const;

/** One read for all sums and charts of the site, and one for the week before. */
function SiteFigures({ range, scope, askedAt }: Selection) {
  const figures = useFigures({ range, scope, series, summaries: ['cdn'], askedAt });
  const before = useWeekBefore(range, scope);
  return (
    <>
      <SiteSums figures={figures} before={before} />
      <SiteCharts figures={figures} before={before} />
    </>
  );
}

interface Shown {
  figures: Figures;
  before: WeekBefore;
}

function SiteSums({ figures, before }: Shown) {
  const t = useText(monitorDetailText);
  const data = figures.summary('cdn');
  const { error } = figures;
  const against = useAgainst(before, data);
  if (error) return <Alert severity="error">{error.message}</Alert>;
  return (
    <FigureGrid columns={4}>
      <FigureCard
        label={t.requests}
        value={data && formatCount(data.requests)}
        detail={against('requests')}
        icon="log"
        tone="secondary"
      />
      <FigureCard
        label={t.flux}
        value={data && formatBytes(data.flux)}
        detail={against('flux')}
        icon="flux"
      />
      <FigureCard
        label={t.peak}
        value={data && formatBitRate(data.bandwidth_peak)}
        detail={against('bandwidth_peak')}
        icon="traffic"
        tone="info"
      />
      <FigureCard label={t.hitRate} value={data && formatShare(data.flux_hit_rate)} icon="hit" />
      <FigureCard
        label={t.errors}
        value={data && formatCount(data.status_5xx)}
        detail={against('status_5xx')}
        icon="fault"
        tone={alarmTone(data?.status_5xx)}
      />
      <FigureCard
        label={t.refused}
        value={data && formatCount(data.attacks)}
        detail={against('attacks')}
        icon="refused"
        tone="warning"
      />
      <FigureCard
        label={t.responseTime}
        value={data && (data.response_time === null ? '–' : formatSeconds(data.response_time))}
        icon="wait"
      />
    </FigureGrid>
  );
}

function SiteCharts({ figures, before }: Shown) {
  const t = useText(monitorDetailText);
  const { points } = figures;
  const bandwidth = points('cdn.bandwidth');
  const origin = points('origin.bandwidth');
  const hitRate = points('cdn.flux_hit_rate');
  const refused = points('cdn.attacks');
  const times = points('cdn.response_time');
  const compare = useBandwidthBefore(before);
  return (
    <>
      <TimeSeriesCard
        title={t.bandwidth}
        height={300}
        format={formatBitRate}
        compare={compare}
        series={
          bandwidth &&
          origin && [
            { name: t.visitors, points: bandwidth, tone: 'primary' },
            { name: t.origin, points: origin, tone: 'warning' },
          ]
        }
      />
      <RankingGrid>
        <StatusClasses figures={figures} />
        <TimeSeriesCard
          title={t.hitRate}
          series={hitRate && [{ name: t.hitRate, points: hitRate, tone: 'primary' }]}
          format={formatShare}
          max={1}
        />
        <TimeSeriesCard
          title={t.responseTime}
          series={times && [{ name: t.responseTime, points: times, tone: 'info' }]}
          format={formatSeconds}
        />
        <TimeSeriesCard
          title={t.refused}
          series={refused && [{ name: t.refused, points: refused, tone: 'error' }]}
          format={formatCount}
        />
      </RankingGrid>
    </>
  );
}

function SiteRankings({ siteId, ...shared }: Selection & { siteId: number }) {
  const t = useText(monitorDetailText);
  const refusalName = useRefusalName();
  const admin = useAccount().role === 'admin';
  const logs = (part: Record<string, string>) => to.accessLogs({ ...shared.range, site_id: siteId, ...part });
  return (
    <RankingGrid>
      <RankingOf {...shared} name="rankHosts" title={t.hosts} link={(host) => logs({ host })} />
      <RankingOf {...shared} name="rankUrls" title={t.pages} link={(name) => pageLink(name, logs)} />
      <RankingOf
        {...shared}
        name="rankAddresses"
        title={t.addresses}
        link={(remote_addr) => logs({ remote_addr })}
      />
      <RankingOf
        {...shared}
        name="rankRefusals"
        title={t.rules}
        rankName={({ name, rule }) => refusalName({ name, rule })}
        link={(name) => to.refusedLogs({ ...shared.range, ...refusalSearch(name) })}
      />
      <RankingOf
        {...shared}
        name="rankStatuses"
        title={t.statuses}
        link={(status_code) => logs({ status_code })}
      />
      <RankingOf
        {...shared}
        name="rankCacheStates"
        title={t.cacheStates}
        link={(cache_status) => logs({ cache_status })}
      />
      {/* Nodes are the operators'. */}
      {admin && (
        <RankingOf
          {...shared}
          name="rankNodes"
          title={t.nodes}
          link={(id) => to.nodeDetail({ id: Number(id) })}
        />
      )}
    </RankingGrid>
  );
}
