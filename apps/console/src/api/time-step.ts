/** From a moment (ISO 8601) until another, the latter excluded. */
export interface TimeRange {
  start_time: string;
  end_time: string;
}

/** The finest of the steps (seconds) that draws at most `points` points; the coarsest where none does. */
export function stepFor<Step extends number>(
  { start_time, end_time }: TimeRange,
  steps: readonly Step[],
  points = 300,
): Step {
  const seconds = (new Date(end_time).getTime() - new Date(start_time).getTime()) / 1000;
  return steps.find((step) => seconds / step <= points) ?? steps[steps.length - 1]!;
}

/** Steps below a minute reach back so far. */
const secondsKeptMs = 3 * 3_600_000;

/** The steps (seconds) that a range can be drawn in: of no more points than the server answers, and of more than one. */
export function stepsWithin<Step extends number>(
  { start_time, end_time }: TimeRange,
  steps: readonly Step[],
  pointsMax: number,
  now: number,
): Step[] {
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)];
  return steps.filter((step) => {
    const points = (end - start) / 1000 / step;
    // A minute less, since the server's clock is another.
    const kept = step >= 60 || start > now - secondsKeptMs + 60_000;
    return kept && points > 1 && points < pointsMax - 60 / step;
  });
}

/** Lines of a moment are stored some seconds after it. */
const settleMs = 10_000;

/**
 * The points whose step was over when they were read: of one that goes on there is a part only, which would look like a
 * fall. Where no other has a value, all.
 */
export function completeSteps<Point extends { time: string; value: number | null }>(
  points: readonly Point[],
  intervalSeconds: number,
  readAt: number,
): Point[] {
  const over = points.filter(({ time }) => Date.parse(time) + intervalSeconds * 1000 + settleMs <= readAt);
  return over.some(({ value }) => value !== null) ? over : [...points];
}
