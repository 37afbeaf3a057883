import type { ReactNode } from 'react';
import { useAccount, useMay } from '../api/account.ts';
import { DataTable, type DataTableProps } from '../kit/table/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { useFilterProblems } from '../kit/filter/filter-problems.ts';
import { FilterBar, type FilterField } from '../kit/filter/filter-bar.tsx';
import type { IconName } from '../kit/icon-names.ts';
import type { RowAction } from '../kit/row-actions.tsx';
import type { List } from './list.ts';
import { isAllowed, type Restricted } from './restricted.ts';

/** What an action is for one row; nothing where it is not for this row or this reader. */
export type ActionsOf<Item> = (row: Item) => readonly (RowAction | false | undefined)[];

type Kept = 'id' | 'columns' | 'actions' | 'batchActions' | 'expand' | 'onRowClick';
interface ListTableProps<Item extends object> extends Pick<DataTableProps<Item>, Kept> {
  list: List<Item>;
  text: { title: string; empty: string; emptyHint: string };
  /** Stands where there is nothing yet. */
  icon: IconName;
  /** The way to the first one. */
  add?: ReactNode;
  filters?: readonly Restricted<FilterField>[];
  /** Columns are sorted by the address too. */
  sorted?: boolean;
  rowName: (row: Item) => string;
  /** Its `id`, where it has one. */
  rowKey?: (row: Item) => string | number;
  rowActions?: ActionsOf<Item>;
}

/** The table of a list whose state stands in the address. Rows without an id have to say what tells them apart. */
export function ListTable<Item extends { id: number | string }>(props: ListTableProps<Item>): ReactNode;
export function ListTable<Item extends object>(
  props: ListTableProps<Item> & Required<Pick<ListTableProps<Item>, 'rowKey'>>,
): ReactNode;
export function ListTable<Item extends object>(props: ListTableProps<Item>) {
  const { list, text, icon, add, filters = [], sorted = false, rowActions, rowKey = idOf, ...table } = props;
  const { role } = useAccount();
  const may = useMay();
  const problemOf = useFilterProblems(list.query);
  const fields = filters.filter((field) => isAllowed(field, role, may));
  const actionsOf =
    rowActions && ((row: Item) => rowActions(row).filter((action) => typeof action === 'object'));
  return (
    <DataTable
      {...table}
      label={text.title}
      read={list.read}
      rowKey={rowKey}
      onPage={list.setSearch}
      filtered={list.filtered}
      {...(sorted ? { sort: list.search, onSort: list.setSearch } : {})}
      {...(actionsOf ? { rowActions: actionsOf } : {})}
      filters={
        fields.length > 0 && (
          <FilterBar fields={fields} values={list.search} onChange={list.setSearch} problemOf={problemOf} />
        )
      }
      empty={<EmptyState icon={icon} title={text.empty} hint={text.emptyHint} action={add} />}
    />
  );
}

const idOf = (row: object) => (row as { id: number | string }).id;
