import type { Logger } from 'pino';
import { pause } from '../backoff.ts';

/** How long a start waits for the control plane. */
const waitMilliseconds = 3000;

/** Asks the control plane for what nginx had better have from its start. Where it is away or slow the node starts `without`. */
export async function askBeforeStart(
  without: string,
  ask: (signal: AbortSignal) => Promise<void>,
  logger: Logger,
): Promise<void> {
  const given = new AbortController();
  const late = pause(waitMilliseconds, given.signal).then(() => {
    if (!given.signal.aborted) throw new Error('the control plane took too long');
  });
  try {
    await Promise.race([ask(given.signal), late]);
  } catch (error) {
    logger.warn({ err: error }, without);
  } finally {
    given.abort();
  }
}
