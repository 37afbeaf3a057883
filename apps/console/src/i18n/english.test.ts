import { expect, test } from 'vitest';
import { counted } from './counted.ts';
import { ordinal } from './ordinal.ts';

test('one is counted as one, however it is written', () => {
  expect([0, 1, 2, '1', '1,000'].map((count) => counted(count, 'request'))).toEqual([
    '0 requests',
    '1 request',
    '2 requests',
    '1 request',
    '1,000 requests',
  ]);
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
});

test('places are told as English tells them', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal)).toEqual(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd'.split(' '),
  );
});
