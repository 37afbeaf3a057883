import {
  floodReasons,
  floodSuspectsMax,
  type FloodIsolation,
  type FloodReason,
  type FloodRefuge,
  type FloodSuspect,
} from '@breakwater/contract';
import { and, asc, desc, eq, exists, gte, inArray, isNull, lte, notExists, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { countOf, iso } from '../../db/page.ts';
import {
  client,
  flood,
  lineGroup,
  node,
  nodeIp,
  nodeLineGroup,
  order,
  site,
  siteDomain,
} from '../../db/schema.ts';
import { siteNameOf } from '../../db/site-name.ts';
import { everything } from '../../scope.ts';
import type { Services } from '../../services.ts';

/** Which sites a flooded address carries, which of them it is likely about, and where they could go. */

type Row = typeof flood.$inferSelect;

const hourMs = 3_600_000;
const newMs = 7 * 24 * hourMs;
/** Floods of one attack begin and end within this of each other. */
const togetherMs = 10 * 60_000;
const busyShare = 0.1;
/** So many are looked at for each reason. */
const lookedAt = 100;
const weights: Record<FloodReason, number> = { points_here: 8, attacked: 6, common: 4, new: 2, busy: 1 };

export async function isolationOf(
  { db, logStore, log }: Pick<Services, 'db' | 'logStore' | 'log'>,
  id: number,
): Promise<FloodIsolation> {
  const [row] = await db.select().from(flood).where(eq(flood.id, id));
  if (!row) throw notFound();
  const flooded = await floodedNodes(db, row);
  const groups = await lineGroupsOf(db, row, flooded);
  const groupIds = groups.map((each) => each.id);
  const figures = await figuresOf({ logStore, log }, row);
  const pointing = await pointingSites(db, row, groupIds);
  const newest = await newestSites(db, groupIds, row);
  const ids = new Set([...figures.requests.keys(), ...figures.attacks.keys(), ...pointing.ids, ...newest]);
  const common = new Set(
    flooded.length < 2
      ? []
      : groups.filter((each) => each.nodes_flooded === flooded.length).map((each) => each.id),
  );
  const reasonsOf = (each: Candidate): FloodReason[] => {
    const holds: Record<FloodReason, boolean> = {
      points_here: pointing.ids.includes(each.site_id),
      attacked: (figures.attacks.get(each.site_id) ?? 0) > 0,
      // Where all are, it says nothing of one.
      common: common.size < groups.length && common.has(each.line_group_id),
      new: each.createdAt.getTime() > row.startedAt.getTime() - newMs && each.createdAt <= row.seenAt,
      busy: (figures.requests.get(each.site_id) ?? 0) > figures.total * busyShare,
    };
    return floodReasons.filter((reason) => holds[reason]);
  };
  const suspects = (await candidates(db, groupIds, [...ids])).map(({ createdAt, ...each }): FloodSuspect => ({
    ...each,
    reasons: reasonsOf({ createdAt, ...each }),
    requests: figures.requests.get(each.site_id) ?? null,
    attack_requests: figures.attacks.get(each.site_id) ?? 0,
    created_at: iso(createdAt),
  }));
  return {
    sites: groups.reduce((sum, { sites }) => sum + sites, 0),
    sites_pointing: pointing.total,
    requests_known: figures.isKnown,
    line_groups: groups,
    suspects: likeliest(suspects),
    refuges: await refugesFrom(db),
    other_addresses: await otherAddresses(db, row),
  };
}

/** Those of which something speaks. */
function likeliest(suspects: readonly FloodSuspect[]): FloodSuspect[] {
  const weight = ({ reasons }: FloodSuspect) => reasons.reduce((sum, reason) => sum + weights[reason], 0);
  return suspects
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted(
      (a, b) => weight(b) - weight(a) || (b.requests ?? 0) - (a.requests ?? 0) || a.site_id - b.site_id,
    )
    .slice(0, floodSuspectsMax);
}

/** The nodes that are flooded at about the same time. */
async function floodedNodes(db: Db, { startedAt, seenAt }: Row): Promise<number[]> {
  const rows = await db
    .selectDistinct({ nodeId: flood.nodeId })
    .from(flood)
    .where(
      and(
        lte(flood.startedAt, new Date(seenAt.getTime() + togetherMs)),
        gte(flood.seenAt, new Date(startedAt.getTime() - togetherMs)),
      ),
    );
  return rows.map(({ nodeId }) => nodeId);
}

const serves = (nodeId: number) =>
  sql`EXISTS (SELECT FROM ${nodeLineGroup} WHERE ${and(eq(nodeLineGroup.lineGroupId, lineGroup.id), eq(nodeLineGroup.nodeId, nodeId))})`;
const isThere = isNull(site.removedAt);
const sitesOf = countOf(site, and(eq(site.lineGroupId, lineGroup.id), isThere)!);
const nodesOf = countOf(nodeLineGroup, eq(nodeLineGroup.lineGroupId, lineGroup.id));

async function lineGroupsOf(db: Db, { nodeId }: Row, flooded: readonly number[]) {
  const among = and(eq(nodeLineGroup.lineGroupId, lineGroup.id), inArray(nodeLineGroup.nodeId, [...flooded]));
  return db
    .select({
      id: lineGroup.id,
      name: lineGroup.name,
      sites: sitesOf,
      nodes: nodesOf,
      nodes_flooded: countOf(nodeLineGroup, among!),
    })
    .from(lineGroup)
    .where(serves(nodeId))
    .orderBy(asc(lineGroup.name));
}

interface Figures {
  requests: Map<number, number>;
  attacks: Map<number, number>;
  /** Of all sites. */
  total: number;
  isKnown: boolean;
}

/** Of the node, from an hour before it began to an hour after, as far as it has come. A log store that is away leaves them out. */
async function figuresOf(
  { logStore, log }: Pick<Services, 'logStore' | 'log'>,
  { nodeId, startedAt, seenAt }: Row,
): Promise<Figures> {
  const filter = {
    node_id: nodeId,
    start_time: iso(new Date(startedAt.getTime() - hourMs)),
    end_time: iso(new Date(Math.min(startedAt.getTime() + hourMs, seenAt.getTime() + 60_000))),
  };
  try {
    const [ranked, attacked] = await Promise.all([
      logStore.rank(everything, 'cdn', 'top_sites', { ...filter, top: lookedAt, top_type: 'request' }),
      logStore.attackedSites(everything, { ...filter, top: lookedAt }),
    ]);
    return {
      requests: new Map(ranked.ranks.map(({ name, requests }) => [Number(name), requests])),
      attacks: new Map(attacked.map(({ site_id, refused, observed }) => [site_id, refused + observed])),
      total: ranked.total.requests,
      isKnown: true,
    };
  } catch (err) {
    log.warn({ err, nodeId }, 'flood: the log store does not tell of requests');
    return { requests: new Map(), attacks: new Map(), total: 0, isKnown: false };
  }
}

/** Behind an address translation the node knows another address than the DNS does. */
async function knownAs(db: Db, { nodeId, address }: Row): Promise<string[]> {
  const isV6 = address.includes(':');
  const rows = await db.select({ ip: nodeIp.ip }).from(nodeIp).where(eq(nodeIp.nodeId, nodeId));
  const ips = rows.map(({ ip }) => ip).filter((ip) => ip.includes(':') === isV6);
  return ips.includes(address) || ips.length !== 1 ? [address] : [address, ips[0]!];
}

async function pointingSites(db: Db, row: Row, groupIds: readonly number[]) {
  if (groupIds.length === 0) return { total: 0, ids: [] };
  const addresses = await knownAs(db, row);
  const field = row.address.includes(':') ? 'aaaa' : 'a';
  const list = sql.param(addresses);
  const points = exists(
    db
      .select({ one: sql`1` })
      .from(siteDomain)
      .where(and(eq(siteDomain.siteId, site.id), sql`${siteDomain.seen} -> ${field} ?| ${list}::text[]`)),
  );
  const where = and(inArray(site.lineGroupId, [...groupIds]), isThere, points);
  const [found, total] = await Promise.all([
    db.select({ id: site.id }).from(site).where(where).orderBy(desc(site.id)).limit(lookedAt),
    db.$count(site, where),
  ]);
  return { total, ids: found.map(({ id }) => id) };
}

async function newestSites(
  db: Db,
  groupIds: readonly number[],
  { startedAt, seenAt }: Row,
): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const rows = await db
    .select({ id: site.id })
    .from(site)
    .where(
      and(
        inArray(site.lineGroupId, [...groupIds]),
        isThere,
        gte(site.createdAt, new Date(startedAt.getTime() - newMs)),
        lte(site.createdAt, seenAt),
      ),
    )
    .orderBy(desc(site.id))
    .limit(lookedAt);
  return rows.map(({ id }) => id);
}

type Candidate = Awaited<ReturnType<typeof candidates>>[number];

function candidates(db: Db, groupIds: readonly number[], ids: readonly number[]) {
  return db
    .select({
      site_id: site.id,
      site_name: siteNameOf(site.id),
      client_id: site.clientId,
      client_name: client.name,
      order_id: site.orderId,
      order_no: order.orderNo,
      line_group_id: site.lineGroupId,
      line_group_name: lineGroup.name,
      createdAt: site.createdAt,
    })
    .from(site)
    .innerJoin(client, eq(client.id, site.clientId))
    .innerJoin(order, eq(order.id, site.orderId))
    .innerJoin(lineGroup, eq(lineGroup.id, site.lineGroupId))
    .where(and(inArray(site.id, [...ids]), inArray(site.lineGroupId, [...groupIds]), isThere));
}

const refugesMax = 20;
const addressesMax = 20;

/** Line groups that serve, and no node of which is flooded now. */
async function refugesFrom(db: Db): Promise<FloodRefuge[]> {
  const members = (state: SQL | undefined) =>
    db
      .select({ one: sql`1` })
      .from(nodeLineGroup)
      .innerJoin(node, eq(node.id, nodeLineGroup.nodeId))
      .where(and(eq(nodeLineGroup.lineGroupId, lineGroup.id), state));
  const isFlooded = exists(
    db
      .select({ one: sql`1` })
      .from(flood)
      .where(and(eq(flood.nodeId, node.id), isNull(flood.endedAt))),
  );
  const found = await db
    .select({ id: lineGroup.id, name: lineGroup.name, nodes: nodesOf, site_count: sitesOf })
    .from(lineGroup)
    .where(and(exists(members(eq(node.enabled, true))), notExists(members(isFlooded))))
    .orderBy(sql`4`, asc(lineGroup.name))
    .limit(refugesMax);
  const addresses = await addressesOf(
    db,
    found.map(({ id }) => id),
  );
  return found.map((each) => ({ ...each, addresses: addresses.get(each.id) ?? [] }));
}

/** Where the DNS may lead visitors of line groups; the first of many. */
async function addressesOf(db: Db, groupIds: readonly number[]): Promise<Map<number, string[]>> {
  const place = sql<number>`row_number() OVER (PARTITION BY ${nodeLineGroup.lineGroupId} ORDER BY ${nodeIp.id})`;
  const numbered = db
    .select({ groupId: nodeLineGroup.lineGroupId, ip: nodeIp.ip, place: place.as('place') })
    .from(nodeIp)
    .innerJoin(node, and(eq(node.id, nodeIp.nodeId), eq(node.enabled, true)))
    .innerJoin(nodeLineGroup, and(eq(nodeLineGroup.nodeId, node.id), eq(nodeLineGroup.level, 'L1')))
    .where(and(inArray(nodeLineGroup.lineGroupId, [...groupIds]), eq(nodeIp.enabled, true)))
    .as('numbered');
  const rows = await db
    .select()
    .from(numbered)
    .where(lte(numbered.place, addressesMax))
    .orderBy(asc(numbered.groupId), asc(numbered.place));
  return new Map(
    groupIds.map((id) => [id, rows.filter(({ groupId }) => groupId === id).map(({ ip }) => ip)]),
  );
}

async function otherAddresses(db: Db, row: Row): Promise<string[]> {
  const own = await knownAs(db, row);
  const rows = await db
    .select({ ip: nodeIp.ip })
    .from(nodeIp)
    .where(
      and(
        eq(nodeIp.nodeId, row.nodeId),
        eq(nodeIp.enabled, true),
        notExists(
          db
            .select({ one: sql`1` })
            .from(flood)
            .where(and(eq(flood.nodeId, nodeIp.nodeId), eq(flood.address, nodeIp.ip), isNull(flood.endedAt))),
        ),
      ),
    )
    .orderBy(asc(nodeIp.id));
  return rows.map(({ ip }) => ip).filter((ip) => !own.includes(ip));
}
