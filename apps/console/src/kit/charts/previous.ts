import type { Series } from './series.ts';

/** The series of the period before, moved onto the present one, so that both share an axis. */
export function asPrevious(series: Series, before: Series): Series {
  const first = series.points[0];
  const other = before.points[0];
  const shift = first && other ? new Date(first.time).getTime() - new Date(other.time).getTime() : 0;
  const points = before.points.map(({ time, value }) => ({
    time: new Date(new Date(time).getTime() + shift).toISOString(),
    value,
  }));
  return { ...before, previous: true, points };
}
