import { expect, test } from 'vitest';
import { timeTicks } from './time-ticks.ts';

const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime();
const clocks = (from: number, until: number) =>
  timeTicks({ from, until }).map((time) => {
    const date = new Date(time);
    return [date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()].join(' ');
  });

test('the times at the foot of a chart are round and evenly apart', () => {
  expect(clocks(at(2026, 2, 10, 7, 46), at(2026, 2, 10, 8, 45))).toEqual([
    '10 7 50 0',
    '10 8 0 0',
    '10 8 10 0',
    '10 8 20 0',
    '10 8 30 0',
    '10 8 40 0',
  ]);
  expect(clocks(at(2026, 2, 10), at(2026, 2, 10, 9, 10))).toEqual(
    [0, 2, 4, 6, 8].map((hour) => `10 ${hour} 0 0`),
  );
  expect(clocks(at(2026, 2, 4), at(2026, 2, 10, 9))).toEqual(
    [4, 5, 6, 7, 8, 9, 10].map((day) => `${day} 0 0 0`),
  );
  expect(clocks(at(2026, 2, 10, 8, 0, 3), at(2026, 2, 10, 8, 3, 1))).toEqual(
    [30, 60, 90, 120, 150, 180].map((seconds) => `10 8 ${Math.floor(seconds / 60)} ${seconds % 60}`),
  );
});

test('any span has some, and not too many', () => {
  for (const length of [1000, 7000, 60_000, 3_600_000, 86_400_000, 40 * 86_400_000, 9 * 365 * 86_400_000]) {
    const ticks = timeTicks({ from: at(2026, 2, 10), until: at(2026, 2, 10) + length });
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(8);
  }
});
