import { expect, test } from 'vitest';
import {
  formatBitRate,
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatSeconds,
  formatShare,
  fromLocalInput,
  toLocalInput,
} from './format.ts';

test('sizes and rates keep three digits', () => {
  expect([0, 1023, 1024, 1_536, 123_456_789].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1 KB',
    '1.5 KB',
    '118 MB',
  ]);
  expect([999, 1_000, 7_590_000].map(formatBitRate)).toEqual(['999 bps', '1 Kbps', '7.59 Mbps']);
  expect([0.004, 1.234, 75].map(formatSeconds)).toEqual(['4 ms', '1.23 s', '75 s']);
  expect([null, 0, 0.9456, 1].map(formatShare)).toEqual(['–', '0%', '94.6%', '100%']);
  expect([0.0004, 0.99951].map(formatShare)).toEqual(['<0.1%', '>99.9%']);
  expect([1_234_567, 0.3].map(formatCount)).toEqual(['1,234,567', '0']);
});

test('a date follows the language; an empty one is null, a broken one says so', () => {
  const noon = new Date(2026, 10, 2, 12, 30, 5).toISOString();
  expect(formatDate(noon, 'en')).toBe('02 Nov 2026');
  expect(formatDate(new Date(2026, 8, 5).toISOString(), 'en')).toBe('05 Sep 2026');
  expect(formatDate(noon, 'zh')).toBe('2026-11-02');
  expect(formatDateTime(noon, 'en')).toBe('02 Nov 2026 12:30:05');
  expect([null, undefined, ''].map((time) => formatDate(time, 'en'))).toEqual([null, null, null]);
  expect(formatDateTime('soon', 'en')).toBe('Invalid time value');
});

test('a local input gives back the minute it was given', () => {
  const minute = new Date(2026, 10, 2, 12, 30).toISOString();
  expect(fromLocalInput(toLocalInput(minute))).toBe(minute);
  expect([toLocalInput(undefined), fromLocalInput('')]).toEqual(['', undefined]);
});
