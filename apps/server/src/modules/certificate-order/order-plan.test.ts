import { expect, it } from 'vitest';
import { isClockOff, nextTry, renewalByLifetime, renewalInWindow, warningDue } from './order-plan.ts';

const day = 86_400_000;

it('renews at two thirds of a lifetime, or a little before, whatever the lifetime', () => {
  for (const days of [6, 47, 90]) {
    const [from, until] = [new Date(0), new Date(days * day)];
    const times = Array.from({ length: 200 }, () => renewalByLifetime(from, until, 0).getTime());
    expect(Math.max(...times)).toBeLessThanOrEqual((days * day * 2) / 3);
    expect(Math.min(...times)).toBeGreaterThanOrEqual((days * day * 19) / 30);
    expect(new Set(times).size).toBeGreaterThan(100);
  }
});

it('with a clock that is off renews no more than once a day, and tells it', () => {
  const [from, until] = [new Date(0), new Date(90 * day)];
  for (const now of [65 * day, 89 * day]) {
    expect(renewalByLifetime(from, until, now).getTime()).toBe(now + day);
    expect(isClockOff(from, until, now)).toBe(true);
  }
  expect(isClockOff(from, until, -3_600_000)).toBe(true);
  for (const now of [-60_000, 0, 3_600_000]) expect(isClockOff(from, until, now)).toBe(false);
});

it('renews at any time of the authority’s window, and at once when that is over', () => {
  const times = Array.from({ length: 200 }, () =>
    renewalInWindow(new Date(day), new Date(2 * day), 0).getTime(),
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(day);
  expect(Math.max(...times)).toBeLessThanOrEqual(2 * day);
  expect(new Set(times).size).toBeGreaterThan(100);
  expect(renewalInWindow(new Date(0), new Date(1), day).getTime()).toBe(day);
});

it('tries again later each time, once a day at the most, and not before an authority says', () => {
  const wait = (failures: number) => nextTry(failures, undefined, 0).getTime() / 60_000;
  expect(wait(1)).toBeGreaterThanOrEqual(5);
  expect(wait(1)).toBeLessThan(7);
  expect(wait(3)).toBeGreaterThanOrEqual(60);
  expect(wait(50)).toBeGreaterThanOrEqual(1440);
  expect(wait(50)).toBeLessThan(1440 * 1.3);
  expect(nextTry(1, new Date(7 * day), 0)).toEqual(new Date(7 * day));
});

it('warns once at each of 30, 14, 7, 3 and 1 days', () => {
  const at = (days: number, warned: number | null) => warningDue(new Date(days * day), warned, 0);
  expect(at(31, null)).toBeUndefined();
  expect(at(30, null)).toBe(30);
  expect(at(20, 30)).toBeUndefined();
  expect(at(13.5, 30)).toBe(14);
  expect(at(2.5, 14)).toBe(3);
  expect(at(0.5, 3)).toBe(1);
  expect(at(-1, 1)).toBeUndefined();
});
