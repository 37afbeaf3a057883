import { describe, expect, it } from 'vitest';
import { pageWith, partOf, stretchesOf } from './log-slices.ts';

const at = (text: string) => Date.parse(`2026-03-${text}:00.000Z`);

describe('the stretches of a search', () => {
  it('are whole days but for the first and the last, and leave nothing out', () => {
    const stretches = stretchesOf(at('01T10:00'), at('03T02:00'), true);
    expect(stretches.map(({ start_time }) => start_time.slice(8, 16))).toEqual([
      '03T00:00',
      '02T00:00',
      '01T10:00',
    ]);
    expect(stretches[0]!.end_time).toBe('2026-03-03T02:00:00.000Z');
    expect(stretchesOf(at('01T10:00'), at('03T02:00'), false)).toEqual(stretches.toReversed());
    expect(stretchesOf(at('01T10:00'), at('01T11:00'), true)).toHaveLength(1);
    expect(stretchesOf(at('02T10:00'), at('01T11:00'), true)).toEqual([]);
  });

  it('are longer where the time is', () => {
    const from = at('01T10:00');
    const until = from + 1000 * 86_400_000;
    const stretches = stretchesOf(from, until, false);
    expect(stretches.length).toBeLessThanOrEqual(61);
    for (const [index, { start_time }] of stretches.entries())
      expect(start_time).toBe(stretches[index - 1]?.end_time ?? new Date(from).toISOString());
    expect(stretches.at(-1)!.end_time).toBe(new Date(until).toISOString());
  });
});

it('finds a page with any part of a list', () => {
  for (let from = 0; from < 60; from += 1)
    for (let until = from + 1; until < from + 30; until += 1) {
      const { current_page, page_size, skip } = pageWith({ from, until });
      const first = (current_page - 1) * page_size;
      expect(first + skip).toBe(from);
      expect(first + page_size).toBeGreaterThanOrEqual(until);
    }
});

it('says which rows of a stretch a page has', () => {
  const page = { from: 10, until: 20 };
  expect(partOf(page, 0, 5)).toBeUndefined();
  expect(partOf(page, 0, 12)).toEqual({ from: 10, until: 12 });
  expect(partOf(page, 12, 100)).toEqual({ from: 0, until: 8 });
  expect(partOf(page, 20, 100)).toBeUndefined();
});
