import { statisticsRoutes, type AccessLogRecord } from '@breakwater/contract';
import { FormControlLabel, Switch, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { findNodes, findSites, useNodeChoice, useSiteChoice } from '../../api/options.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { AccessLogDrawer } from './access-log-drawer.tsx';
import { accessLogText } from './access-log.text.ts';

const refreshMs = 3000;
const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

export const firstRead = firstPageOf('listAccessLogs', statisticsRoutes.listAccessLogs.query);

export function AccessLogList() {
  const t = useText(accessLogText);
  const [search, setSearch] = useSearchState(statisticsRoutes.listAccessLogs.query);
  const [live, setLive] = useState(true);
  const logs = useApi(
    'listAccessLogs',
    { query: search },
    { keepPrevious: true, refetchInterval: live ? refreshMs : false },
  );
  const [shown, setShown] = useState<AccessLogRecord | null>(null);
  const columns = useAccessLogColumns();
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <FormControlLabel
          control={<Switch checked={live} onChange={(_, on) => setLive(on)} />}
          label={t.live}
          sx={{ mr: 0 }}
        />
      }
    >
      <DataTable
        label={t.title}
        id="access-logs"
        columns={columns}
        read={logs}
        rowKey={(log) => log.request_id}
        rowName={(log) => log.request_id}
        onPage={setSearch}
        onRowClick={setShown}
        filtered={Object.entries(search).some(
          ([name, value]) => value !== undefined && !notFilters.includes(name),
        )}
        filters={<FilterBar values={search} onChange={setSearch} fields={useAccessLogFilters(search)} />}
        empty={
          <EmptyState
            icon="log"
            title={t.empty}
            hint={t.emptyHint}
            action={
              <LinkButton target={to.sites()} icon="site" variant="contained">
                {t.site}
              </LinkButton>
            }
          />
        }
      />
      {shown && <AccessLogDrawer log={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

const cacheStates = ['HIT', 'MISS', 'EXPIRED', 'STALE', 'UPDATING', 'REVALIDATED', 'BYPASS'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

interface Chosen {
  site_id?: number | undefined;
  node_id?: number | undefined;
}

function useAccessLogFilters({ site_id, node_id }: Chosen): FilterField[] {
  const t = useText(accessLogText);
  const admin = useAccount().role === 'admin';
  const site = useSiteChoice(site_id);
  const node = useNodeChoice(node_id);
  const forAdmins: FilterField[] = [
    { name: 'node_id', label: t.node, kind: 'remote', load: findNodes, chosen: node },
    { name: 'client_id', label: t.fields.client_id, kind: 'number' },
  ];
  return [
    {
      name: { start: 'start_time', end: 'end_time' },
      label: t.fields.time,
      kind: 'range',
      inBar: true,
    },
    { name: 'host', label: t.fields.host, kind: 'text', inBar: true },
    { name: 'request_uri', label: t.fields.request_uri, kind: 'text', inBar: true },
    { name: 'status_code', label: t.fields.status, kind: 'number', inBar: true },
    { name: 'site_id', label: t.site, kind: 'remote', load: findSites, chosen: site },
    ...(admin ? forAdmins : []),
    { name: 'order_id', label: t.fields.order_id, kind: 'number' },
    { name: 'remote_addr', label: t.fields.remote_addr, kind: 'text' },
    { name: 'method', label: t.fields.method, kind: 'select', options: asOptions(methods) },
    { name: 'cache_status', label: t.fields.cache_status, kind: 'select', options: asOptions(cacheStates) },
    { name: 'http_referer', label: t.fields.referer, kind: 'text' },
    { name: 'request_id', label: t.fields.request_id, kind: 'text' },
    {
      name: 'time_sort',
      label: t.timeSort,
      kind: 'select',
      byDefault: 'desc',
      options: [
        { value: 'desc', label: t.newest },
        { value: 'asc', label: t.oldest },
      ],
    },
  ];
}

const statusTone = (status: number): Tone =>
  status >= 500 ? 'error' : status >= 400 ? 'warning' : status >= 300 ? 'info' : 'success';
const cacheTone = (status: string): Tone =>
  ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(status) ? 'success' : 'neutral';

function useAccessLogColumns(): Column<AccessLogRecord>[] {
  const t = useText(accessLogText).fields;
  return useMemo(
    () => [
      { id: 'time', header: t.time, cell: (log) => <Time at={log.time} /> },
      {
        id: 'status',
        header: t.status,
        cell: (log) => <StatusChip tone={statusTone(log.status)} label={String(log.status)} />,
      },
      { id: 'method', header: t.method, cell: (log) => log.method },
      {
        id: 'request_uri',
        header: t.request_uri,
        cell: (log) => (
          <>
            <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {log.host}
            </Typography>
            <Typography
              variant="body2"
              sx={{ color: 'text.secondary', overflowWrap: 'anywhere', maxWidth: 420 }}
            >
              {log.request_uri}
            </Typography>
          </>
        ),
      },
      {
        id: 'cache_status',
        header: t.cache_status,
        cell: (log) =>
          log.cache_status ? <StatusChip tone={cacheTone(log.cache_status)} label={log.cache_status} /> : '–',
      },
      { id: 'remote_addr', header: t.remote_addr, cell: (log) => log.remote_addr },
      { id: 'bytes_sent', header: t.bytes_sent, align: 'right', cell: (log) => formatBytes(log.bytes_sent) },
      {
        id: 'request_time',
        header: t.request_time,
        align: 'right',
        cell: (log) => formatSeconds(log.request_time),
      },
      { id: 'origin_addr', header: t.origin_addr, hidden: true, cell: (log) => log.origin_addr || '–' },
      {
        id: 'origin_status',
        header: t.origin_status,
        hidden: true,
        align: 'right',
        cell: (log) => log.origin_status || '–',
      },
      { id: 'protocol', header: t.protocol, hidden: true, cell: (log) => log.protocol },
      { id: 'user_agent', header: t.user_agent, hidden: true, cell: (log) => log.user_agent || '–' },
      { id: 'referer', header: t.referer, hidden: true, cell: (log) => log.referer || '–' },
      { id: 'request_id', header: t.request_id, hidden: true, cell: (log) => log.request_id },
    ],
    [t],
  );
}
