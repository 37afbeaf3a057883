import type { GuardBaseline } from '@breakwater/contract';
import type { LogStore, MonitorPoint } from '../../logs/log-store.ts';
import type { Scope } from '../../scope.ts';

/**
 * What is usual at a site, out of the rollups of statistics, and the thresholds that follow from it. Nothing is kept of it: it is asked of the
 * log store when somebody wants to know.
 */

const daysBack = 14;
const stepSeconds = 900;
const stepMs = stepSeconds * 1000;
const hourMs = 3_600_000;
/** Known hours and requests below which nothing can be said of what is usual. */
const hoursMin = 72;
const requestsMin = 1000;
/** The busiest hundredth of all quarters is not what is usual: it may have been an attack. */
const usualPart = 0.99;
/** So far above what is usual an attack begins. */
const margin = 3;
/** Lower, a page with many pictures would be one. */
const rateMin = 20;
const visitorMin = 60;
const visitorSeconds = 60;

interface Quarter {
  start: number;
  requests: number;
}

type Figures = Pick<LogStore, 'series' | 'rank'>;

/** Figures of the site alone: who may not see it is to be refused before. */
export async function guardBaselineOf(
  logStore: Figures,
  scope: Scope,
  siteId: number,
  now: number,
): Promise<GuardBaseline> {
  const end = Math.floor(now / stepMs) * stepMs;
  const range = rangeOf(end - daysBack * 24 * hourMs, end);
  const filter = { ...range, site_id: siteId };
  const points = await logStore.series(scope, 'cdn', 'request', { ...filter, interval: stepSeconds });
  const quarters = knownQuarters(points);
  const requests = quarters.reduce((sum, quarter) => sum + quarter.requests, 0);
  const hours = Math.floor((quarters.length * stepMs) / hourMs);
  const needed = { needed_hours: hoursMin, needed_requests: requestsMin };
  const known = { ...range, known_hours: hours, requests, ...needed };
  if (hours < hoursMin || requests < requestsMin) return { ...known, learned: null };
  const nodes = await logStore.rank(scope, 'cdn', 'top_nodes', { ...filter, top: 1, top_type: 'request' });
  const node = nodes.total.requests === 0 ? 1 : (nodes.ranks[0]?.requests ?? 0) / nodes.total.requests;
  const usual = await usualPeak(logStore, scope, siteId, quarters, node);
  const learned = { ...usual, node_percent: Math.round(node * 100), hours: usualByHour(quarters) };
  return { ...known, learned };
}

/** What the site, its busiest URL and its busiest visitor get in the busiest minute of a usual peak; `node`: which part of it at one node. */
async function usualPeak(
  logStore: Figures,
  scope: Scope,
  siteId: number,
  quarters: readonly Quarter[],
  node: number,
) {
  const byRequests = quarters.toSorted((one, other) => one.requests - other.requests);
  const peak = byRequests[Math.ceil(byRequests.length * usualPart) - 1]!;
  const minute = await busiestMinute(logStore, scope, siteId, peak);
  const range = rangeOf(minute.start, minute.start + 60_000);
  const filter = { ...range, site_id: siteId, top: 1, top_type: 'request' as const };
  const [urls, visitors] = await Promise.all([
    logStore.rank(scope, 'cdn', 'top_url', filter),
    logStore.rank(scope, 'cdn', 'top_remote_addr', { ...filter, refused: 'no' }),
  ]);
  // Lines may no longer be kept of a time of which figures are.
  const [url, visitor] = [urls.ranks[0]?.requests, visitors.ranks[0]?.requests];
  return {
    busiest_at: range.start_time,
    site: rateOf(minute.requests, node),
    url: url === undefined ? null : rateOf(url, node),
    visitor: visitor === undefined ? null : visitorOf(visitor),
  };
}

const visitorOf = (requests: number) => ({
  requests,
  period_seconds: visitorSeconds,
  suggested: Math.max(visitorMin, rounded(requests * margin)),
});

const rangeOf = (start: number, end: number) => ({
  start_time: new Date(start).toISOString(),
  end_time: new Date(end).toISOString(),
});

const knownQuarters = (points: readonly MonitorPoint[]): Quarter[] =>
  points.flatMap(({ time, value }) => (value === null ? [] : [{ start: Date.parse(time), requests: value }]));

async function busiestMinute(
  logStore: Figures,
  scope: Scope,
  siteId: number,
  { start, requests }: Quarter,
): Promise<Quarter> {
  const filter = { ...rangeOf(start, start + stepMs), site_id: siteId, interval: 60 };
  const minutes = knownQuarters(await logStore.series(scope, 'cdn', 'request', filter));
  return minutes.reduce((most, each) => (each.requests > most.requests ? each : most), {
    start,
    requests: requests / 15,
  });
}

/** Of a minute, for the node that is asked most; thresholds are of one node. */
function rateOf(requests: number, node: number) {
  const rate = (requests / 60) * node;
  return { rate: Math.round(rate * 10) / 10, suggested: Math.max(rateMin, rounded(rate * margin)) };
}

/** Up to two digits: 1234 is said with 1300. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.ceil(value / unit) * unit;
}

/** The mean rate of each hour of the day (UTC); null where none is known. */
function usualByHour(quarters: readonly Quarter[]): (number | null)[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const those = quarters.filter(({ start }) => new Date(start).getUTCHours() === hour);
    if (those.length === 0) return null;
    const sum = those.reduce((all, { requests }) => all + requests, 0);
    return Math.round((sum / those.length / stepSeconds) * 100) / 100;
  });
}
