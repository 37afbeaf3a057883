import type { Logger } from 'pino';

export interface ItemWork {
  log: Pick<Logger, 'error'>;
  /** For the log: what is done with an item. */
  about: string;
  /** None is begun later; those that are left are due still when the job runs again. */
  seconds: number;
  atOnce?: number;
}

/**
 * Work of a job on many items, which are none of each other's business: what goes wrong with one is logged, and the others go
 * on. Returns how many were done.
 */
export async function eachItem<Item>(
  items: readonly Item[],
  { log, about, seconds, atOnce = 1 }: ItemWork,
  run: (item: Item) => Promise<unknown>,
): Promise<number> {
  const deadline = Date.now() + seconds * 1000;
  const waiting = [...items];
  let done = 0;
  const work = async () => {
    while (Date.now() < deadline) {
      const item = waiting.shift();
      if (item === undefined) return;
      try {
        await run(item);
        done += 1;
      } catch (err) {
        log.error({ err, item }, about);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return done;
}
