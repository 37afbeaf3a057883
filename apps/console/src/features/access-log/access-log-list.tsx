import { carriers, provinces, statisticsRoutes, type AccessLogRecord } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { findNodes, findSites, useNodeChoice, useSiteChoice } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { useCountries } from '../../kit/countries.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { placesText } from '../../kit/places.text.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { useAccessLogColumns } from './access-log-columns.tsx';
import { AccessLogDrawer } from './access-log-drawer.tsx';
import { ExportOfSearch, filtersOf } from './access-log-export.tsx';
import { LiveSwitch, NotShown } from './access-log-live.tsx';
import { Exclusions, fieldSearchOf, LongSearch } from './access-log-search.tsx';
import { accessLogText } from './access-log.text.ts';
import { useLogSearch } from './use-log-search.ts';
import { canFollow, useLogTail, withTail } from './use-log-tail.ts';

const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

export function AccessLogList() {
  const t = useText(accessLogText);
  const [search, setSearch] = useSearchState(statisticsRoutes.listAccessLogs.query);
  const [wantsLive, setLive] = useState(true);
  const asked = JSON.stringify(search);
  const [stopped, setStopped] = useState('');
  const live = wantsLive && canFollow(search) && stopped !== asked;
  const tail = useLogTail(search, live);
  const found = useLogSearch(search, stopped !== asked && tail.ready);
  const page = withTail(found.read.data, tail);
  const logs = { ...found.read, data: page };
  const [shown, setShown] = useState<AccessLogRecord | null>(null);
  const columns = useAccessLogColumns();
  const fieldSearch = fieldSearchOf(search.exclude, (patch) => {
    setShown(null);
    setSearch(patch);
  });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <LiveSwitch
            on={live}
            reason={canFollow(search) ? undefined : t.liveNot}
            fresh={page?.fresh ?? 0}
            onChange={setLive}
          />
          <ExportOfSearch filters={filtersOf(search)} />
        </>
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
        filters={
          <Stack sx={{ gap: 1.5 }}>
            <FilterBar
              savedToo={['exclude']}
              values={search}
              onChange={setSearch}
              fields={useAccessLogFilters(search)}
            />
            <Exclusions text={search.exclude} onChange={(exclude) => setSearch({ exclude })} />
            <LongSearch
              // Another search begins anew.
              key={asked}
              search={found}
              stopped={stopped === asked}
              onStop={() => setStopped(asked)}
              onAgain={() => setStopped('')}
            />
            <NotShown tail={tail} notShown={page?.notShown ?? 0} onSearch={found.again} />
          </Stack>
        }
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
      {shown && <AccessLogDrawer log={shown} search={fieldSearch} onClose={() => setShown(null)} />}
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
  const places = useText(placesText);
  const admin = useAccount().role === 'admin';
  const site = useSiteChoice(site_id);
  const node = useNodeChoice(node_id);
  const forAdmins: FilterField[] = [
    { name: 'node_id', label: t.node, kind: 'remote', load: findNodes, chosen: node },
    { name: 'node_app_id', label: t.nodeAppId, kind: 'text' },
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
    {
      name: 'refused',
      label: t.refused,
      kind: 'select',
      options: [
        { value: 'yes', label: t.refusedNames.yes },
        { value: 'no', label: t.refusedNames.no },
      ],
    },
    { name: 'text', label: t.text, kind: 'text' },
    { name: 'user_agent', label: t.fields.user_agent, kind: 'text' },
    { name: 'http_referer', label: t.fields.referer, kind: 'text' },
    { name: 'geoip_country_code', label: t.fields.country, kind: 'select', options: useCountries() },
    {
      name: 'province',
      label: t.fields.province,
      kind: 'select',
      options: provinces.map((value) => ({ value, label: places.provinceNames[value] })),
    },
    {
      name: 'carrier',
      label: t.fields.carrier,
      kind: 'select',
      options: carriers.map((value) => ({ value, label: places.carrierNames[value] })),
    },
    { name: 'asn', label: t.fields.asn, kind: 'number' },
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
