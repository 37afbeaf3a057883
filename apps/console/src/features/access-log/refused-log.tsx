import { statisticsRoutes, type AccessLogRecord, type Province } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useCountryName } from '../../kit/countries.ts';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { useDecisionName } from '../../domain/decision.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { placesText } from '../../domain/places.text.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { useAccessLogColumns } from './access-log-columns.tsx';
import { AccessLogDrawer } from './access-log-drawer.tsx';
import { ExportOfSearch, filtersOf } from './access-log-export.tsx';
import { Exclusions } from './access-log-search.tsx';
import { accessLogText } from './access-log.text.ts';
import { fieldSearchOf } from './field-search.ts';
import { refusedLogText } from './refused-log.text.ts';
import { useLogFilters } from './use-log-filters.ts';

const query = statisticsRoutes.listRefusedRequests.query;
const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

export const firstRead = firstPageOf('listRefusedRequests', query);

/** The records of what rules refused. */
export function RefusedLog() {
  const t = useText(refusedLogText);
  const logsText = useText(accessLogText);
  const [search, setSearch] = useSearchState(query);
  const logs = useApi(
    'listRefusedRequests',
    { query: search },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  const [shown, setShown] = useState<AccessLogRecord | null>(null);
  const fieldSearch = fieldSearchOf({
    exclude: search.exclude,
    setSearch: (patch) => {
      setShown(null);
      setSearch(patch);
    },
    onFull: () => notify.error(logsText.excludeFull),
  });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <ExportOfSearch filters={{ ...filtersOf(search), refused: 'yes' }} />
          <LinkButton target={to.attackStats()} icon="chart" variant="outlined" color="inherit">
            {t.stats}
          </LinkButton>
        </>
      }
    >
      <DataTable
        label={t.title}
        id="refused-logs"
        columns={useRefusedColumns()}
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
              problemOf={useFilterProblems(query)}
              fields={useLogFilters(search, ['start_time', 'decision', 'remote_addr', 'site_id'])}
            />
            <Exclusions text={search.exclude} onChange={(exclude) => setSearch({ exclude })} />
          </Stack>
        }
        empty={
          <EmptyState
            icon="warning"
            title={t.empty}
            hint={t.emptyHint}
            action={
              <LinkButton target={to.sites()} icon="site" variant="contained">
                {t.allSites}
              </LinkButton>
            }
          />
        }
      />
      {shown && <AccessLogDrawer log={shown} search={fieldSearch} onClose={() => setShown(null)} />}
    </Page>
  );
}

function useRefusedColumns(): Column<AccessLogRecord>[] {
  const t = useText(refusedLogText);
  const { fields } = useText(accessLogText);
  const all = useAccessLogColumns();
  const decisionName = useDecisionName();
  const countryName = useCountryName();
  const { provinceNames: names } = useText(placesText);
  return useMemo(() => {
    const of = (id: string) => all.filter((column) => column.id === id);
    return [
      { id: 'time', header: fields.time, cell: (log) => <Time at={log.time} /> },
      {
        id: 'decision',
        header: t.refusedBy,
        cell: (log) => <StatusChip tone="error" label={decisionName(log.decision)} />,
      },
      {
        id: 'remote_addr',
        header: fields.remote_addr,
        cell: (log) => (
          <>
            {log.remote_addr}
            {log.country !== '' && (
              <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                {[countryName(log.country), names[log.province as Province] ?? log.province]
                  .filter(Boolean)
                  .join(' · ')}
              </Typography>
            )}
          </>
        ),
      },
      ...of('method'),
      ...of('request_uri'),
      ...of('status'),
      { id: 'user_agent', header: fields.user_agent, hidden: true, cell: (log) => log.user_agent || '–' },
      { id: 'referer', header: fields.referer, hidden: true, cell: (log) => log.referer || '–' },
    ];
  }, [all, countryName, decisionName, fields, names, t]);
}
