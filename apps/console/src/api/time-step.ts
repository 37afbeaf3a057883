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
