import { Alert, Box, Button, Card, LinearProgress, Stack, useMediaQuery, type Theme } from '@mui/material';
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { EmptyState } from '../empty-state.tsx';
import { kitText } from '../kit.text.ts';
import { LaterStill } from '../later.tsx';
import { laterPart } from '../later-part.tsx';
import { LoadError, type Read } from '../loaded.tsx';
import { RowActions, type RowAction } from '../row-actions.tsx';
import { BatchBar } from './batch-bar.tsx';
import { saveFile } from '../save-file.ts';
import { csvFile, csvOf } from './csv.ts';
import { shownRows } from './shown-rows.ts';
import { TableColumns } from './table-columns.ts';
import { TableCards } from './table-cards.tsx';
import { TableGrid } from './table-grid.tsx';
import type { Column, Sort, TableModel, TableRow } from './table-model.ts';
import { useTableKeys } from './table-keys.ts';
import { TableSettings } from './table-settings.tsx';
import { useTableView, type TableView } from './table-view.ts';
import { tableText } from './table.text.ts';
import type { Paging } from './table-pager.tsx';
import { useRowSet } from './use-row-set.ts';
import { readableDomains } from '../domain-name.ts';

const TablePager = laterPart(() => import('./table-pager.tsx').then((part) => part.TablePager));

export type { Column };

/** A page of rows, as every list call answers. */
export interface Rows<Row> {
  list: Row[];
  total: number;
  current_page: number;
  page_size: number;
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers, and its file. */
  label: string;
  /** What the table's settings are remembered by. */
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
  /** What it is called, where it is one of several cards. */
  heading?: ReactNode;
  filters?: ReactNode;
  /** Over the rows, as wide as they are. */
  above?: ReactNode;
  /** Buttons that belong to this table, where it is a part of a screen. */
  actions?: ReactNode;
  rowActions?: (row: Row) => readonly RowAction[];
  /** What can be done with several rows, besides copying them. */
  batchActions?: (rows: readonly Row[]) => readonly RowAction[];
  /** What unfolds below a row. */
  expand?: (row: Row) => ReactNode;
  /** The search that holds `sort_by` and `sort_order`, and who changes it. */
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  onRowClick?: (row: Row) => void;
}

const noRows: never[] = [];

/** A list as every screen shows it: filters, rows (cards on a narrow screen), pages. Reading and paging are the caller's. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, id, columns, read, onPage, heading, filters, above, actions, batchActions } = props;
  const t = useText(tableText);
  const box = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(false);
  const view = useTableView(id, columns);
  const model = useTableModel(props, view);
  const headers = useMemo(() => new Map(columns.map((column) => [column.id, column.header])), [columns]);
  const page = read.data;
  const isOlder = read.isPlaceholderData === true;
  const selected = model.rows.filter((row) => model.selection.has(row.id));
  const card = useRef<HTMLDivElement>(null);
  useTableKeys(card);
  const shown = (ids?: ReadonlySet<string>) => {
    // Rows out of sight are not drawn; a file or a copy has them all.
    flushSync(() => setWhole(true));
    const rows = shownRows(box.current!, model.columns, ids);
    setWhole(false);
    return rows;
  };
  const exportCsv = () => {
    const { headers: heads, cells } = shown();
    saveFile(`${label}.csv`, csvFile(csvOf([heads, ...cells])));
  };
  const copiedOf = (rows: readonly TableRow<Row>[]) => ({
    shown: () => shown(new Set(rows.map((row) => row.id))),
    data: rows.map((row) => row.original),
  });
  return (
    <Card ref={card}>
      <Stack
        direction="row"
        sx={{
          alignItems: 'flex-start',
          justifyContent: 'flex-end',
          flexWrap: 'wrap',
          gap: 1,
          minHeight: 52,
          p: filters ? 2 : 1,
          // As `Section` has it.
          ...(heading ? { pl: { xs: 2, sm: 3 }, pt: { xs: 2, sm: 3 }, pb: 2 } : {}),
          pr: 1.5,
        }}
      >
        {heading && <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>{heading}</Box>}
        {filters && (
          <Box data-filters sx={{ flex: { xs: '1 1 100%', sm: '1 1 180px' }, minWidth: 0, minHeight: 40 }}>
            <TableColumns value={view.address}>{filters}</TableColumns>
          </Box>
        )}
        {actions}
        <LaterStill>
          <TableSettings
            headers={headers}
            view={view}
            copied={model.rows.length > 0 ? copiedOf(model.rows) : undefined}
            onExport={exportCsv}
          />
        </LaterStill>
      </Stack>
      {above && (
        <Box sx={{ px: 2, pb: 1.5, '&:empty': { display: 'none' } }}>
          <LaterStill>{above}</LaterStill>
        </Box>
      )}
      {selected.length > 0 && (
        <BatchBar
          count={selected.length}
          actions={batchActions?.(selected.map((row) => row.original)) ?? []}
          copied={copiedOf(selected)}
          onClear={() =>
            model.selection.set(
              selected.map((row) => row.id),
              false,
            )
          }
        />
      )}
      <Box sx={{ height: 2 }}>
        {/* Asked in this order, a list that is read again and again is drawn again where it changed only. */}
        {((page === undefined && read.isFetching) || isOlder) && (
          <LinearProgress aria-label={isOlder ? t.olderRows : label} sx={{ height: 2 }} />
        )}
      </Box>
      {page !== undefined && read.error && (
        <Alert severity="warning" sx={{ mx: 2, mb: 1 }} action={<RetryButton read={read} />}>
          {t.staleRows(read.error.message)}
        </Alert>
      )}
      <Box ref={box} aria-busy={isOlder} sx={isOlder ? { opacity: 0.5 } : {}}>
        <Content {...props} model={model} whole={whole} view={view} />
      </Box>
      {page && page.total > 0 && (
        <Box sx={{ minHeight: 52 }}>
          <TablePager page={page} isOlder={isOlder} onPage={onPage} />
        </Box>
      )}
    </Card>
  );
}

function RetryButton({ read }: { read: Read<unknown> }) {
  const t = useText(kitText);
  return (
    <Button color="inherit" size="small" loading={read.isFetching} onClick={() => void read.refetch()}>
      {t.retry}
    </Button>
  );
}

interface ContentProps<Row> extends Pick<DataTableProps<Row>, 'read' | 'filtered' | 'empty' | 'onPage'> {
  model: TableModel<Row>;
  whole: boolean;
  view: TableView;
}

function Content<Row extends object>(props: ContentProps<Row>) {
  const { read, filtered = false, empty, model, whole, view, onPage } = props;
  const t = useText(kitText);
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  if (read.data === undefined && read.error)
    return (
      <Box sx={{ p: 2 }}>
        <LoadError read={read} />
      </Box>
    );
  if (read.data?.list.length === 0 && read.data.total > 0)
    return (
      <EmptyState
        icon="search"
        title={t.pastEnd}
        hint={t.pastEndHint}
        action={<Button onClick={() => onPage({ current_page: 1 })}>{t.firstPage}</Button>}
      />
    );
  if (read.data?.list.length === 0)
    return filtered ? (
      <EmptyState icon="search" title={t.nothingMatches} hint={t.nothingMatchesHint} />
    ) : (
      empty
    );
  return narrow ? <TableCards model={model} /> : <TableGrid model={model} whole={whole} view={view} />;
}

/** The model stays the same while nothing of it changes, so that rows are drawn again only for what concerns them. */
function useTableModel<Row extends object>(props: DataTableProps<Row>, view: TableView): TableModel<Row> {
  const { label, columns, read, sort } = props;
  const { density } = view;
  const selection = useRowSet();
  const expansion = useRowSet();
  const rowKey = useSteady(props.rowKey);
  const rowName = useSteady(props.rowName);
  const rowActions = useSteady(props.rowActions);
  const expand = useSteady(props.expand);
  const onSort = useSteady(props.onSort);
  const onRowClick = useSteady(props.onRowClick);
  const batched = props.batchActions !== undefined;
  const look = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const list = read.data?.list ?? (noRows as Row[]);
  const rows = useMemo(
    () => list.map((row): TableRow<Row> => ({ id: String(rowKey!(row)), original: row })),
    [list, rowKey],
  );
  const shownIds = view.order.filter((column) => view.visibility[column]).join('\n');
  const shown = useMemo(() => shownIds.split('\n').flatMap((id) => look.get(id) ?? []), [look, shownIds]);
  const loading = read.data === undefined;
  return useMemo(
    () => ({
      label,
      columns: shown,
      rows,
      rowName: (row) => readableDomains(rowName!(row)),
      density,
      loading,
      actions: rowActions
        ? (row) => <RowActions name={readableDomains(rowName!(row))} actions={() => rowActions(row)} />
        : onRowClick && ((row) => <OpenRow onClick={() => onRowClick(row)} />),
      selection,
      batched,
      expansion: expand && { ...expansion, content: expand },
      sort,
      onSort,
      onRowClick,
    }),
    [
      label,
      shown,
      rows,
      rowName,
      density,
      loading,
      rowActions,
      onRowClick,
      selection,
      batched,
      expand,
      expansion,
      sort,
      onSort,
    ],
  );
}

function OpenRow({ onClick }: { onClick: () => void }) {
  const t = useText(kitText);
  return <ActionIcon icon="view" label={t.view} onClick={onClick} />;
}

/** A function that stays the same and calls the latest one; none while there is none. */
function useSteady<Arguments extends unknown[], Answer>(
  latest: ((...args: Arguments) => Answer) | undefined,
): ((...args: Arguments) => Answer) | undefined {
  const held = useRef(latest);
  useLayoutEffect(() => {
    held.current = latest;
  });
  const steady = useCallback((...args: Arguments) => held.current!(...args), []);
  return latest && steady;
}
