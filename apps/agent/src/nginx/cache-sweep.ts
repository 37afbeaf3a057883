import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';

/** How nginx names an answer that it has not all of yet: the key's hash, and a number of ten digits. */
const unfinished = /^[0-9a-f]{32}\.\d{10}$/;
/** Nothing was added to it for so long: longer than an origin may be silent. */
const abandonedMilliseconds = 2 * 3_600_000;
const everyMilliseconds = 24 * 3_600_000;

/**
 * Removes what a killed nginx had not finished: nothing refers to these files, and nginx itself passes them over when it
 * reads its cache. Answers how many there were.
 */
export async function sweepCache(folder: string, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(folder).catch(() => [])) {
    if (signal.aborted) return removed;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removed += await sweepCache(path, signal);
    else if (unfinished.test(entry.name) && (await isAbandoned(path))) {
      await unlink(path).catch(() => {});
      removed += 1;
    }
  }
  return removed;
}

async function isAbandoned(path: string): Promise<boolean> {
  const mtimeMs = await stat(path).then(
    (found) => found.mtimeMs,
    () => Infinity,
  );
  return Date.now() - mtimeMs > abandonedMilliseconds;
}

/** Each day, until the signal aborts. */
export async function sweepDaily(
  folders: readonly string[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const folder of folders) {
      const removed = await sweepCache(folder, signal);
      if (removed > 0) logger.info({ folder, removed }, 'unfinished files were left in the cache');
    }
    await pause(everyMilliseconds, signal);
  }
}
