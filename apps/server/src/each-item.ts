import type { Logger } from 'pino';

export interface ItemWork<Item> {
  log: Pick<Logger, 'error'>;
  /** For the log: what is done with an item. */
  about: string;
  /** For the log, too. The item itself may hold what no log may, such as a URL with a key in it. */
  nameOf: (item: Item) => number | string;
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
  { log, about, nameOf, seconds, atOnce = 1 }: ItemWork<Item>,
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
        log.error({ err, item: nameOf(item) }, about);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return done;
}
