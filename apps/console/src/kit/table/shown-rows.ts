import { cellText } from './csv.ts';

/** Rows as they are shown: what stands in their cells, in the order in which it is shown. */
export interface ShownRows {
  headers: string[];
  cells: string[][];
}

/** Reads the drawn rows; `ids` names those that are wanted, without it all are. */
export function shownRows(
  box: HTMLElement,
  columns: readonly { id: string; header: string }[],
  ids?: ReadonlySet<string>,
): ShownRows {
  const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')].filter(
    (row) => ids?.has(row.dataset['row']!) ?? true,
  );
  const textOf = (row: Element, column: string) => {
    const cell = row.querySelector(`[data-column="${CSS.escape(column)}"]`);
    return cell ? cellText(cell) : '';
  };
  return {
    headers: columns.map(({ header }) => header),
    cells: rows.map((row) => columns.map(({ id }) => textOf(row, id))),
  };
}
