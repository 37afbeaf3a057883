import { noLiveFigures } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { pointsOf, secondsShown, withSecond, type LiveSecond } from './live-seconds.ts';

const second = (time: number): LiveSecond => ({
  type: 'second',
  time,
  figures: { ...noLiveFigures, requests: time },
  nodes: 1,
  nodes_expected: 1,
});

test('seconds that nobody told of are gaps, and one that is told twice counts once', () => {
  const seconds = [1, 2, 2, 5].reduce<LiveSecond[]>((all, time) => withSecond(all, second(time)), []);
  expect(pointsOf(seconds, ({ requests }) => requests).map(({ value }) => value)).toEqual([
    1,
    2,
    null,
    null,
    5,
  ]);
  expect(pointsOf(seconds, () => 0)[0]!.time).toBe('1970-01-01T00:00:01.000Z');
});

test('the oldest are left out', () => {
  const seconds = withSecond(withSecond([], second(1)), second(100_000));
  expect(seconds).toHaveLength(secondsShown);
  expect(seconds.at(-1)!.time).toBe(100_000);
});
