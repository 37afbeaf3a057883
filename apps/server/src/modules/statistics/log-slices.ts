/** A long search goes through its time in stretches, so that it can tell how far it is. */

export interface Stretch {
  start_time: string;
  end_time: string;
}

const dayMs = 86_400_000;
/** More would cost more than they tell. */
const stretchesMax = 60;

/** From a time to another in stretches of whole UTC days, the first and the last as they are; newest first or oldest. */
export function stretchesOf(from: number, until: number, newestFirst: boolean): Stretch[] {
  if (from >= until) return [];
  const length = Math.max(1, Math.ceil((until - from) / dayMs / stretchesMax)) * dayMs;
  const stretches: Stretch[] = [];
  for (let start = from; start < until;) {
    const end = Math.min(until, Math.floor(start / dayMs) * dayMs + length);
    stretches.push({ start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() });
    start = end;
  }
  return newestFirst ? stretches.reverse() : stretches;
}

/** Rows of a list from one on, as far as another, which is not among them. */
export interface Part {
  from: number;
  until: number;
}

/** The smallest page that has all rows of a part, for stores that read pages; `skip` of its rows stand before. */
export function pageWith({ from, until }: Part): { current_page: number; page_size: number; skip: number } {
  let size = until - from;
  while (Math.floor(from / size) !== Math.floor((until - 1) / size)) size += 1;
  const index = Math.floor(from / size);
  return { current_page: index + 1, page_size: size, skip: from - index * size };
}

/** Which rows of a stretch belong to a page, where so many stand before the stretch; nothing when none does. */
export function partOf(page: Part, before: number, total: number): Part | undefined {
  const from = Math.max(page.from - before, 0);
  const until = Math.min(page.until - before, total);
  return from < until ? { from, until } : undefined;
}
