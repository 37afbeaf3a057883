import { describe, expect, it } from 'vitest';
import { largestParts } from './part.ts';

const parts = [4, 0, 9, 1, 2].map((value, index) => ({ name: `p${index}`, value }));

describe('largestParts', () => {
  it('sorts, and leaves out what is nothing', () =>
    expect(largestParts(parts, 6, 'others').map(({ value }) => value)).toEqual([9, 4, 2, 1]));
  it('sums up what does not fit', () =>
    expect(largestParts(parts, 3, 'others')).toEqual([
      { name: 'p2', value: 9 },
      { name: 'p0', value: 4 },
      { name: 'others', value: 3 },
    ]));
  it('is empty for zeros', () => expect(largestParts([{ name: 'a', value: 0 }], 3, 'others')).toEqual([]));
});
