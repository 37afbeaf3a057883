import { describe, expect, it } from 'vitest';
import { DueList } from './due-list.ts';

describe('a list of what is due', () => {
  it('gives each thing once, in its time, to within a tenth of a second', () => {
    const list = new DueList<number>(1000);
    const dueAt = Array.from({ length: 2000 }, (_, n) => 1000 + ((n * 7919) % 20_000));
    for (const [n, time] of dueAt.entries()) list.add(n, time);
    const seen = new Map<number, number>();
    for (let now = 1000; now < 22_000; now += 30)
      for (const n of list.take(now)) {
        expect(seen.has(n)).toBe(false);
        seen.set(n, now);
      }
    expect(seen.size).toBe(2000);
    for (const [n, now] of seen) expect(Math.abs(now - dueAt[n]!)).toBeLessThanOrEqual(130);
  });

  it('gives at once what should have been done before', () => {
    const list = new DueList<string>(5000);
    list.take(9000);
    list.add('late', 100);
    expect(list.take(9100)).toEqual(['late']);
  });

  it('catches up after a long sleep', () => {
    const list = new DueList<string>(0);
    list.add('one', 500);
    list.add('two', 3_600_000);
    expect(list.take(7_200_000)).toEqual(['one', 'two']);
  });
});
