import { expect, test } from 'vitest';
import { formatChange } from './format-change.ts';

test('a change is a share with its sign, a multiple where it is large, and none where there was nothing', () => {
  const changes = [
    [150, 100],
    [50, 100],
    [100, 100],
    [0, 100],
    [123_456, 10],
    [5, 0],
  ] as const;
  expect(changes.map(([now, before]) => formatChange(now, before))).toEqual([
    '+50%',
    '−50%',
    '±0%',
    '−100%',
    '×12,346',
    undefined,
  ]);
});
