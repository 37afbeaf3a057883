import { expect, it } from 'vitest';
import { nextRows, type RowRange } from './drawn-rows.ts';

const wantedAround = ({ from, to }: RowRange): RowRange => ({ from: Math.max(0, from - 6), to: to + 6 });

/** What is drawn after each step, until nothing is left to do. */
function steps(drawn: RowRange, inSight: RowRange): RowRange[] {
  const seen = [drawn];
  for (;;) {
    const next = nextRows(seen.at(-1)!, wantedAround(inSight), inSight);
    if (next.from === seen.at(-1)!.from && next.to === seen.at(-1)!.to) return seen.slice(1);
    seen.push(next);
    expect(seen.length).toBeLessThan(20);
  }
}

it('draws the rows around those in sight, below before above', () => {
  expect(steps({ from: 20, to: 31 }, { from: 20, to: 31 })).toEqual([
    { from: 20, to: 34 },
    { from: 20, to: 37 },
    { from: 17, to: 37 },
    { from: 14, to: 37 },
  ]);
});

it('begins with those in sight where it was scrolled far', () => {
  expect(steps({ from: 0, to: 17 }, { from: 500, to: 511 })).toEqual([
    { from: 500, to: 502 },
    { from: 500, to: 505 },
    { from: 500, to: 508 },
    { from: 500, to: 511 },
    { from: 500, to: 514 },
    { from: 500, to: 517 },
    { from: 497, to: 517 },
    { from: 494, to: 517 },
  ]);
});

it('keeps what is still wanted, and adds a few rows at a time', () => {
  expect(steps({ from: 14, to: 37 }, { from: 30, to: 41 })).toEqual([
    { from: 24, to: 40 },
    { from: 24, to: 43 },
    { from: 24, to: 46 },
    { from: 24, to: 47 },
  ]);
  expect(steps({ from: 14, to: 37 }, { from: 10, to: 21 })).toEqual([
    { from: 11, to: 27 },
    { from: 8, to: 27 },
    { from: 5, to: 27 },
    { from: 4, to: 27 },
  ]);
});

it('draws nothing of an empty list', () => {
  expect(nextRows({ from: 0, to: 5 }, { from: 0, to: -1 }, { from: 0, to: -1 })).toEqual({ from: 0, to: -1 });
});
