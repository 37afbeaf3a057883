import type { ReactNode } from 'react';
import type { Density } from './table-view.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'left' | 'right' | 'center';
  width?: number | string;
  /** Off until the reader chooses it. */
  hidden?: boolean;
  /** The name by which the list call sorts by this column. */
  sort?: string;
  /** A reason of ours that has to be read whole: it breaks into lines. Other cells are one line, whatever somebody wrote. */
  wraps?: boolean;
  /** Is never cut for want of room: times and states are worth nothing in part. */
  whole?: boolean;
  /** What a button beside the cell copies. */
  copy?: (row: Row) => string;
}

/** The search fields by which list calls sort. */
export interface Sort {
  sort_by?: string | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
}

/** Rows by their ids: those that are selected, those that are unfolded. */
export interface RowSet {
  has: (id: string) => boolean;
  set: (ids: readonly string[], on: boolean) => void;
}

export interface TableRow<Row> {
  id: string;
  original: Row;
}

/** What is drawn, as a grid or as cards. */
export interface TableModel<Row> {
  label: string;
  /** Those that are shown, in the reader's order. */
  columns: readonly Column<Row>[];
  rows: readonly TableRow<Row>[];
  rowName: (row: Row) => string;
  density: Density;
  loading: boolean;
  /** The last cell of a row. */
  actions?: ((row: Row) => ReactNode) | undefined;
  selection: RowSet;
  /** Something can be done with several rows besides copying them, for which a phone has no room. */
  batched: boolean;
  expansion?: (RowSet & { content: (row: Row) => ReactNode }) | undefined;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  onRowClick?: ((row: Row) => void) | undefined;
}

/** A click on the row opens it, except on what is itself a control or while text is being selected. */
export function opensRow(event: React.MouseEvent): boolean {
  const control = (event.target as Element).closest(
    'a, button, input, label, [role="menu"], [role="dialog"], [role="presentation"]',
  );
  return control === null && window.getSelection()?.isCollapsed !== false;
}

/** What is sorted after a click on a column: ascending, descending, then as before. */
export function nextSort(column: string, { sort_by, sort_order }: Sort): Sort {
  if (sort_by !== column) return { sort_by: column, sort_order: 'asc' };
  return sort_order === 'desc'
    ? { sort_by: undefined, sort_order: undefined }
    : { sort_by: column, sort_order: 'desc' };
}
