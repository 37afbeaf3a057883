import { statisticsRoutes, type AccessLogRecord } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { notify } from '../../kit/toast.ts';
import { useAccessLogColumns } from './access-log-columns.tsx';
import { AccessLogDrawer } from './access-log-drawer.tsx';
import { ExportOfSearch, filtersOf } from './access-log-export.tsx';
import { LiveSwitch, NotShown } from './access-log-live.tsx';
import { Exclusions, LongSearch } from './access-log-search.tsx';
import { accessLogText } from './access-log.text.ts';
import { fieldSearchOf } from './field-search.ts';
import { useLogFilters } from './use-log-filters.ts';
import { useLogSearch } from './use-log-search.ts';
import { canFollow, useLogTail, withTail } from './use-log-tail.ts';

const query = statisticsRoutes.listAccessLogs.query;
const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

export function AccessLogList() {
  const t = useText(accessLogText);
  const [search, setSearch] = useSearchState(query);
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
  const fieldSearch = fieldSearchOf({
    exclude: search.exclude,
    setSearch: (patch) => {
      setShown(null);
      setSearch(patch);
    },
    onFull: () => notify.error(t.excludeFull),
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
              problemOf={useFilterProblems(query)}
              fields={useLogFilters(search, ['start_time', 'text', 'host', 'status_code'], { refused: true })}
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
