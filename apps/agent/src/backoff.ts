import { setTimeout as sleep } from 'node:timers/promises';

const firstMilliseconds = 200;
const lastMilliseconds = 10_000;

/** Waits between attempts: doubling from 0.2 to 10 seconds, each shortened at random so that agents do not return in step. */
export class Backoff {
  #attempts = 0;

  reset(): void {
    this.#attempts = 0;
  }

  nextMilliseconds(random: () => number = Math.random): number {
    const full = Math.min(lastMilliseconds, firstMilliseconds * 2 ** this.#attempts);
    this.#attempts += 1;
    return full * (0.5 + random() / 2);
  }

  /** Resolves early, without an error, when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    await pause(this.nextMilliseconds(), signal);
  }
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
