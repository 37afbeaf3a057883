import { logBarsMax } from '@breakwater/contract';
import type { LogFilters } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { storeFilters } from './log-search.service.ts';

/** Lengths of bars in seconds that people read at a glance; longer ones are whole days. */
const lengths = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400];
const daySeconds = 86_400;

/** The shortest bars of which a range has no more than are shown. */
function barSeconds(from: number, until: number): number {
  const least = (until - from) / 1000 / logBarsMax;
  return lengths.find((length) => length >= least) ?? Math.ceil(least / daySeconds) * daySeconds;
}

/** What a search finds over its range: from the oldest record where it names no start, until now where no end. */
export async function countRecords(
  { db, logStore }: Pick<Services, 'db' | 'logStore'>,
  scope: Scope,
  asked: LogFilters,
  signal: AbortSignal,
) {
  const filters = await storeFilters(db, asked);
  const start = asked.start_time ?? (await logStore.stats()).oldest;
  const until = asked.end_time ? Date.parse(asked.end_time) : Date.now();
  const from = start === undefined ? until : Date.parse(start);
  const interval = barSeconds(from, until);
  const stepMs = interval * 1000;
  const origin = Math.floor(from / stepMs) * stepMs;
  if (filters === undefined) return { interval, list: [] };
  // Asked even where there can be none: a reversed range is refused by the store.
  const counts = await logStore.count(
    scope,
    { ...filters, end_time: asked.end_time ?? new Date(until).toISOString() },
    { origin, interval },
    signal,
  );
  const found = new Map(counts.map((each) => [each.step, each]));
  const list = Array.from({ length: Math.ceil((until - origin) / stepMs) }, (_, step) => ({
    time: new Date(origin + step * stepMs).toISOString(),
    requests: found.get(step)?.requests ?? 0,
    errors: found.get(step)?.errors ?? 0,
  }));
  return { interval, list: start === undefined ? [] : list };
}
