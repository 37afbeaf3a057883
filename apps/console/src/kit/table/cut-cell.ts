import type { PointerEvent } from 'react';

/** Whether an element, or one within it, shows only a part of what it holds. */
const isCut = (cell: Element): boolean =>
  [cell, ...cell.querySelectorAll('*')].some(
    (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'hidden',
  );

let resting: ReturnType<typeof setTimeout> | undefined;
/** So long the pointer rests on a cell until it is looked at, which is before a browser shows a title. */
const restMs = 100;

/**
 * A cell that is cut tells the whole on hover: found out when it is asked for, since a list has thousands of cells, and not
 * of those that only pass below the pointer while the list scrolls.
 */
export function tellCut({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-column]') : null;
  clearTimeout(resting);
  if (!cell) return;
  resting = setTimeout(() => {
    if (isCut(cell)) cell.title = cell.innerText;
    else cell.removeAttribute('title');
  }, restMs);
}
