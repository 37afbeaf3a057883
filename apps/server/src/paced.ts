import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves for at most so many a second, however many wait for their turn at once. */
export function paced(perSecond: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const at = Math.max(Date.now(), next);
    next = at + 1000 / perSecond;
    await sleep(at - Date.now());
  };
}
