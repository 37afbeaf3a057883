import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is there (not undefined, not false) or time is over; what was asked for is in the error. */
export async function waitFor<Result>(
  what: string,
  ask: () => Promise<Result | undefined | false> | Result | undefined | false,
  timeoutSeconds = 60,
): Promise<Result> {
  const began = Date.now();
  const deadline = began + timeoutSeconds * 1000;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutSeconds} s for: ${what}`, { cause: last });
    // What takes long is not made longer by being asked about.
    await sleep(Date.now() - began < 1000 ? 25 : 100);
  }
}
