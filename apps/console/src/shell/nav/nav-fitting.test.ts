import { expect, it } from 'vitest';
import { fittingOf } from './nav-fitting.ts';

it('what fits stays in the bar, and room is kept for the rest only where there is a rest', () => {
  expect(fittingOf([100, 100, 100], 50, 300)).toBe(3);
  expect(fittingOf([100, 100, 100], 50, 299)).toBe(2);
  expect(fittingOf([100, 100, 100], 50, 249)).toBe(1);
  expect(fittingOf([100, 100, 100], 50, 100)).toBe(0);
  expect(fittingOf([], 50, 0)).toBe(0);
});
