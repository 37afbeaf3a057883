import { expect, test } from 'vitest';
import { stepFor } from '../api/time-step.ts';
import { roundedNow, timeRange, weeksBefore } from './time-range.ts';

const now = new Date(2026, 2, 10, 15, 4, 5).getTime();
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString();

test('ranges are in the zone of the reader', () => {
  expect(timeRange('last_hour', now)).toEqual({
    start_time: at(2026, 2, 10, 14, 4),
    end_time: new Date(now).toISOString(),
  });
  expect(timeRange('today', now)).toEqual({
    start_time: at(2026, 2, 10),
    end_time: new Date(now).toISOString(),
  });
  expect(timeRange('yesterday', now)).toEqual({ start_time: at(2026, 2, 9), end_time: at(2026, 2, 10) });
  expect(timeRange('last_7_days', now)).toEqual({
    start_time: at(2026, 2, 4),
    end_time: new Date(now).toISOString(),
  });
});

test('a range that is renewed ends at a step, at a minute where that is longer', () => {
  const odd = Date.UTC(2026, 2, 10, 15, 4, 37, 250);
  expect(roundedNow(odd)).toBe(Date.UTC(2026, 2, 10, 15, 4));
  expect(roundedNow(odd, 5)).toBe(Date.UTC(2026, 2, 10, 15, 4, 35));
  expect(roundedNow(odd, 3600)).toBe(Date.UTC(2026, 2, 10, 15, 4));
});

test('what a range is compared with is the same part of an earlier week', () => {
  expect(weeksBefore(timeRange('today', now))).toEqual({
    weeks: 1,
    range: { start_time: at(2026, 2, 3), end_time: new Date(2026, 2, 3, 15, 4, 5).toISOString() },
  });
  expect(weeksBefore(timeRange('last_7_days', now)).range.start_time).toBe(at(2026, 1, 25));
  const tenDays = { start_time: at(2026, 2, 20), end_time: at(2026, 2, 30) };
  expect(weeksBefore(tenDays)).toEqual({
    weeks: 2,
    range: { start_time: at(2026, 2, 6), end_time: at(2026, 2, 16) },
  });
});

test('a custom range that lacks an end or is reversed is the last hour', () => {
  const custom = { start_time: at(2026, 2, 1), end_time: at(2026, 2, 2) };
  expect(timeRange('custom', now, custom)).toEqual(custom);
  const hour = timeRange('last_hour', now);
  expect(timeRange('custom', now, { start_time: custom.start_time })).toEqual(hour);
  expect(timeRange('custom', now, { start_time: custom.end_time, end_time: custom.start_time })).toEqual(
    hour,
  );
});

test('the step is the finest that draws few enough points', () => {
  const steps = [60, 300, 3600, 86_400];
  expect(stepFor(timeRange('last_hour', now), steps)).toBe(60);
  expect(stepFor(timeRange('yesterday', now), steps)).toBe(300);
  expect(stepFor(timeRange('last_7_days', now), steps)).toBe(3600);
  expect(stepFor({ start_time: at(2000, 0, 1), end_time: at(2026, 0, 1) }, steps)).toBe(86_400);
});
