/** What takes longer than so many milliseconds shows that it is under way. */
export const patienceMs = 400;

const listeners = new Set<(busy: boolean) => void>();
let late = 0;

function change(by: 1 | -1): void {
  const before = late > 0;
  late += by;
  if (before !== late > 0) for (const tell of listeners) tell(late > 0);
}

/** Tells whoever listens once a promise has not settled for a while, and when it has. */
export async function asBusy<Result>(work: Promise<Result>): Promise<Result> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    change(1);
  }, patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isLate) change(-1);
  }
}

/** Hears whether a change or a file that somebody asked for is on its way for longer than one waits without a sign. */
export function onBusy(listener: (busy: boolean) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
