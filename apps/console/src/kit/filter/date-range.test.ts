import { describe, expect, it } from 'vitest';
import { presetOf, presetRange, presets, restoredRange, savedRange } from './date-range.ts';

const now = new Date(2026, 2, 15, 10, 30).getTime();
const local = (...at: [number, number, number]) => new Date(...at).toISOString();

describe('presetRange', () => {
  it('today has begun at midnight and has no end', () =>
    expect(presetRange('today', now)).toEqual({ start: local(2026, 2, 15) }));
  it('yesterday ends where today begins', () =>
    expect(presetRange('yesterday', now)).toEqual({ start: local(2026, 2, 14), end: local(2026, 2, 15) }));
  it('the last 7 days count today', () =>
    expect(presetRange('last_7_days', now)).toEqual({ start: local(2026, 2, 9) }));
});

describe('presetOf', () => {
  it.each(presets)('knows %s again', (preset) => {
    expect(presetOf(presetRange(preset, now), now)).toBe(preset);
  });

  it.each(presets)('knows %s later on the same day too, unless it goes with the hours', (preset) => {
    const expected = preset === 'last_24_hours' ? undefined : preset;
    expect(presetOf(presetRange(preset, now), now + 3_600_000)).toBe(expected);
  });
  it('knows nothing of a custom range', () =>
    expect(presetOf({ start: local(2026, 2, 1) }, now)).toBeUndefined());
});

describe('a range that is saved', () => {
  const nextWeek = now + 7 * 86_400_000;
  it.each(presets)('goes with the days: %s', (preset) => {
    const saved = savedRange(presetRange(preset, now), now);
    expect(restoredRange(saved, nextWeek)).toEqual(presetRange(preset, nextWeek));
  });
  it('of one’s own stays as it is', () => {
    const range = { start: local(2026, 2, 1), end: local(2026, 2, 3) };
    expect(restoredRange(savedRange(range, now), nextWeek)).toEqual(range);
  });
});
