import type { TimeRange } from '../api/time-step.ts';

/** Ranges of time that charts and logs offer. Pure: now is an argument. */

export const rangeNames = ['last_hour', 'today', 'yesterday', 'last_7_days', 'custom'] as const;
export type RangeName = (typeof rangeNames)[number];

const hour = 3_600_000;

/**
 * The moment that ranges end at: rounded down to the step of the chart, and to the minute where that is longer, so that figures
 * do not lag behind. Between two such moments a question stays the same one.
 */
export const roundedNow = (now: number, stepSeconds = 60): number => {
  const grain = Math.min(stepSeconds, 60) * 1000;
  return Math.floor(now / grain) * grain;
};

/** The range in the reader's zone. A custom one that lacks an end or is reversed falls back to the last hour. */
export function timeRange(name: RangeName, now: number, custom: Partial<TimeRange> = {}): TimeRange {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const iso = (from: number, until: number) => ({
    start_time: new Date(from).toISOString(),
    end_time: new Date(until).toISOString(),
  });
  if (name === 'custom' && custom.start_time && custom.end_time && custom.start_time < custom.end_time)
    return { start_time: custom.start_time, end_time: custom.end_time };
  if (name === 'today') return iso(midnight, Math.max(now, midnight + 60_000));
  if (name === 'yesterday') return iso(daysBefore(midnight, 1), midnight);
  if (name === 'last_7_days') return iso(daysBefore(midnight, 6), now);
  return iso(Math.floor((now - hour) / 60_000) * 60_000, now);
}

/**
 * As long a time, the same days of the week and hours of the day before it: whole weeks earlier, as many as the range
 * needs, by the reader's calendar.
 */
export function weeksBefore({ start_time, end_time }: TimeRange): { weeks: number; range: TimeRange } {
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)];
  const weeks = Math.max(1, Math.ceil((end - start) / (7 * 24 * hour)));
  const earlier = (time: number) => new Date(daysBefore(time, 7 * weeks)).toISOString();
  return { weeks, range: { start_time: earlier(start), end_time: earlier(end) } };
}

/** The same time of the day some days earlier; a day is not always 24 hours. */
function daysBefore(time: number, days: number): number {
  const date = new Date(time);
  return date.setDate(date.getDate() - days);
}
