import { Box } from '@mui/material';
import { memo, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { CopyCell } from './copy-cell.tsx';
import { opensRow, type Column, type TableModel, type TableRow as ModelRow } from './table-model.ts';
import { tableText } from './table.text.ts';
import { readable } from '../readable.tsx';

const sides = { left: '', right: 'end', center: 'center' } as const;

interface GridRowProps<Row> {
  model: TableModel<Row>;
  row: ModelRow<Row>;
  /** This is the unfolded part below the row. */
  details: boolean;
  /** Its place among rows of which not all are drawn. */
  index: number | undefined;
  selected: boolean;
  expanded: boolean;
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
}

function PlainGridRow<Row extends object>({
  model,
  row,
  details,
  index,
  selected,
  expanded,
  measure,
}: GridRowProps<Row>) {
  const t = useText(tableText);
  const { columns, rowName, actions, selection, expansion, onRowClick } = model;
  const name = rowName(row.original);
  const place = index === undefined ? {} : { 'data-index': index, 'aria-rowindex': index + 2, ref: measure };
  if (details)
    return (
      <tr {...place}>
        <td className="details" colSpan={columns.length + (actions ? 2 : 1)}>
          <Box role="group" aria-label={`${t.details}: ${name}`}>
            {expansion?.content(row.original)}
          </Box>
        </td>
      </tr>
    );
  return (
    // Plain elements: thousands pass while a long list scrolls.
    <tr
      className={onRowClick ? 'row opens' : 'row'}
      data-row={row.id}
      // Reached by `j` and `k`.
      tabIndex={-1}
      aria-selected={selected}
      {...(onRowClick
        ? { onClick: (event: React.MouseEvent) => opensRow(event) && onRowClick(row.original) }
        : {})}
      {...place}
    >
      <td className="lead">
        <RowLead {...{ id: row.id, name, selected, expanded, selection, expansion }} />
      </td>
      {columns.map((column, at) => (
        <td
          key={column.id}
          className={`${at === 0 ? 'first ' : ''}${column.wraps ? 'wraps ' : ''}${column.whole ? 'whole ' : ''}${sides[column.align ?? 'left']}`}
          data-column={column.id}
        >
          <CellContent column={column} row={row.original} />
        </td>
      ))}
      {actions && <td className="last end">{actions(row.original)}</td>}
    </tr>
  );
}

/** Drawn again only when something of its own changed, not when the list scrolls. */
export const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

interface RowLeadProps<Row> extends Pick<TableModel<Row>, 'selection' | 'expansion'> {
  id: string;
  name: string;
  selected: boolean;
  expanded: boolean;
}

function RowLead<Row>({ id, name, selected, expanded, selection, expansion }: RowLeadProps<Row>) {
  const t = useText(tableText);
  return (
    <>
      <input
        type="checkbox"
        className="check"
        checked={selected}
        onChange={(event) => selection.set([id], event.target.checked)}
        aria-label={t.select(name)}
      />
      {expansion && (
        <Box
          component="span"
          sx={{
            '& svg': {
              transition: 'transform 120ms',
              transform: expanded ? 'none' : 'rotate(-90deg)',
            },
            '[dir=rtl] & svg': { transform: expanded ? 'none' : 'rotate(90deg)' },
          }}
        >
          <ActionIcon
            icon="down"
            label={expanded ? t.collapse(name) : t.expand(name)}
            onClick={() => expansion.set([id], !expanded)}
            expanded={expanded}
          />
        </Box>
      )}
    </>
  );
}

/** A cell with, where the column has one, the button that copies it. */
export function CellContent<Row>({ column, row }: { column: Column<Row>; row: Row }): ReactNode {
  const shown = readable(column.cell(row));
  const text = column.copy?.(row);
  if (!text) return shown;
  return (
    <span style={copied}>
      <span style={shrinking}>{shown}</span>
      <CopyCell text={text} label={column.header} />
    </span>
  );
}

const copied = { display: 'flex', alignItems: 'center', gap: 4, minWidth: 0 } as const;
const shrinking = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' };
