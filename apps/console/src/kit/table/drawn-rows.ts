import { startTransition, useEffect, useState } from 'react';

/** Places in a list, both of them included; none where the end comes before the start. */
export interface RowRange {
  from: number;
  to: number;
}

/** Rows that are added at once: what an old laptop lays out between two frames. */
const step = 3;

/**
 * Which rows of a long list are drawn. While it scrolls they follow a few at a time, in the background, so that the wheel does not
 * wait for them; what is not there yet is left empty. At rest what is in sight is drawn at once.
 * @param wanted those in sight and some before and after them
 */
export function useDrawnRows(wanted: RowRange, inSight: RowRange, isScrolling: boolean): RowRange {
  const [drawn, setDrawn] = useState(inSight);
  const shown = isScrolling ? drawn : spanned(inSight, drawn);
  if (!isSame(shown, drawn)) setDrawn(shown);
  const { from, to } = nextRows(shown, wanted, inSight);
  useEffect(() => {
    // By frames, so that no two steps are laid out in one.
    const frame = requestAnimationFrame(() =>
      startTransition(() => setDrawn((now) => (isSame(now, { from, to }) ? now : { from, to }))),
    );
    return () => cancelAnimationFrame(frame);
  }, [from, to]);
  return shown;
}

const isSame = (one: RowRange, other: RowRange): boolean => one.from === other.from && one.to === other.to;

const areApart = (one: RowRange, other: RowRange): boolean => one.to < other.from || other.to < one.from;

/** Both, where they meet. */
const spanned = (inSight: RowRange, drawn: RowRange): RowRange =>
  areApart(inSight, drawn)
    ? inSight
    : { from: Math.min(inSight.from, drawn.from), to: Math.max(inSight.to, drawn.to) };

/** Nearer to what is wanted by a step: what is out of it goes, and what lacks comes, below before above. */
export function nextRows(drawn: RowRange, wanted: RowRange, inSight: RowRange): RowRange {
  if (areApart(drawn, inSight))
    return { from: inSight.from, to: Math.min(inSight.to, inSight.from + step - 1) };
  const from = Math.max(drawn.from, wanted.from);
  const to = Math.min(drawn.to, wanted.to);
  return to < wanted.to
    ? { from, to: Math.min(wanted.to, to + step) }
    : { from: Math.max(wanted.from, from - step), to };
}
