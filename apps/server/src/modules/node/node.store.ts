import { nodeSilentSeconds, type nodeInput } from '@breakwater/contract';
import { and, asc, desc, eq, inArray, notInArray, sql, type SQL } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { among, contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { area, lineGroup, node, nodeIp, nodeLineGroup } from '../../db/schema.ts';
import { bumpGeneration, dropConnections } from '../../delivery/bindings.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import type { Secrets } from '../../secrets.ts';
import { lockNode, nodeConstraints, presentIp } from './node-rows.ts';

type NodeInput = z.infer<typeof nodeInput>;
export interface NodeFilter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  name?: string | undefined;
  ip?: string | undefined;
  area_id?: number | undefined;
  line_group_id?: number | undefined;
  without_line_group_id?: number | undefined;
}

export async function listNodes(db: Db, query: NodeFilter) {
  const { limit, offset } = pageOf(query);
  const withIp = db.select({ id: nodeIp.nodeId }).from(nodeIp).where(contains(nodeIp.ip, query.ip));
  const inGroup = (id: number) =>
    db.select({ id: nodeLineGroup.nodeId }).from(nodeLineGroup).where(eq(nodeLineGroup.lineGroupId, id));
  const where = and(
    among(node.id, query.ids),
    contains(node.name, query.name),
    query.ip ? inArray(node.id, withIp) : undefined,
    query.area_id ? eq(node.areaId, query.area_id) : undefined,
    query.line_group_id ? inArray(node.id, inGroup(query.line_group_id)) : undefined,
    query.without_line_group_id ? notInArray(node.id, inGroup(query.without_line_group_id)) : undefined,
  );
  const [rows, total] = await Promise.all([
    selectNodes(db).where(where).orderBy(asc(node.name)).limit(limit).offset(offset),
    db.$count(node, where),
  ]);
  return listPage(query, await present(db, rows), total);
}

/** How all nodes are, and the first of them, those in trouble on top. */
export async function readNodeHealth(db: Db, most: number) {
  const counted = (where: SQL) => sql<number>`count(*) FILTER (WHERE ${where})::int`;
  const [[counts], rows] = await Promise.all([
    db
      .select({
        total: sql<number>`count(*)::int`,
        enabled: counted(sql`${node.enabled}`),
        normal: counted(sql`${node.enabled} AND ${isNormal}`),
        abnormal: counted(sql`${node.enabled} AND ${isAbnormal}`),
        unseen: counted(sql`${node.enabled} AND ${node.statusTime} IS NULL`),
      })
      .from(node),
    selectNodes(db).orderBy(desc(trouble), asc(node.name)).limit(most),
  ]);
  return { ...counts!, list: await present(db, rows) };
}

/** As `nodeStatus` says it. */
const isNormal = sql`coalesce(${node.statusTime} >= now() - make_interval(secs => ${nodeSilentSeconds})
  AND ${node.state}->>'nginx_running' = 'true', false)`;
const isAbnormal = sql`(${node.statusTime} IS NOT NULL AND NOT ${isNormal})`;
const trouble = sql`CASE WHEN NOT ${node.enabled} THEN 0 WHEN ${isAbnormal} THEN 2
  WHEN coalesce((${node.state}->>'clock_ahead_seconds')::numeric, 0) <> 0 THEN 1 ELSE 0 END`;

export async function getNode(db: Db, id: number) {
  const [row] = await present(db, await selectNodes(db).where(eq(node.id, id)));
  if (!row) throw notFound();
  return row;
}

export interface NodeCredentials {
  id: number;
  app_id: string;
  app_secret: string;
}

/** The secret leaves here once, in clear; the row keeps it encrypted. */
export async function createNode(
  db: Db,
  secrets: Secrets,
  actor: Actor,
  input: NodeInput,
): Promise<NodeCredentials> {
  const { app_id, app_secret } = makeCredentials();
  return mapConstraints(nodeConstraints, () =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .insert(node)
        .values({
          name: input.name,
          areaId: input.area_id,
          enabled: input.enabled,
          appId: app_id,
          appSecret: secrets.encrypt(app_secret),
        })
        .returning({ id: node.id });
      await tx.insert(nodeIp).values({ nodeId: row!.id, ip: input.ip });
      await recordEvent(tx, {
        kind: 'created',
        subject: { kind: 'node', id: row!.id, name: input.name },
        actor,
        data: { changes: changesOf(undefined, input) },
      });
      return { id: row!.id, app_id, app_secret };
    }),
  );
}

/** `ip` replaces the node's first address. A node switched off or on is told at once. */
export async function updateNode(
  db: Db,
  actor: Actor,
  id: number,
  { version, ...input }: NodeInput & { version: number },
): Promise<void> {
  await mapConstraints(nodeConstraints, () =>
    db.transaction(async (tx) => {
      const before = await lockNode(tx, id, version);
      await tx
        .update(node)
        .set({
          name: input.name,
          areaId: input.area_id,
          enabled: input.enabled,
          version: before.version + 1,
        })
        .where(eq(node.id, id));
      const [first] = await tx
        .select()
        .from(nodeIp)
        .where(eq(nodeIp.nodeId, id))
        .orderBy(asc(nodeIp.id))
        .limit(1);
      if (first) await tx.update(nodeIp).set({ ip: input.ip }).where(eq(nodeIp.id, first.id));
      const { name, areaId: area_id, enabled } = before;
      const changes = changesOf({ name, area_id, enabled, ip: first?.ip }, input);
      if (changes.length > 0)
        await recordEvent(tx, {
          kind: 'updated',
          subject: { kind: 'node', id, name: input.name },
          actor,
          data: { changes },
        });
      if (before.enabled === input.enabled) return;
      await bumpGeneration(tx, [id]);
      if (!input.enabled) await dropConnections(tx, [id]);
    }),
  );
}

/** A node that still serves a line group stays: taking it out there first makes the loss visible. */
export async function removeNode(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const { name } = await lockNode(tx, id);
    if ((await tx.$count(nodeLineGroup, eq(nodeLineGroup.nodeId, id))) > 0) throw new ApiError('in_use');
    await dropConnections(tx, [id]);
    await tx.delete(node).where(eq(node.id, id));
    await recordEvent(tx, { kind: 'removed', subject: { kind: 'node', id, name }, actor });
  });
}

export async function renewNodeCredentials(
  db: Db,
  secrets: Secrets,
  actor: Actor,
  id: number,
): Promise<NodeCredentials> {
  const { app_secret } = makeCredentials();
  return db.transaction(async (tx) => {
    const before = await lockNode(tx, id);
    await tx
      .update(node)
      .set({ appSecret: secrets.encrypt(app_secret) })
      .where(eq(node.id, id));
    await recordEvent(tx, {
      kind: 'credentials_replaced',
      subject: { kind: 'node', id, name: before.name },
      actor,
    });
    await dropConnections(tx, [id]);
    return { id, app_id: before.appId, app_secret };
  });
}

export async function bindNodeLineGroups(
  db: Db,
  actor: Actor,
  id: number,
  {
    line_group_ids: lineGroupIds,
    version,
  }: { line_group_ids: readonly number[]; version?: number | undefined },
): Promise<void> {
  await mapConstraints(
    { node_line_group_line_group_id_line_group_id_fk: ['line_group_ids', 'does_not_exist'] },
    () =>
      db.transaction(async (tx) => {
        const { name } = await lockNode(tx, id, version);
        await tx
          .update(node)
          .set({ version: sql`${node.version} + 1` })
          .where(eq(node.id, id));
        const left = await tx
          .delete(nodeLineGroup)
          .where(eq(nodeLineGroup.nodeId, id))
          .returning({ id: nodeLineGroup.lineGroupId, level: nodeLineGroup.level });
        const rows = [...new Set(lineGroupIds)].map((lineGroupId) => ({
          nodeId: id,
          lineGroupId,
          level: left.find((group) => group.id === lineGroupId)?.level ?? ('L1' as const),
        }));
        if (rows.length > 0) await tx.insert(nodeLineGroup).values(rows);
        const before = left.map((group) => group.id).toSorted((one, other) => one - other);
        const after = rows.map((row) => row.lineGroupId).toSorted((one, other) => one - other);
        const changes = changesOf(
          { line_group_ids: before.join(', ') },
          { line_group_ids: after.join(', ') },
        );
        if (changes.length > 0)
          await recordEvent(tx, {
            kind: 'line_group_changed',
            subject: { kind: 'node', id, name },
            actor,
            data: { changes },
          });
        await bumpGeneration(tx, [id]);
      }),
  );
}

/** Application id of 16 and secret of 32 characters (spec §5). */
function makeCredentials() {
  return { app_id: randomBytes(8).toString('hex'), app_secret: randomBytes(16).toString('hex') };
}

function selectNodes(db: Db) {
  return db
    .select({ node, areaName: area.name })
    .from(node)
    .innerJoin(area, eq(area.id, node.areaId))
    .$dynamic();
}

/** Adds addresses and line groups of a whole page by one query each. */
async function present(db: Db, rows: Awaited<ReturnType<typeof selectNodes>>) {
  const ids = rows.map((row) => row.node.id);
  if (ids.length === 0) return [];
  const [ips, groups] = await Promise.all([
    db.select().from(nodeIp).where(inArray(nodeIp.nodeId, ids)).orderBy(asc(nodeIp.id)),
    db
      .select({ nodeId: nodeLineGroup.nodeId, id: lineGroup.id, name: lineGroup.name })
      .from(nodeLineGroup)
      .innerJoin(lineGroup, eq(lineGroup.id, nodeLineGroup.lineGroupId))
      .where(inArray(nodeLineGroup.nodeId, ids))
      .orderBy(asc(lineGroup.name)),
  ]);
  return rows.map(({ node: row, areaName }) => {
    const own = ips.filter((ip) => ip.nodeId === row.id).map(presentIp);
    return {
      id: row.id,
      name: row.name,
      area_id: row.areaId,
      area_name: areaName,
      ip: own[0]?.ip ?? '',
      ips: own,
      app_id: row.appId,
      enabled: row.enabled,
      status: nodeStatus(row, new Date()),
      agent_version: row.state?.version ?? '',
      state: row.state,
      status_time: isoOrNull(row.statusTime),
      log_lines_foreign: row.logLinesForeign,
      line_groups: groups.filter((group) => group.nodeId === row.id).map(({ id, name }) => ({ id, name })),
      version: row.version,
      created_at: iso(row.createdAt),
      updated_at: iso(row.updatedAt),
    };
  });
}

export function nodeStatus(row: Pick<typeof node.$inferSelect, 'state' | 'statusTime'>, now: Date) {
  if (!row.statusTime) return 'unseen' as const;
  const silent = now.getTime() - row.statusTime.getTime() > nodeSilentSeconds * 1000;
  return silent || row.state?.nginx_running !== true ? ('abnormal' as const) : ('normal' as const);
}
