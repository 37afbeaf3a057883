import { describe, expect, it } from 'vitest';
import { Clock, withTimesOf } from './clock.ts';

const hour = 3_600_000;
/** An answer that took so long, from a clock that this one is ahead of by so much. */
function answer(clock: Clock, ahead: number, tripMilliseconds = 10, rounded = 0): void {
  const received = performance.now();
  const theirs = Date.now() - ahead - tripMilliseconds / 2;
  clock.learn(theirs, { sent: received - tripMilliseconds, received }, rounded);
}

describe('the clock', () => {
  it('knows how far it is off, halfway between question and answer', () => {
    const clock = new Clock();
    expect(clock.aheadMilliseconds).toBe(0);
    answer(clock, hour, 800);
    expect(Math.abs(clock.aheadMilliseconds - hour)).toBeLessThan(50);
    expect(Math.abs(clock.now() - (Date.now() - hour))).toBeLessThan(50);
    answer(clock, -hour);
    expect(Math.abs(clock.aheadMilliseconds + hour)).toBeLessThan(50);
  });

  it('leaves alone what is within the tolerance', () => {
    const clock = new Clock();
    answer(clock, 1900);
    expect(clock.aheadMilliseconds).toBe(0);
    answer(clock, -2100);
    expect(clock.aheadMilliseconds).toBeLessThan(-2000);
  });

  it('believes a slow answer only where it is far off all the same', () => {
    const clock = new Clock();
    answer(clock, 3000, 8000);
    expect(clock.aheadMilliseconds).toBe(0);
    answer(clock, hour, 8000);
    expect(clock.aheadMilliseconds).toBeGreaterThan(hour - 5000);
  });
});

describe('times of lines', () => {
  const line = (time: string, rest = '') => `{"time":"${time}","uri":"/\\u00e9${rest}"}\n`;

  it('are moved, each line as long as it was, and other bytes what they were', () => {
    const lines = Buffer.concat([
      Buffer.from(line('2026-03-01T00:30:00.123Z', '{"time":"2026-03-01T00:30:00.123Z"')),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(line('2026-03-01T01:30:00.000Z')),
    ]);
    const moved = withTimesOf(lines, hour);
    expect(moved).toHaveLength(lines.length);
    expect(moved.includes(0xff)).toBe(true);
    const text = moved.toString('latin1');
    expect(text).toContain(line('2026-02-28T23:30:00.123Z', '{"time":"2026-03-01T00:30:00.123Z"'));
    expect(text).toContain(line('2026-03-01T00:30:00.000Z'));
  });

  it('stay what they are by a clock that is right', () => {
    const lines = Buffer.from(line('2026-03-01T00:30:00.123Z'));
    expect(withTimesOf(lines, 0)).toBe(lines);
  });
});
