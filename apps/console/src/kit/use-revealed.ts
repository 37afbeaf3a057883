import { useEffect, useRef, type RefObject } from 'react';

/**
 * For a column that scrolls by itself: what `selector` finds in it is scrolled to the middle where it is out of sight, whenever
 * `key` changes, and while parts of the column grow after that. From the reader's first move in it, nothing moves by itself.
 */
export function useRevealed(selector: string, key: string): RefObject<HTMLDivElement | null> {
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const room = column.current;
    if (!room) return undefined;
    const watch = new ResizeObserver(() => reveal(room, selector));
    for (const part of [room, ...room.children]) watch.observe(part);
    const stop = () => watch.disconnect();
    const moves = ['pointerdown', 'wheel', 'keydown'] as const;
    for (const move of moves) room.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of moves) room.removeEventListener(move, stop);
    };
  }, [selector, key]);
  return column;
}

/** By the column's own offset: `scrollIntoView` would scroll the page as well. */
function reveal(room: HTMLElement, selector: string): void {
  const found = room.querySelector(selector);
  if (!found) return;
  const [its, all] = [found.getBoundingClientRect(), room.getBoundingClientRect()];
  const bottom = Math.min(all.bottom, innerHeight);
  if (its.top < all.top || its.bottom > bottom)
    room.scrollTop += (its.top + its.bottom) / 2 - (all.top + bottom) / 2;
}
