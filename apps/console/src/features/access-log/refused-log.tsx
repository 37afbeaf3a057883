import { statisticsRoutes, type AccessLogRow, type Province } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Country } from '../../kit/country.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { placesText } from '../../domain/places.text.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { notify } from '../../kit/toast.ts';
import { useAccessLogColumns } from '../../frame/log/columns.tsx';
import { Decision } from '../../frame/log/decision.tsx';
import { AccessLogDrawer } from '../../frame/log/drawer.tsx';
import { ExportOfSearch, filtersOf } from '../../frame/log/export.tsx';
import { Exclusions } from '../../frame/log/search.tsx';
import { logText } from '../../frame/log/log.text.ts';
import { fieldSearchOf } from '../../frame/log/field-search.ts';
import { refusedLogText } from './access-log.text.ts';
import { useLogFilters } from '../../frame/log/filters.ts';
import { LogHistogram } from '../../frame/log/histogram.tsx';
import { anyTime, useAsked } from '../../frame/log/use-range.ts';

const query = statisticsRoutes.listRefusedRequests.query.extend(anyTime);
/** Page and order narrow nothing: with them alone an empty list is empty. */
const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

/** The records of what rules refused. */
export function RefusedLog() {
  const t = useText(refusedLogText);
  const logsText = useText(logText);
  const [search, setSearch] = useSearchState(query, 'refused-logs');
  const asked = useAsked(search);
  const logs = useApi(
    'listRefusedRequests',
    { query: asked },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  const [shown, setShown] = useState<AccessLogRow | null>(null);
  const fieldSearch = fieldSearchOf({
    exclude: search.exclude,
    setSearch: (patch) => {
      // The drawer shows a record of the search before.
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
          <ExportOfSearch filters={{ ...filtersOf(asked), refused: 'yes' }} />
          <LinkButton target={to.attackStats()} icon="chart" variant="outlined" color="inherit">
            {t.stats}
          </LinkButton>
        </>
      }
    >
      <DataTable
        label={t.title}
        id="refused-logs"
        columns={useRefusedColumns(setShown)}
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
        above={
          <LogHistogram
            query={{ ...filtersOf(asked), refused: 'yes' }}
            // An end that was chosen lies in the past: nothing is added to it any more.
            live={asked.end_time === undefined}
            onSelect={(range) => setSearch({ ...range, any_time: undefined })}
          />
        }
        empty={
          <EmptyState
            icon="refused"
            title={search.any_time === 'yes' ? t.empty : t.emptyDay}
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

/** The columns of the access log, with what refused a request in the place of what the cache did. */
function useRefusedColumns(onOpen: (log: AccessLogRow) => void): Column<AccessLogRow>[] {
  const t = useText(refusedLogText);
  const { fields } = useText(logText);
  const all = useAccessLogColumns(onOpen);
  const { provinceNames: names } = useText(placesText);
  return useMemo(() => {
    const of = (id: string) => all.filter((column) => column.id === id);
    return [
      ...of('time'),
      {
        id: 'decision',
        header: t.refusedBy,
        cell: (log) => <Decision decision={log.decision} rule={log.rule} />,
      },
      {
        id: 'remote_addr',
        header: fields.remote_addr,
        cell: ({ remote_addr: address, country, province }) => (
          <>
            {address}
            {country && (
              <>
                {' · '}
                <Country code={country} />
              </>
            )}
            {province && ` · ${names[province as Province] ?? province}`}
          </>
        ),
      },
      ...of('method'),
      ...of('host'),
      ...of('request_uri'),
      ...of('status'),
      ...of('user_agent'),
      ...of('ja4'),
      ...of('referer'),
    ];
  }, [all, fields, names, t]);
}
