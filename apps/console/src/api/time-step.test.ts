import { expect, test } from 'vitest';
import { completeSteps } from './time-step.ts';

const at = (time: string, value: number | null) => ({ time: `2026-03-01T10:${time}.000Z`, value });
const readAt = Date.parse('2026-03-01T10:03:20.000Z');

test('a chart ends at the last step that was over and told of when it was read', () => {
  const points = [at('01:00', 4), at('02:00', 5), at('03:00', 1)];
  expect(completeSteps(points, 60, readAt)).toEqual(points.slice(0, 2));
  expect(completeSteps(points, 60, readAt - 15_000)).toEqual(points.slice(0, 1));
  expect(completeSteps(points, 60, readAt + 60_000)).toEqual(points);
});

test('what there is of a first step is shown', () => {
  const points = [at('02:00', null), at('03:00', 1)];
  expect(completeSteps(points, 60, readAt)).toEqual(points);
});
