import type { TimeRange } from '../api/time-step.ts';

/** Ranges of time that charts and logs offer. Pure: now is an argument. */

export const rangeNames = ['last_hour', 'today', 'yesterday', 'last_7_days', 'custom'] as const;
export type RangeName = (typeof rangeNames)[number];

const hour = 3_600_000;

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

/** Midnight some days earlier; a day is not always 24 hours. */
function daysBefore(midnight: number, days: number): number {
  const date = new Date(midnight);
  return date.setDate(date.getDate() - days);
}
