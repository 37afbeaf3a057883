import type { PointerEvent } from 'react';

/** Whether an element, or one within it, shows only a part of what it holds. */
const isCut = (cell: Element): boolean =>
  [cell, ...cell.querySelectorAll('*')].some(
    (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'hidden',
  );

/** A cell that is cut tells the whole on hover: found out when it is asked for, since a list has thousands of cells. */
export function tellCut({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-column]') : null;
  if (!cell) return;
  if (isCut(cell)) cell.title = cell.innerText;
  else cell.removeAttribute('title');
}
