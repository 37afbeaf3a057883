import {
  nodeResources,
  resourceHoursKeptDays,
  resourceMinutesKeptHours,
  resourceNodesMax,
  type NodeResource,
  type NodeResourceSeries,
  type NodeState,
} from '@breakwater/contract';
import { and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { node, nodeResource } from '../../db/schema.ts';

const units = ['minute', 'hour'] as const;
type Unit = (typeof units)[number];

/** Where each resource stands: its sum and its peak. */
const columns = {
  cpu: ['cpu', 'cpuPeak'],
  load: ['load', 'loadPeak'],
  memory: ['memory', 'memoryPeak'],
  disk: ['disk', 'diskPeak'],
  network_in: ['networkIn', 'networkInPeak'],
  network_out: ['networkOut', 'networkOutPeak'],
  connections: ['connections', 'connectionsPeak'],
} as const satisfies Record<NodeResource, readonly [keyof typeof nodeResource, keyof typeof nodeResource]>;

const share = (used: number, total: number): number => (total > 0 ? Math.min(1, used / total) : 0);

const valuesOf = (state: NodeState): Record<NodeResource, number> => ({
  cpu: state.cpu_share,
  load: state.load,
  memory: share(state.memory_used, state.memory_total),
  disk: share(state.disk_used, state.disk_total),
  network_in: state.network_in,
  network_out: state.network_out,
  connections: state.connections,
});

/** Adds a report to the minute and the hour that it came in. */
export async function addResourceSample(
  db: Db | Transaction,
  nodeId: number,
  state: NodeState,
  now: Date,
): Promise<void> {
  const values = valuesOf(state);
  const row = Object.fromEntries(
    nodeResources.flatMap((name) => columns[name].map((column) => [column, values[name]])),
  ) as Omit<typeof nodeResource.$inferInsert, 'nodeId' | 'unit' | 'time'>;
  await db
    .insert(nodeResource)
    .values(units.map((unit) => ({ ...row, nodeId, unit, time: floorTo(now, unit) })))
    .onConflictDoUpdate({
      target: [nodeResource.nodeId, nodeResource.unit, nodeResource.time],
      set: { samples: sql`${nodeResource.samples} + 1`, ...added },
    });
}

const secondsOf = { minute: 60, hour: 3600 } as const satisfies Record<Unit, number>;
function floorTo(time: Date, unit: Unit): Date {
  const step = secondsOf[unit] * 1000;
  return new Date(Math.floor(time.getTime() / step) * step);
}

const excluded = (column: { name: string }) => sql.raw(`excluded."${snake(column.name)}"`);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const added = Object.fromEntries(
  nodeResources.flatMap((name) => {
    const [sum, peak] = columns[name];
    return [
      [sum, sql`${nodeResource[sum]} + ${excluded(nodeResource[sum])}`],
      [peak, sql`greatest(${nodeResource[peak]}, ${excluded(nodeResource[peak])})`],
    ];
  }),
);

export interface ResourceQuestion {
  metric: NodeResource;
  start: Date;
  end: Date;
  interval: number;
  nodeIds?: readonly number[] | undefined;
}

function whereOf({ start, end, interval, nodeIds }: ResourceQuestion) {
  const unit: Unit = interval < secondsOf.hour ? 'minute' : 'hour';
  return and(
    eq(nodeResource.unit, unit),
    gte(nodeResource.time, start),
    lt(nodeResource.time, end),
    nodeIds && inArray(nodeResource.nodeId, [...nodeIds]),
  );
}

/** The nodes that are named, or those with the highest mean, with a point for each step from the start. */
export async function readNodeResources(
  db: Db,
  question: ResourceQuestion,
): Promise<{ total: number; nodes: NodeResourceSeries[] }> {
  const { metric, start, end, interval } = question;
  const [sum, peak] = columns[metric];
  const inRange = whereOf(question);
  const mean = sql<number>`sum(${nodeResource[sum]}) / sum(${nodeResource.samples})`;
  const highest = sql<number>`max(${nodeResource[peak]})`;
  const ranked = await db
    .select({ id: node.id, name: node.name, mean, peak: highest, total: sql<number>`count(*) OVER ()::int` })
    .from(nodeResource)
    .innerJoin(node, eq(node.id, nodeResource.nodeId))
    .where(inRange)
    .groupBy(node.id, node.name)
    .orderBy(sql`3 DESC, 2`)
    .limit(resourceNodesMax);
  if (ranked.length === 0) return { total: 0, nodes: [] };
  const ids = ranked.map(({ id }) => id);
  const step = sql<number>`floor(extract(epoch FROM ${nodeResource.time} - ${start.toISOString()}::timestamptz) / ${interval})::int`;
  const rows = await db
    .select({ nodeId: nodeResource.nodeId, step, mean, peak: highest })
    .from(nodeResource)
    .where(and(inRange, inArray(nodeResource.nodeId, ids)))
    .groupBy(sql`1, 2`);
  const found = new Map(rows.map((row) => [`${row.nodeId} ${row.step}`, row]));
  const times = stepsFrom(start, end, interval);
  const pointsOf = (id: number) =>
    times.map((time, index) => {
      const at = found.get(`${id} ${index}`);
      return { time, mean: at?.mean ?? null, peak: at?.peak ?? null };
    });
  const nodes = ranked.map((each) => ({
    id: each.id,
    name: each.name,
    mean: each.mean,
    peak: each.peak,
    points: pointsOf(each.id),
  }));
  return { total: ranked[0]!.total, nodes };
}

function stepsFrom(start: Date, end: Date, interval: number): string[] {
  const count = Math.ceil((end.getTime() - start.getTime()) / 1000 / interval);
  return Array.from({ length: count }, (_, index) =>
    new Date(start.getTime() + index * interval * 1000).toISOString(),
  );
}

/** Removes what is older than it is kept. */
export async function pruneNodeResources(db: Db, now: Date): Promise<number> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const old = (unit: Unit, hours: number) =>
    and(eq(nodeResource.unit, unit), lt(nodeResource.time, before(hours)));
  const { rowCount } = await db
    .delete(nodeResource)
    .where(or(old('minute', resourceMinutesKeptHours), old('hour', resourceHoursKeptDays * 24)));
  return rowCount ?? 0;
}
