import { useEffect, type RefObject } from 'react';
import { isTyping } from '../shortcut/shortcut.ts';

/** The tables that are drawn. Keys are for one of them: that with the focus, else the first that is in sight. */
const tables = new Set<HTMLElement>();

/** What a key does in a table; nothing where there is nothing to do. Rows are moved through as they are drawn. */
const actions: Record<string, (table: HTMLElement) => HTMLElement | undefined> = {
  j: (table) => moved(table, 1),
  k: (table) => moved(table, -1),
  x: (table) => chosenRow(table)?.querySelector<HTMLElement>('input[type="checkbox"]') ?? undefined,
  enter: (table) => {
    const row = chosenRow(table);
    // On something within the row, Enter is for that.
    if (!row || row !== document.activeElement) return undefined;
    if (row.matches('.opens')) return row;
    return openers.map((opener) => row.querySelector<HTMLElement>(opener)).find((found) => found !== null);
  },
  '/': (table) => searchOf(table),
};

/** What leads on from a row: its page, what unfolds below it, else what can be done with it. */
const openers = ['[data-column] a[href]', 'button[aria-expanded]', 'button[aria-haspopup="menu"]'];

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('[data-row]')];
const chosenRow = (table: HTMLElement) => rowsOf(table).find((row) => row.contains(document.activeElement));

function moved(table: HTMLElement, by: number): HTMLElement | undefined {
  const rows = rowsOf(table);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  return at === -1 ? rows[0] : rows[at + by];
}

/** The field that is typed into first; folded filters are unfolded by their button. */
function searchOf(table: HTMLElement): HTMLElement | undefined {
  const typed = 'input:not([type="checkbox"], [aria-hidden="true"])';
  return (
    table.querySelector<HTMLElement>(`[data-filters] ${typed}`) ??
    table.querySelector<HTMLElement>('[data-filters] button[aria-expanded]') ??
    document.querySelector<HTMLElement>(`main ${typed}`) ??
    undefined
  );
}

function currentTable(): HTMLElement | undefined {
  // What a dialog or a menu covers is hidden from whoever cannot see that it is.
  const open = [...tables].filter(
    (table) => table.checkVisibility() && !table.closest('[aria-hidden="true"], [inert]'),
  );
  const inOrder = open.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  return inOrder.find((table) => table.contains(document.activeElement)) ?? inOrder[0];
}

function listen(event: KeyboardEvent): void {
  const action = actions[event.key.toLowerCase()];
  const modified = event.ctrlKey || event.metaKey || event.altKey;
  if (!action || modified || event.defaultPrevented || isTyping(event.target)) return;
  const table = currentTable();
  const target = table && action(table);
  if (!target) return;
  event.preventDefault();
  if (event.key === 'Enter' || target.matches('[type="checkbox"], button')) return target.click();
  target.focus();
  if (target instanceof HTMLInputElement) target.select();
}

/** The keys of a list: `j` and `k` move through its rows, Enter opens one, `x` selects it, `/` goes to the search. */
export function useTableKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = table.current;
    if (!box) return undefined;
    if (tables.size === 0) document.addEventListener('keydown', listen);
    tables.add(box);
    return () => {
      tables.delete(box);
      if (tables.size === 0) document.removeEventListener('keydown', listen);
    };
  }, [table]);
}
