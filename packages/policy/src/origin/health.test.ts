import { describe, expect, it } from 'vitest';
import { isOut, nextHealth, unjudged, type HealthLimits, type OriginHealth } from './health.ts';

/** A generator of numbers in [0, 1) that gives the same ones again for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Step {
  at: number;
  good: boolean;
  before: OriginHealth;
  after: OriginHealth;
}

function walk(seed: number): { limits: HealthLimits; steps: Step[] } {
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const limits = {
    rise: 1 + below(4),
    fall: 1 + below(4),
    hold_down_seconds: below(3) * 20,
    failback_delay_seconds: below(3) * 15,
  };
  const steps: Step[] = [];
  let health = unjudged;
  let good = random() < 0.5;
  for (let at = 0; steps.length < 200; at += 1 + below(12)) {
    if (random() < 0.3) good = !good;
    const before = health;
    health = nextHealth(before, good, at, limits);
    steps.push({ at, good, before, after: health });
  }
  return { limits, steps };
}

const lastAre = (steps: Step[], index: number, count: number, good: boolean) =>
  index + 1 >= count && steps.slice(index + 1 - count, index + 1).every((step) => step.good === good);

const walks = Array.from({ length: 500 }, (_, seed) => walk(seed));

describe('any course of results', () => {
  it('takes an origin out exactly when the last results were bad, as many as `fall` says', () => {
    for (const { limits, steps } of walks)
      for (const [index, { before, after }] of steps.entries())
        if (!isOut(before)) expect(isOut(after)).toBe(lastAre(steps, index, limits.fall, false));
  });

  it('brings it back only well, and after both waits', () => {
    let seen = 0;
    for (const { limits, steps } of walks)
      for (const [index, { at, before, after }] of steps.entries()) {
        if (!isOut(before) || isOut(after)) continue;
        seen += 1;
        expect(lastAre(steps, index, limits.rise, true)).toBe(true);
        expect(at - after.downAt).toBeGreaterThanOrEqual(limits.hold_down_seconds);
        expect(at - after.wellAt).toBeGreaterThanOrEqual(limits.failback_delay_seconds);
      }
    expect(seen).toBeGreaterThan(walks.length);
  });

  it('brings it back at the first good result at which both waits are over', () => {
    for (const { limits, steps } of walks)
      for (const { at, good, before, after } of steps) {
        if (before.state !== 'returning' || !good) continue;
        const isHeld =
          at - before.downAt < limits.hold_down_seconds || at - before.wellAt < limits.failback_delay_seconds;
        expect(after.state).toBe(isHeld ? 'returning' : 'up');
      }
  });

  it('takes no bad origin for one that returns', () => {
    for (const { steps } of walks)
      for (const { good, after } of steps) if (after.state === 'returning') expect(good).toBe(true);
  });
});
