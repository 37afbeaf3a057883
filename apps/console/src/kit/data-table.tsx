import { Box, Card, LinearProgress, Stack, useMediaQuery, type Theme } from '@mui/material';
import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef, type ColumnVisibilityState } from '@tanstack/react-table';
import { useMemo, useState, type ReactNode } from 'react';
import { storage } from '../api/storage.ts';
import { useText } from '../i18n/text.ts';
import { ActionIcon } from './action-button.tsx';
import { EmptyState } from './empty-state.tsx';
import { kitText } from './kit.text.ts';
import { LoadError, type Read } from './loaded.tsx';
import { RowActions, type RowAction } from './row-actions.tsx';
import { ColumnChoice } from './table-columns.tsx';
import { TablePager, type Paging } from './table-pager.tsx';
import { TableCards, TableGrid } from './table-rows.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'left' | 'right' | 'center';
  width?: number | string;
  /** Off until the reader chooses it. */
  hidden?: boolean;
}

/** A page of rows, as every list call answers. */
export interface Rows<Row> {
  list: Row[];
  total: number;
  current_page: number;
  page_size: number;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers, and its remembered columns. */
  label: string;
  id: string;
  columns: readonly Column<Row>[];
  read: Read<Rows<Row>>;
  rowKey: (row: Row) => string | number;
  /** What a row is called in the names of its actions. */
  rowName: (row: Row) => string;
  onPage: (paging: Paging) => void;
  /** What stands here when there is nothing at all. */
  empty: ReactNode;
  /** Filters are set, so that nothing found is no empty list. */
  filtered?: boolean;
  filters?: ReactNode;
  /** Buttons that belong to this table, where it is a part of a screen. */
  actions?: ReactNode;
  rowActions?: (row: Row) => readonly RowAction[];
  onRowClick?: (row: Row) => void;
}

const features = tableFeatures({ columnVisibilityFeature });
export type TableFeaturesUsed = typeof features;
const noRows: never[] = [];

/** A list as every screen shows it: filters, rows (cards on a narrow screen), pages. Reading and paging are the caller's. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, id, columns, read, rowKey, rowName, onPage, empty, filtered = false, filters, actions, rowActions, onRowClick } = props;
  const t = useText(kitText);
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const [visibility, setVisibility] = useColumnVisibility(id, columns);
  const definitions = useMemo(() => {
    const shown: ColumnDef<TableFeaturesUsed, Row>[] = columns.map((column) => ({
      id: column.id,
      header: column.header,
      cell: ({ row }) => column.cell(row.original),
    }));
    if (rowActions)
      shown.push({
        id: 'actions',
        header: t.actions,
        cell: ({ row }) => <RowActions name={rowName(row.original)} actions={rowActions(row.original)} />,
      });
    else if (onRowClick)
      shown.push({
        id: 'actions',
        header: t.actions,
        cell: ({ row }) => <ActionIcon icon="view" label={t.view} onClick={() => onRowClick(row.original)} />,
      });
    return shown;
  }, [columns, onRowClick, rowActions, rowName, t]);
  const table = useTable({
    features,
    columns: definitions,
    data: read.data?.list ?? (noRows as Row[]),
    getRowId: (row) => String(rowKey(row)),
    state: { columnVisibility: visibility },
  });
  const look = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const Body = narrow ? TableCards : TableGrid;
  const page = read.data;
  return (
    <Card>
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, p: 2, pr: 1.5 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>{filters}</Box>
        {actions}
        <ColumnChoice columns={columns} visibility={visibility} onChange={setVisibility} />
      </Stack>
      <Box sx={{ height: 2 }}>{read.isFetching && page === undefined && <LinearProgress sx={{ height: 2 }} />}</Box>
      {page === undefined && read.error ? (
        <Box sx={{ p: 2 }}>
          <LoadError read={read} />
        </Box>
      ) : page?.list.length === 0 ? (
        filtered ? <EmptyState icon="search" title={t.nothingMatches} hint={t.nothingMatchesHint} /> : empty
      ) : (
        <Body table={table} look={look} label={label} loading={page === undefined} {...(onRowClick ? { onRowClick } : {})} />
      )}
      {page && page.total > 0 && <TablePager page={page} onPage={onPage} />}
    </Card>
  );
}

/** Which columns are shown, remembered by the table's id. */
function useColumnVisibility(id: string, columns: readonly Column<never>[]) {
  const key = `table-columns:${id}`;
  const [visibility, setState] = useState<ColumnVisibilityState>(() => {
    const stored = storage.readJson(key);
    const byDefault = Object.fromEntries(columns.map((column) => [column.id, !column.hidden]));
    return stored !== null && typeof stored === 'object' ? { ...byDefault, ...stored } : byDefault;
  });
  const setVisibility = (next: ColumnVisibilityState) => {
    setState(next);
    storage.write(key, JSON.stringify(next));
  };
  return [visibility, setVisibility] as const;
}
