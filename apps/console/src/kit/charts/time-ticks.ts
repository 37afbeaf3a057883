import type { TimeSpan } from './zoom-area.tsx';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const below = [1, 5, 10, 15, 30].flatMap((count) => [count * second, count * minute]);
const steps = [...below, ...[1, 2, 3, 6, 12].map((count) => count * hour)].toSorted((a, b) => a - b);
const dayCounts = [1, 2, 5, 7, 14, 30, 90, 180, 365, 730];
/** More would touch one another on a phone. */
const most = 7;

/** Where the foot of a chart says the time: at even distances, on round times of the reader's zone. */
export function timeTicks({ from, until }: TimeSpan): number[] {
  const step = steps.find((each) => (until - from) / each < most);
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  if (step !== undefined) {
    for (let at = midnight; at <= until; at += step) if (at >= from) ticks.push(at);
    return ticks;
  }
  const days = dayCounts.find((count) => (until - from) / (count * day) < most) ?? 730;
  // Days by the calendar: one is not always 24 hours.
  for (const at = new Date(midnight); at.getTime() <= until; at.setDate(at.getDate() + days))
    if (at.getTime() >= from) ticks.push(at.getTime());
  return ticks;
}
