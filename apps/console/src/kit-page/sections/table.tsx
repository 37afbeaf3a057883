import { Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { formatBitRate, formatCount, formatMoney } from '../../kit/format.ts';
import { Meter } from '../../kit/meter.tsx';
import { ActionButton } from '../../kit/action-button.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { sampleRows, type SampleRow } from '../sample.ts';
import { Stories, Story } from '../story.tsx';
import { storyText } from './story.text.ts';

const tones = { normal: 'success', abnormal: 'error', waiting: 'info' } as const;

export function useSampleColumns(): Column<SampleRow>[] {
  const t = useText(storyText);
  return useMemo(
    () => [
      {
        id: 'name',
        header: t.name,
        sort: 'name',
        copy: (row) => row.name,
        cell: (row) => <strong>{row.name}</strong>,
      },
      { id: 'ip', header: 'IP', copy: (row) => row.ip, cell: (row) => <bdi dir="ltr">{row.ip}</bdi> },
      {
        id: 'state',
        header: t.state,
        cell: (row) => (
          <StatusChip tone={tones[row.state]} label={t.states[row.state]} busy={row.state === 'waiting'} />
        ),
      },
      {
        id: 'bandwidth',
        header: t.bandwidth,
        align: 'right',
        sort: 'bandwidth',
        cell: (row) => formatBitRate(row.bandwidth),
      },
      {
        id: 'requests',
        header: t.requests,
        align: 'right',
        sort: 'requests',
        cell: (row) => formatCount(row.requests),
      },
      { id: 'price', header: t.price, align: 'right', cell: (row) => formatMoney(row.price) },
      { id: 'load', header: t.load, width: 140, cell: (row) => <Meter label="CPU" share={row.load} /> },
      { id: 'id', header: 'ID', hidden: true, cell: (row) => row.id },
      { id: 'updated', header: t.updated, cell: (row) => <Time at={row.updated_at} relative /> },
    ],
    [t],
  );
}

const common = { rowKey: (row: SampleRow) => row.id, rowName: (row: SampleRow) => row.name };
const page = (list: SampleRow[], total = list.length) => ({ list, total, current_page: 1, page_size: 10 });
const settled = { error: null, isFetching: false, refetch: () => undefined };

export function TableSection() {
  const t = useText(storyText);
  const columns = useSampleColumns();
  const empty = (
    <EmptyState
      icon="site"
      title={t.emptyTitle}
      hint={t.emptyHint}
      action={
        <ActionButton icon="add" variant="contained">
          {t.add}
        </ActionButton>
      }
    />
  );
  const states = [
    { title: t.tableLoading, read: { ...settled, data: undefined, isFetching: true } },
    { title: t.tableEmpty, read: { ...settled, data: page([]) } },
    { title: t.tableNoMatch, read: { ...settled, data: page([]) }, filtered: true },
    { title: t.tableFailed, read: { ...settled, data: undefined, error: { message: t.failure } } },
    { title: t.tableStale, read: { ...settled, data: page(sampleRows(2)), error: { message: t.failure } } },
  ];
  return (
    <Stories>
      <Story title={t.tableFull}>
        <FullTable />
      </Story>
      {states.map(({ title, ...state }) => (
        <Story key={title} title={title}>
          <DataTable
            label={title}
            id="kit-state"
            columns={columns}
            {...common}
            {...state}
            onPage={() => undefined}
            empty={empty}
          />
        </Story>
      ))}
    </Stories>
  );
}

/** Sorted and paged here as a server would. */
function FullTable() {
  const t = useText(storyText);
  const columns = useSampleColumns();
  const all = useMemo(() => sampleRows(1234), []);
  const [search, setSearch] = useState<Record<string, unknown>>({ current_page: 1, page_size: 10 });
  const patch = (change: object) => setSearch((before) => ({ ...before, ...change }));
  const { current_page, page_size, sort_by, sort_order } = search as {
    current_page: number;
    page_size: number;
    sort_by?: keyof SampleRow;
    sort_order?: 'asc' | 'desc';
  };
  const found = all.filter(
    (row) =>
      (typeof search['name'] === 'string' ? row.name.includes(search['name']) : true) &&
      (search['state'] ? row.state === search['state'] : true),
  );
  const sorted = sort_by
    ? found.toSorted((a, b) => (a[sort_by] < b[sort_by] ? -1 : 1) * (sort_order === 'desc' ? -1 : 1))
    : found;
  const list = sorted.slice((current_page - 1) * page_size, current_page * page_size);
  return (
    <DataTable
      label={t.tableFull}
      id="kit-full"
      columns={columns}
      {...common}
      read={{ ...settled, data: { list, total: sorted.length, current_page, page_size } }}
      onPage={(paging) => patch({ current_page: 1, ...paging })}
      sort={{ sort_by, sort_order }}
      onSort={(sort) => patch(sort)}
      filtered={found.length < all.length}
      empty={null}
      expand={(row) => <Typography variant="body2">{t.details(row.name)}</Typography>}
      batchActions={(rows) => [
        { label: t.refresh, icon: 'refresh', onClick: () => notify.success(t.done(rows.length)) },
        {
          label: t.remove,
          icon: 'delete',
          destructive: true,
          onClick: () => undefined,
          disabledReason: t.inUse,
        },
      ]}
      rowActions={(row) => [
        { label: t.edit, icon: 'edit', onClick: () => notify.success(row.name) },
        {
          label: t.remove,
          icon: 'delete',
          destructive: true,
          onClick: () => undefined,
          disabledReason: row.state === 'normal' ? t.inUse : undefined,
        },
      ]}
      filters={
        <FilterBar
          values={search}
          onChange={(change) => patch({ current_page: 1, ...change })}
          fields={[
            { name: 'name', label: t.name, kind: 'text', inBar: true },
            {
              name: 'state',
              label: t.state,
              kind: 'select',
              inBar: true,
              options: Object.entries(t.states).map(([value, label]) => ({ value, label })),
            },
            { name: 'ip', label: 'IP', kind: 'text' },
          ]}
        />
      }
    />
  );
}
