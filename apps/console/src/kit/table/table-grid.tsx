import { Box, TableCell, TableHead, TableRow, TableSortLabel } from '@mui/material';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';
import { GridRow } from './grid-row.tsx';
import { ColumnResizer } from './column-resizer.tsx';
import { tellCut } from './cut-cell.ts';
import { useDrawnRows } from './drawn-rows.ts';
import { gridLook, leadWidth, rowHeight, widthLook, widthVariables } from './grid-look.ts';
import { fitTable, measuredByBrowser } from './measure.ts';
import { nextSort, type TableModel, type TableRow as ModelRow } from './table-model.ts';
import { tableText } from './table.text.ts';
import type { TableView } from './table-view.ts';

/** From so many rows on only those in sight are drawn, in a box that scrolls. */
const virtualFrom = 60;
/** The least height of that box, and what stands above and below it. */
const [boxMin, boxRest] = [360, 320];
/** Drawn before and after those in sight, for the next turn of the wheel. */
const overscan = 6;

interface Item<Row> {
  row: ModelRow<Row>;
  details: boolean;
}

interface TableGridProps<Row> {
  model: TableModel<Row>;
  /** Draws all rows, for what reads them. */
  whole: boolean;
  view: TableView;
}

/** The look of the table; what scrolls in it is drawn often, and has none of its own. */
export function TableGrid<Row extends object>({ model, whole, view }: TableGridProps<Row>) {
  const { columns, rows, density, expansion } = model;
  const boxed = rows.length > virtualFrom;
  return (
    <Box
      style={widthVariables(columns, view.widths)}
      sx={[
        gridLook(density, leadWidth(expansion !== undefined)),
        widthLook(columns, view.widths),
        boxed && { '& > .scroller': { maxHeight: `max(${boxMin}px, calc(100dvh - ${boxRest}px))` } },
      ]}
    >
      <Scroller model={model} virtual={boxed && !whole} view={view} />
    </Box>
  );
}

interface ScrollerProps<Row> {
  model: TableModel<Row>;
  /** Only the rows in sight are drawn. */
  virtual: boolean;
  view: TableView;
}

function Scroller<Row extends object>({ model, virtual, view }: ScrollerProps<Row>) {
  const { label, columns, rows, density, loading, expansion } = model;
  const scroller = useRef<HTMLDivElement>(null);
  const items = useMemo(() => itemsOf(rows, expansion), [rows, expansion]);
  // The same function for the same items: with another one all of them are measured anew, at each turn of the wheel.
  const keyOf = useCallback((index: number) => keyOfItem(items[index]!), [items]);
  const chosen = Object.keys(view.widths).toSorted().join('\n');
  // Before rows are exchanged by what follows: to ask for widths after that would lay out the table twice.
  useLayoutEffect(
    () => (scroller.current ? fitTable(scroller.current, virtual) : undefined),
    [virtual, columns, density, chosen],
  );
  const sizing = useMemo(() => measuredByBrowser(rowHeight[density]), [density]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: virtual ? items.length : 0,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    overscan,
    ...sizing,
    // Until the box is measured: no more than it can become.
    initialRect: { width: 0, height: Math.max(boxMin, window.innerHeight - boxRest) },
  });
  const around = virtualizer.getVirtualItems();
  const wanted = { from: around[0]?.index ?? 0, to: around.at(-1)?.index ?? -1 };
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: wanted.from, endIndex: wanted.to };
  const drawn = useDrawnRows(wanted, { from: startIndex, to: endIndex }, virtualizer.isScrolling);
  const first = virtual ? Math.min(drawn.from, items.length) : 0;
  const seen = virtual ? items.slice(first, drawn.to + 1) : items;
  const places = virtualizer.measurementsCache;
  const before = virtual ? (places[first]?.start ?? 0) : 0;
  const after = virtual ? virtualizer.getTotalSize() - (places[first + seen.length - 1]?.end ?? 0) : 0;
  const cells = columns.length + (model.actions ? 2 : 1);
  return (
    <div
      ref={scroller}
      className="scroller"
      tabIndex={0}
      role="region"
      aria-label={label}
      onPointerOver={tellCut}
    >
      <table aria-label={label} aria-rowcount={virtual ? rows.length + 1 : undefined} aria-busy={loading}>
        <GridHead model={model} view={view} />
        <tbody>
          {loading && <SkeletonRows columns={columns.length + (model.actions ? 1 : 0)} />}
          {before > 0 && <Spacer height={before} side="before" cells={cells} />}
          {seen.map((item, at) => {
            const { row, details } = item;
            return (
              <GridRow
                key={keyOfItem(item)}
                model={model}
                row={row}
                details={details}
                index={virtual ? first + at : undefined}
                selected={model.selection.has(row.id)}
                expanded={expansion?.has(row.id) ?? false}
                measure={virtual ? virtualizer.measureElement : undefined}
              />
            );
          })}
          {after > 0 && <Spacer height={after} side="after" cells={cells} />}
        </tbody>
      </table>
    </div>
  );
}

/** Rows, and what is unfolded below them. */
function itemsOf<Row>(rows: readonly ModelRow<Row>[], expansion: TableModel<Row>['expansion']): Item<Row>[] {
  const items: Item<Row>[] = [];
  for (const row of rows) {
    items.push({ row, details: false });
    if (expansion?.has(row.id)) items.push({ row, details: true });
  }
  return items;
}

const keyOfItem = <Row,>({ row, details }: Item<Row>): string => (details ? `${row.id}+` : row.id);

/** Stands for the rows that are not drawn; their lines are. */
function Spacer({ height, side, cells }: { height: number; side: 'before' | 'after'; cells: number }) {
  return (
    <tr aria-hidden="true">
      <td className={`undrawn ${side}`} colSpan={cells} style={{ height }} />
    </tr>
  );
}

interface GridHeadProps<Row> {
  model: TableModel<Row>;
  view: TableView;
}

function PlainGridHead<Row extends object>({ model, view }: GridHeadProps<Row>) {
  const kit = useText(kitText);
  const t = useText(tableText);
  const { columns, rows, selection, sort = {}, onSort, actions } = model;
  const ids = rows.map(({ id }) => id);
  const chosen = ids.filter((id) => selection.has(id)).length;
  return (
    <TableHead>
      <TableRow>
        <TableCell className="lead" padding="none">
          <input
            type="checkbox"
            className="check"
            checked={chosen > 0 && chosen === ids.length}
            ref={(box) => {
              if (box) box.indeterminate = chosen > 0 && chosen < ids.length;
            }}
            onChange={(event) => selection.set(ids, event.target.checked)}
            aria-label={t.selectAll}
          />
        </TableCell>
        {columns.map((column, index) => {
          const sortable = onSort && column.sort;
          const direction = sortable && sort.sort_by === column.sort ? (sort.sort_order ?? 'asc') : false;
          return (
            <TableCell
              key={column.id}
              // Its name is its heading, without the edge that is drawn.
              aria-label={column.header}
              data-head={column.id}
              className={index > 0 ? '' : column.width === undefined ? 'first named' : 'first'}
              align={column.align ?? 'left'}
              sortDirection={direction}
              sx={{ width: column.width }}
            >
              {sortable ? (
                <TableSortLabel
                  active={direction !== false}
                  direction={direction || 'asc'}
                  onClick={() => onSort(nextSort(sortable, sort))}
                >
                  {column.header}
                </TableSortLabel>
              ) : (
                column.header
              )}
              <ColumnResizer
                header={column.header}
                width={view.widths[column.id]}
                onWidth={(width) => view.setWidth(column.id, width)}
              />
            </TableCell>
          );
        })}
        {actions && (
          <TableCell className="last" align="right" sx={{ width: 64 }}>
            {kit.actions}
          </TableCell>
        )}
      </TableRow>
    </TableHead>
  );
}

/** Drawn again only when something of its own changed, as rows are. */
const GridHead = memo(PlainGridHead) as typeof PlainGridHead;

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row}>
      <td className="lead" />
      {Array.from({ length: columns }, (__, column) => (
        <td key={column}>
          <span className="bone" style={{ width: column === 0 ? '70%' : '50%' }} />
        </td>
      ))}
    </tr>
  ));
}
