import type { LiveEvent, LiveFigures } from '@breakwater/contract';

export type LiveSecond = Extract<LiveEvent, { type: 'second' }>;

/** What is drawn. */
export const secondsShown = 180;

/** The seconds with one more, the oldest left out; those that nobody told of in between are gaps. */
export function withSecond(seconds: readonly LiveSecond[], next: LiveSecond): LiveSecond[] {
  const last = seconds.at(-1);
  if (last && next.time <= last.time) return [...seconds];
  const gaps: LiveSecond[] = [];
  const from = last ? Math.max(last.time + 1, next.time - secondsShown) : next.time;
  for (let time = from; time < next.time; time += 1)
    gaps.push({ type: 'second', time, figures: null, nodes: 0, nodes_expected: next.nodes_expected });
  return [...seconds, ...gaps, next].slice(-secondsShown);
}

/** One figure of each second; null is a gap. */
export const pointsOf = (seconds: readonly LiveSecond[], of: (figures: LiveFigures) => number | null) =>
  seconds.map(({ time, figures }) => ({
    time: new Date(time * 1000).toISOString(),
    value: figures && of(figures),
  }));
