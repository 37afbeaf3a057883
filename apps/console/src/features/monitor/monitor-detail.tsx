import { Alert, Box, Card } from '@mui/material';
import { useAccount } from '../../api/account.ts';
import { useMonitorMetric, useMonitorSummary } from '../../api/monitor.ts';
import { useApi } from '../../api/query.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { formatChange } from '../../kit/change.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { useDecisionName } from '../../kit/decision.ts';
import { DetailPage } from '../../kit/detail-page.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatSeconds, formatShare } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useIdParam, useSearchState } from '../../kit/search-state.ts';
import { pageLink, rankedSearch, RankingGrid, RankingOf, useRanked, type Selection } from './analysis.tsx';
import { StatusClasses } from './monitor.tsx';
import { RangeBar } from './monitor-range.tsx';
import { monitorDetailText } from './monitor-detail.text.ts';

/** One site in depth: its figures against the period before, its charts, and who and what had the most of it. */
export function MonitorDetail() {
  const t = useText(monitorDetailText);
  const id = useIdParam();
  const site = useApi('getSite', { params: { id } });
  const [search, setSearch] = useSearchState(rankedSearch);
  const { renew, shared } = useRanked({ ...search, site_id: id });
  const about = { ...shared.range, site_id: id };
  return (
    <DetailPage
      read={site}
      label={t.label}
      back={{ target: to.monitor({ site_id: id }), label: t.back }}
      title={({ domains }) => domains[0] ?? `#${id}`}
      subtitle={() => t.subtitle(id)}
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
            <RangeBar search={search} onChange={setSearch} onRefresh={renew} />
          </Card>
          <SiteFigures {...shared} />
          <SiteCharts {...shared} />
          <SiteRankings {...shared} siteId={id} />
        </>
      )}
    </DetailPage>
  );
}

/** As long a time, just before. */
function periodBefore({ start_time, end_time }: TimeRange): TimeRange {
  const start = Date.parse(start_time);
  return { start_time: new Date(2 * start - Date.parse(end_time)).toISOString(), end_time: start_time };
}

function SiteFigures({ range, scope }: Selection) {
  const t = useText(monitorDetailText);
  const { data, error } = useMonitorSummary('cdn', range, scope);
  const before = useMonitorSummary('cdn', periodBefore(range), scope).data;
  if (error) return <Alert severity="error">{error.message}</Alert>;
  const against = (now: number | undefined, then: number | undefined) => {
    if (now === undefined || then === undefined) return undefined;
    const change = formatChange(now, then);
    return change === undefined ? t.noBefore : t.against(change);
  };
  return (
    <FigureGrid columns={4}>
      <FigureCard
        label={t.requests}
        value={data && formatCount(data.requests)}
        detail={against(data?.requests, before?.requests)}
        icon="log"
        tone="secondary"
      />
      <FigureCard
        label={t.flux}
        value={data && formatBytes(data.flux)}
        detail={against(data?.flux, before?.flux)}
        icon="chart"
      />
      <FigureCard
        label={t.peak}
        value={data && formatBitRate(data.bandwidth_peak)}
        detail={against(data?.bandwidth_peak, before?.bandwidth_peak)}
        icon="traffic"
        tone="info"
      />
      <FigureCard label={t.hitRate} value={data && formatShare(data.flux_hit_rate)} icon="certificate" />
      <FigureCard
        label={t.errors}
        value={data && formatCount(data.status_5xx)}
        detail={against(data?.status_5xx, before?.status_5xx)}
        icon="warning"
        tone="error"
      />
      <FigureCard
        label={t.refused}
        value={data && formatCount(data.attacks)}
        detail={against(data?.attacks, before?.attacks)}
        icon="warning"
        tone="warning"
      />
      <FigureCard
        label={t.responseTime}
        value={data && (data.response_time === null ? '–' : formatSeconds(data.response_time))}
        icon="clock"
      />
    </FigureGrid>
  );
}

function SiteCharts({ range, scope }: Selection) {
  const t = useText(monitorDetailText);
  const bandwidth = useMonitorMetric('cdn', 'bandwidth', range, scope);
  const origin = useMonitorMetric('origin', 'bandwidth', range, scope);
  const before = useMonitorMetric('cdn', 'bandwidth', periodBefore(range), scope);
  const hitRate = useMonitorMetric('cdn', 'flux_hit_rate', range, scope);
  const refused = useMonitorMetric('cdn', 'attacks', range, scope);
  const times = useMonitorMetric('cdn', 'response_time', range, scope);
  const known = before?.some(({ value }) => value !== null);
  return (
    <RankingGrid>
      <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
        <TimeSeriesCard
          title={t.bandwidth}
          height={300}
          format={formatBitRate}
          compare={known ? [{ name: t.visitors, points: before ?? [], tone: 'info' }] : undefined}
          series={
            bandwidth &&
            origin && [
              { name: t.visitors, points: bandwidth, tone: 'primary' },
              { name: t.origin, points: origin, tone: 'warning' },
            ]
          }
        />
      </Box>
      <StatusClasses range={range} scope={scope} />
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
  );
}

function SiteRankings({ siteId, ...shared }: Selection & { siteId: number }) {
  const t = useText(monitorDetailText);
  const decisionName = useDecisionName();
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
        nameOf={decisionName}
        link={(decision) => to.refusedLogs({ ...shared.range, site_id: siteId, decision })}
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
