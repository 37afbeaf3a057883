import {
  nodeResourceRoutes,
  pointsMax,
  resourceHoursKeptDays,
  resourceIntervals,
  resourceMinutesKeptHours,
} from '@breakwater/contract';
import { invalid } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import { readNodeResources } from './node-resource.store.ts';

const hourSeconds = 3600;

export const nodeResourceModule = implement(nodeResourceRoutes, {
  getNodeResources: async ({ services, query }) => {
    const { metric, interval, node_ids: nodeIds } = query;
    const { start, end } = wholeRange(query);
    const found = await readNodeResources(services.db, { metric, start, end, interval, nodeIds });
    return { interval, ...found };
  },
});

/** The range from a whole minute or hour on. What cannot be answered of it is refused at its field. */
function wholeRange(query: { start_time: string; end_time: string; interval: number }) {
  const now = Date.now();
  const from = Date.parse(query.start_time);
  const until = Date.parse(query.end_time);
  if (from >= until) throw invalid('end_time', 'range_reversed');
  if (from > now) throw invalid('start_time', 'range_future');
  const hoursBack = (now - from) / 3_600_000;
  if (hoursBack > (resourceHoursKeptDays + 1) * 24)
    throw invalid('start_time', `range_not_kept:${resourceHoursKeptDays}`);
  const seconds = (until - from) / 1000;
  const finest = hoursBack > resourceMinutesKeptHours + 1 ? hourSeconds : 0;
  const enough = resourceIntervals.find((step) => step >= finest && seconds / step <= pointsMax);
  if (enough === undefined || query.interval < enough)
    throw invalid('interval', `range_too_fine:${enough ?? resourceIntervals.at(-1)!}`);
  const unitMs = (query.interval < hourSeconds ? 60 : hourSeconds) * 1000;
  return { start: new Date(Math.floor(from / unitMs) * unitMs), end: new Date(until) };
}
