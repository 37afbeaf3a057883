import { expect, it } from 'vitest';
import { deliveryState } from './delivery.ts';

it.each([
  [[], 'none'],
  [['applied', 'applied'], 'applied'],
  [['applied', 'pending'], 'pending'],
  [['applied', 'refused', 'pending'], 'refused'],
] as const)('%j is %s', (statuses, state) => {
  expect(deliveryState(statuses.map((status) => ({ status })))).toBe(state);
});
