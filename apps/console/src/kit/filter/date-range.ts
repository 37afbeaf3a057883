import { timeRange } from '../time-range.ts';

/** Ranges that a filter offers. Pure: now is an argument. */
export const presets = ['last_24_hours', 'today', 'yesterday', 'last_7_days'] as const;
export type Preset = (typeof presets)[number];

export interface DateRange {
  start?: string | undefined;
  end?: string | undefined;
}

const minuteMs = 60_000;

/** What reaches to now has no end, so that an address which says today goes on to grow through the day. */
export function presetRange(preset: Preset, now: number): DateRange {
  if (preset === 'last_24_hours')
    return { start: new Date(Math.floor(now / minuteMs) * minuteMs - 24 * 60 * minuteMs).toISOString() };
  const { start_time, end_time } = timeRange(preset, now);
  return preset === 'yesterday' ? { start: start_time, end: end_time } : { start: start_time };
}

/** The preset that a range is, today. */
export function presetOf({ start, end }: DateRange, now: number): Preset | undefined {
  return presets.find((preset) => {
    const range = presetRange(preset, now);
    return range.start === start && range.end === end;
  });
}

const byName = 'preset:';

/** A range as it is remembered: of one that goes with the days, its name. */
export function savedRange(range: DateRange, now: number): DateRange {
  const preset = presetOf(range, now);
  return preset === undefined ? range : { start: byName + preset };
}

/** A remembered range, today. */
export function restoredRange(saved: DateRange, now: number): DateRange {
  const preset = presets.find((each) => saved.start === byName + each);
  return preset === undefined ? saved : presetRange(preset, now);
}
