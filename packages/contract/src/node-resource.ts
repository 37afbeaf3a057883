import * as z from 'zod';
import { dateTime, id, idsText, time } from './common.ts';
import { defineRoutes } from './define.ts';

/** What nodes say of their machines over time: shares are 0 to 1, `network_in` and `network_out` bytes a second. */
export const nodeResources = [
  'cpu',
  'load',
  'memory',
  'disk',
  'network_in',
  'network_out',
  'connections',
] as const;
export type NodeResource = (typeof nodeResources)[number];

/** Steps in seconds. Those below an hour reach back `resourceMinutesKeptHours`. */
export const resourceIntervals = [60, 300, 900, 1800, 3600, 21_600, 86_400] as const;
export const resourceMinutesKeptHours = 48;
export const resourceHoursKeptDays = 400;
/** So many nodes are compared at once. */
export const resourceNodesMax = 6;

/** Mean and highest of a step; null where the node said nothing. */
export const resourcePoint = z.strictObject({
  time: dateTime,
  mean: z.number().nullable(),
  peak: z.number().nullable(),
});
export const nodeResourceSeries = z.strictObject({
  id,
  name: z.string(),
  mean: z.number(),
  peak: z.number(),
  points: z.array(resourcePoint),
});
export type NodeResourceSeries = z.infer<typeof nodeResourceSeries>;

export const nodeResourceRoutes = defineRoutes({
  getNodeResources: {
    method: 'GET',
    path: '/prod-api/node/resource_stats',
    summary:
      'Get one resource metric of nodes over time, highest average first: the given nodes, or the busiest ones.',
    access: { kind: 'admin', permission: 'node.read' },
    query: z.strictObject({
      metric: z.enum(nodeResources),
      start_time: time,
      end_time: time,
      interval: z.coerce.number().pipe(z.literal([...resourceIntervals])),
      node_ids: idsText(resourceNodesMax).optional(),
    }),
    response: z.strictObject({
      interval: z.int(),
      /** How many nodes have said anything in the range. */
      total: z.int(),
      nodes: z.array(nodeResourceSeries),
    }),
  },
});
