import { clockToleranceSeconds } from '@breakwater/contract';

/** A sample is taken for what it says only if the way there and back leaves no more doubt than this. */
const doubtMillisecondsMax = 1000;
const timeAtLineStart = /^\{"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/gm;

/** Readings of a clock that nobody sets, in milliseconds, around a question. */
export interface Asked {
  sent: number;
  received: number;
}

/**
 * How far this machine's clock is from the control plane's. What is remembered is how theirs stands to the time since this
 * process began, so that a clock that is set right counts as right at once.
 */
export class Clock {
  #theirsAtStart: number | undefined;

  /** Their time in milliseconds, read halfway between question and answer, and by how much it may be off besides. */
  learn(theirs: number, { sent, received }: Asked, roundedMilliseconds = 0): void {
    const halfTrip = (received - sent) / 2;
    const doubt = halfTrip + roundedMilliseconds;
    const theirsAtStart = theirs + halfTrip - received;
    const ahead = Date.now() - performance.now() - theirsAtStart;
    if (doubt > doubtMillisecondsMax && Math.abs(ahead) < doubt + clockToleranceSeconds * 1000) return;
    this.#theirsAtStart = theirsAtStart;
  }

  /** How far this clock is ahead of theirs, negative where it is behind; 0 within the tolerance, and while nobody said. */
  get aheadMilliseconds(): number {
    if (this.#theirsAtStart === undefined) return 0;
    const ahead = Math.round(Date.now() - performance.now() - this.#theirsAtStart);
    return Math.abs(ahead) < clockToleranceSeconds * 1000 ? 0 : ahead;
  }

  /** Their time now, in milliseconds. */
  now(): number {
    return Date.now() - this.aheadMilliseconds;
  }
}

/** The lines with the times they would have by a clock that is right. Each keeps its length. */
export function withTimesOf(lines: Buffer, aheadMilliseconds: number): Buffer {
  if (aheadMilliseconds === 0) return lines;
  // A byte a character, whatever the bytes mean.
  const text = lines.toString('latin1');
  const moved = text.replace(
    timeAtLineStart,
    (_, time: string) => `{"time":"${new Date(Date.parse(time) - aheadMilliseconds).toISOString()}"`,
  );
  return Buffer.from(moved, 'latin1');
}
