import { expect, it } from 'vitest';
import { rateOf, reserve } from './rate.ts';
import { randomFrom } from '../lib/test-random.ts';

it('lets no more than requests and burst through in any period, and all that keep the pace', () => {
  const random = randomFrom(7);
  const upTo = (max: number) => Math.floor(random() * max);
  for (let round = 0; round < 300; round++) {
    const requests = 1 + upTo(50);
    const periodSeconds = 1 + upTo(20);
    const burst = upTo(40);
    const rate = rateOf(requests, periodSeconds, burst);
    const period = periodSeconds * 1_000_000;
    let now = 1_000_000_000 + upTo(1_000_000);
    let counter = 0;
    const passed: number[] = [];
    for (let request = 0; request < 400; request++) {
      // Now a crowd, now a lull.
      now += random() < 0.7 ? upTo(rate.interval / 2) : upTo(3 * period);
      const { allowed, next, wait } = reserve(rate, counter, now);
      if (allowed) passed.push(now);
      else {
        expect(next).toBe(counter);
        // Who waits as told is let through, and who comes sooner is not.
        expect(reserve(rate, counter, now + wait).allowed).toBe(true);
        expect(reserve(rate, counter, now + wait - 1).allowed).toBe(false);
      }
      counter = next;
    }
    let first = 0;
    for (let last = 0; last < passed.length; last++) {
      while (passed[last]! - passed[first]! >= period) first += 1;
      expect(last - first + 1).toBeLessThanOrEqual(requests + burst);
    }
    let steady = 0;
    for (let at = now; at < now + 20 * rate.interval; at += rate.interval) {
      const { allowed, next } = reserve(rate, steady, at);
      expect(allowed).toBe(true);
      steady = next;
    }
  }
});
