import { statisticsRoutes, type AccessLogRow } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { namesOf } from '../../kit/filter/filter-field.ts';
import { useFilterProblems } from '../../kit/filter/filter-problems.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { notify } from '../../kit/toast.ts';
import { useAccessLogColumns } from './columns.tsx';
import { AccessLogDrawer } from './drawer.tsx';
import { ExportOfSearch, filtersOf } from './export.tsx';
import { fieldSearchOf } from './field-search.ts';
import { useLogFilters, type FilterName } from './filters.ts';
import { LogHistogram } from './histogram.tsx';
import { LiveSwitch, NotShown } from './live.tsx';
import { logText } from './log.text.ts';
import { Exclusions, LongSearch } from './search.tsx';
import { anyTime, useAsked } from './use-range.ts';
import { useLogSearch } from './use-search.ts';
import { canFollow, useLogTail, withTail } from './use-tail.ts';

const query = statisticsRoutes.listAccessLogs.query.extend(anyTime);
const notFilters: readonly string[] = ['current_page', 'page_size', 'time_sort'];

interface LogBrowserProps {
  /** What its table's settings are remembered by. */
  id: string;
  /** What it is about besides what the address asks: one site's. That is no filter of it. */
  within?: { site_id: number };
  /** Filters that stand in the bar, besides the time. */
  inBar: readonly FilterName[];
  /** The way to a first record. */
  start?: ReactNode;
  /** Where its buttons go; without it they stand beside the filters. */
  around?: (actions: ReactNode, content: ReactNode) => ReactNode;
}

/** Searches the access logs: filters in the address, what they find over time, the rows, and all of one beside them. */
export function LogBrowser({ id, within, inBar, start, around }: LogBrowserProps) {
  const t = useText(logText);
  const [search, setSearch] = useSearchState(query, id);
  const asked = { ...useAsked(search), ...within };
  const [wantsLive, setLive] = useState(true);
  const text = JSON.stringify(asked);
  const [stopped, setStopped] = useState('');
  const live = wantsLive && canFollow(asked) && stopped !== text;
  const tail = useLogTail(asked, live);
  const found = useLogSearch(asked, stopped !== text && tail.ready);
  const page = withTail(found.read.data, tail);
  const [shown, setShown] = useState<AccessLogRow | null>(null);
  const columns = useAccessLogColumns(setShown);
  const fields = useLogFilters(search, ['start_time', ...inBar], { refused: true });
  const fieldSearch = fieldSearchOf({
    exclude: search.exclude,
    setSearch: (patch) => {
      setShown(null);
      setSearch(patch);
    },
    onFull: () => notify.error(t.excludeFull),
  });
  const actions = (
    <>
      <LiveSwitch
        on={live}
        reason={canFollow(asked) ? undefined : t.liveNot}
        fresh={page?.fresh ?? 0}
        onChange={setLive}
      />
      <ExportOfSearch filters={filtersOf(asked)} />
    </>
  );
  const content = (
    <>
      <DataTable
        label={t.title}
        id={id}
        columns={columns}
        read={{ ...found.read, data: page }}
        rowKey={(log) => log.request_id}
        rowName={(log) => log.request_id}
        onPage={setSearch}
        onRowClick={setShown}
        filtered={Object.entries(search).some(
          ([name, value]) => value !== undefined && !notFilters.includes(name),
        )}
        actions={around ? undefined : actions}
        filters={
          <Stack sx={{ gap: 1.5 }}>
            <FilterBar
              savedToo={['exclude']}
              values={search}
              onChange={setSearch}
              problemOf={useFilterProblems(query)}
              fields={fields.filter((field) => !namesOf(field).some((name) => within && name in within))}
            />
            <Exclusions text={search.exclude} onChange={(exclude) => setSearch({ exclude })} />
            <LongSearch
              // Another search begins anew.
              key={text}
              search={found}
              stopped={stopped === text}
              onStop={() => setStopped(text)}
              onAgain={() => setStopped('')}
            />
            <NotShown tail={tail} notShown={page?.notShown ?? 0} onSearch={found.again} />
          </Stack>
        }
        above={
          stopped !== text && (
            <LogHistogram
              query={filtersOf(asked)}
              live={live}
              onSelect={(range) => setSearch({ ...range, any_time: undefined })}
            />
          )
        }
        empty={
          <EmptyState
            icon="log"
            title={search.any_time === 'yes' ? t.empty : t.emptyDay}
            hint={t.emptyHint}
            action={start}
          />
        }
      />
      {shown && <AccessLogDrawer log={shown} search={fieldSearch} onClose={() => setShown(null)} />}
    </>
  );
  return around ? around(actions, content) : content;
}
