/**
 * Places that sites share, such as those of a worker for requests at origins. Each site may hold as many as are free: one alone
 * gets half of them, `n` that want all they can get have one in `n + 1` each, and so there is always one for the next. What
 * a quiet neighbour does not use is nobody's loss, and no site need be given a number. (In switches this is known as
 * dynamic thresholds: Choudhury and Hahne, 1998.)
 *
 * Each worker counts its own: what runs out is a worker's connections, and nothing remains of one that is killed.
 */
export interface Places {
  max: number;
  taken: number;
  byHolder: Record<string, number>;
}

export function places(max: number): Places {
  return { max, taken: 0, byHolder: {} };
}

/** Whether there was one. */
export function takePlace(all: Places, holder: string): boolean {
  if ((all.byHolder[holder] ?? 0) >= all.max - all.taken) return false;
  takeAnyPlace(all, holder);
  return true;
}

/** For what must not be refused; it counts all the same. */
export function takeAnyPlace(all: Places, holder: string): void {
  all.byHolder[holder] = (all.byHolder[holder] ?? 0) + 1;
  all.taken += 1;
}

export function givePlaceBack(all: Places, holder: string): void {
  const left = all.byHolder[holder]! - 1;
  if (left === 0) delete all.byHolder[holder];
  else all.byHolder[holder] = left;
  all.taken -= 1;
}
