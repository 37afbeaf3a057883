import { Stack } from '@mui/material';
import { useMemo, useState } from 'react';
import type { Row } from '../../../api/client.ts';
import { useFigures } from '../../../api/monitor.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { TimeSeriesCard } from '../../../kit/charts/time-series.tsx';
import { DataTable, type Column } from '../../../kit/table/data-table.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { formatBytes, formatCount, formatSeconds } from '../../../kit/format.ts';
import { to } from '../../../kit/links.ts';
import { SectionHeading } from '../../../kit/page.tsx';
import { LinkButton, TextLink } from '../../../kit/router-link.tsx';
import { roundedNow, timeRange } from '../../../kit/time-range.ts';
import { Time } from '../../../kit/time.tsx';
import { useNow } from '../../../kit/use-now.ts';
import { useSite } from '../context.tsx';
import { siteText } from '../site.text.ts';

const refreshMs = 3000;
type LogRow = Row<'listAccessLogs'>;

/** The latest requests of one site; searching them by every field is the access-log screen's work. */
export function SiteLogs() {
  const t = useText(siteText).logs;
  const { site } = useSite();
  const [now] = useNow(refreshMs);
  const requests = useFigures({
    range: timeRange('last_hour', roundedNow(now)),
    scope: { site_id: site.id },
    series: ['cdn.request'],
    askedAt: now,
  }).points('cdn.request');
  const [paging, setPaging] = useState({ current_page: 1, page_size: 20 });
  const logs = useApi(
    'listAccessLogs',
    { query: { site_id: site.id, ...paging } },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const columns = useMemo<Column<LogRow>[]>(
    () => [
      {
        id: 'time',
        header: t.time,
        cell: (log) => (
          <TextLink target={to.accessLogs({ request_id: log.request_id })}>
            <Time at={log.time} />
          </TextLink>
        ),
      },
      { id: 'status', header: t.status, align: 'right', cell: (log) => log.status },
      { id: 'cache', header: t.cache, cell: (log) => log.cache_status || '–' },
      { id: 'method', header: t.method, cell: (log) => log.method },
      {
        id: 'uri',
        header: t.uri,
        cell: (log) => <span style={{ overflowWrap: 'anywhere' }}>{`${log.host}${log.request_uri}`}</span>,
      },
      { id: 'client', header: t.client, cell: (log) => log.remote_addr },
      { id: 'size', header: t.size, align: 'right', cell: (log) => formatBytes(log.bytes_sent) },
      { id: 'duration', header: t.duration, align: 'right', cell: (log) => formatSeconds(log.request_time) },
    ],
    [t],
  );
  return (
    <Stack sx={{ gap: 3 }}>
      <TimeSeriesCard
        title={t.requests}
        series={requests && [{ name: t.requests, points: requests, tone: 'primary' }]}
        format={formatCount}
        height={200}
      />
      <DataTable
        label={t.recent}
        id="site-logs"
        columns={columns}
        read={logs}
        rowKey={(log) => log.request_id}
        rowName={(log) => log.request_id}
        onPage={(change) => setPaging({ ...paging, current_page: 1, ...change })}
        filters={<SectionHeading title={t.recent} hint={t.hint} />}
        actions={
          <LinkButton target={to.accessLogs({ site_id: site.id })} size="small">
            {t.all}
          </LinkButton>
        }
        empty={<EmptyState icon="log" title={t.empty} hint={t.emptyHint} />}
      />
    </Stack>
  );
}
