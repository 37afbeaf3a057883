import { heldHere, isCounted } from '../lib/counters.ts';
import { hold } from './limits.ts';

/**
 * Answers in parts, for which threads may wait for the disk. Before its 1.25.4 nginx ends a worker that is to quit as soon as none of
 * its timers runs, and a thread that reads has none: what it reads for would be cut off. So a worker stays until the last of them has ended.
 */

const name = 'parts';
const lookSeconds = 0.2;
/**
 * For requests on connections that were there before, since no timer begins in a worker that is to quit already: where such requests
 * come at all.
 */
const leastSeconds = 2;
/** Long: it is only there to be called when the worker is to quit. */
const waitSeconds = 3600;

/** To be called for a request that goes to such a place; `release` tells of its end. */
export function noteParts(place: string): void {
  if (string.find(place, '@slice', 1, true)[0] === 1) hold(name, math.huge);
}

/** In each worker as it starts: Lua's timers are called once more when it is to quit. */
export function stayForParts(): void {
  ngx.timer.every(waitSeconds, stay);
}

function stay(this: void, isEnding: boolean): void {
  if (!isEnding) return;
  const least = isCounted(name) ? ngx.now() + leastSeconds : 0;
  while (heldHere(name) > 0 || ngx.now() < least) ngx.sleep(lookSeconds);
}
