import {
  addressMinutesKeptHours,
  nodeSilentSeconds,
  packetKinds,
  type AddressMinute,
  type Flood,
  type FloodCoverage,
  type floodRoutes,
  type KernelState,
  type NodeAddress,
} from '@breakwater/contract';
import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { addressMinute, flood, node } from '../../db/schema.ts';
import { readFloodSetting } from '../setting/setting.store.ts';

type Query = z.output<typeof floodRoutes.listFloods.query>;
type Row = typeof flood.$inferSelect;

const aroundMs = 30 * 60_000;
const hourMs = 3_600_000;
const keptFloodDays = 400;
const untoldHours = 24;
const uncountedMax = 20;

export async function listFloods(db: Db, query: Query) {
  const where = and(
    query.state && (query.state === 'open' ? isNull : isNotNull)(flood.endedAt),
    query.node_id ? eq(flood.nodeId, query.node_id) : undefined,
    contains(flood.address, query.address),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    withNode(db).where(where).orderBy(desc(flood.startedAt), desc(flood.id)).limit(limit).offset(offset),
    db.$count(flood, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getFlood(db: Db, id: number): Promise<Flood> {
  const [row] = await withNode(db).where(eq(flood.id, id));
  if (!row) throw notFound();
  return present(row);
}

const withNode = (db: Db) =>
  db
    .select({ flood, nodeName: node.name, statusTime: node.statusTime })
    .from(flood)
    .innerJoin(node, eq(node.id, flood.nodeId))
    .$dynamic();

function present({
  flood: row,
  nodeName,
  statusTime,
}: {
  flood: Row;
  nodeName: string;
  statusTime: Date | null;
}): Flood {
  const isSilent =
    row.endedAt === null &&
    statusTime !== null &&
    Date.now() - statusTime.getTime() > nodeSilentSeconds * 1000;
  const rounded = packetKinds.map((kind) => [kind, Math.round(row.peakMix[kind])] as const);
  return {
    id: row.id,
    node_id: row.nodeId,
    node_name: nodeName,
    address: row.address,
    kind: row.kind,
    state: row.endedAt === null ? 'open' : 'over',
    started_at: iso(row.startedAt),
    seen_at: iso(row.seenAt),
    ended_at: isoOrNull(row.endedAt),
    packets: Math.round(row.packets),
    bits: Math.round(row.bits),
    peak_packets: Math.round(row.peakPackets),
    peak_bits: Math.round(row.peakBits),
    peak_mix: Object.fromEntries(rounded) as Flood['peak_mix'],
    silent_since: isSilent ? iso(statusTime) : null,
  };
}

export async function floodTraffic(db: Db, id: number): Promise<{ minutes: AddressMinute[] }> {
  const [row] = await db.select().from(flood).where(eq(flood.id, id));
  if (!row) throw notFound();
  const rows = await db
    .select()
    .from(addressMinute)
    .where(
      and(
        eq(addressMinute.nodeId, row.nodeId),
        eq(addressMinute.address, row.address),
        gte(addressMinute.time, new Date(row.startedAt.getTime() - aroundMs)),
        lte(addressMinute.time, new Date(row.seenAt.getTime() + aroundMs)),
      ),
    )
    .orderBy(asc(addressMinute.time))
    // As long as figures are kept.
    .limit((addressMinutesKeptHours + 2) * 60);
  return {
    minutes: rows.map((each) => ({
      time: iso(each.time),
      bits: (each.bytes * 8) / each.samples,
      packets: Object.fromEntries(
        packetKinds.map((kind) => [kind, each[kind] / each.samples]),
      ) as AddressMinute['packets'],
    })),
  };
}

/** Of the last hour, the most packets first; `packets` and `bits` are those of the last minute that is told of. */
export async function nodeAddresses(db: Db, nodeId: number): Promise<{ list: NodeAddress[] }> {
  if ((await db.$count(node, eq(node.id, nodeId))) === 0) throw notFound();
  const total = sql.raw(packetKinds.map((kind) => `address_minute.${kind}`).join(' + '));
  const last = (what: ReturnType<typeof sql.raw>) =>
    sql<number>`(array_agg((${what}) / ${addressMinute.samples} ORDER BY ${addressMinute.time} DESC))[1]`;
  const list = await db
    .select({
      address: addressMinute.address,
      packets: last(total),
      bits: last(sql.raw('address_minute.bytes * 8')),
      peak_packets: sql<number>`max(${addressMinute.peak})`,
      flood_id: sql<number | null>`max(${flood.id})`,
    })
    .from(addressMinute)
    .leftJoin(
      flood,
      and(
        eq(flood.nodeId, addressMinute.nodeId),
        eq(flood.address, addressMinute.address),
        isNull(flood.endedAt),
      ),
    )
    .where(and(eq(addressMinute.nodeId, nodeId), gte(addressMinute.time, new Date(Date.now() - hourMs))))
    .groupBy(addressMinute.address)
    .orderBy(sql`2 DESC`, asc(addressMinute.address))
    .limit(200);
  return { list };
}

/** Nodes that are to count packets, and those of them that do not, for old agents as well. */
export async function floodCoverage(db: Db): Promise<FloodCoverage> {
  const { enabled } = await readFloodSetting(db);
  if (!enabled) return { enabled, nodes: 0, not_counting: 0, list: [] };
  const state = sql<KernelState | null>`${node.state} ->> 'packet_counts'`;
  const isAsked = and(eq(node.enabled, true), isNotNull(node.state));
  // Those that are about to count say `off`.
  const isLost = and(isAsked, sql`coalesce(${state}, '') NOT IN ('on', 'off')`);
  const [list, nodes, notCounting] = await Promise.all([
    db
      .select({ id: node.id, name: node.name, state })
      .from(node)
      .where(isLost)
      .orderBy(asc(node.name))
      .limit(uncountedMax),
    db.$count(node, isAsked),
    db.$count(node, isLost),
  ]);
  return { enabled, nodes, not_counting: notCounting, list };
}

/** Removes what is older than it is kept, and ends what nobody has told of for a day: the node is gone, or no longer counts. */
export async function pruneFloods(db: Db, now: Date): Promise<number> {
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const ended = await db
    .update(flood)
    .set({ endedAt: now })
    .where(and(isNull(flood.endedAt), lt(flood.seenAt, before(untoldHours))));
  const minutes = await db
    .delete(addressMinute)
    .where(lt(addressMinute.time, before(addressMinutesKeptHours)));
  const floods = await db.delete(flood).where(lt(flood.endedAt, before(keptFloodDays * 24)));
  return (ended.rowCount ?? 0) + (minutes.rowCount ?? 0) + (floods.rowCount ?? 0);
}
