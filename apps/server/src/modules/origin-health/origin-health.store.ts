import {
  nodeSilentSeconds,
  type HealthError,
  type HealthErrorCode,
  type OriginHealthEventRow,
  type OriginHealthRow,
  type OriginHealthState,
} from '@breakwater/contract';
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { node, originHealth, originHealthEvent } from '../../db/schema.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { Scope } from '../../scope.ts';
import { readConfig } from '../site-config/site-config.store.ts';

export interface HealthFilter {
  current_page: number;
  page_size: number;
  node_id?: number | undefined;
  state?: OriginHealthState | undefined;
}

/** Even a node with ten thousand origins says of each how it is within two minutes. */
const staleMinutes = 5;

const isStale = sql<boolean>`coalesce(${node.statusTime} < now() - make_interval(secs => ${nodeSilentSeconds}), true)
  OR ${originHealth.reportedAt} < now() - make_interval(mins => ${staleMinutes})`;
const worstFirst = sql`array_position(ARRAY['down', 'returning', 'up'], ${originHealth.state})`;

export async function listOriginHealth(db: Db, scope: Scope, siteId: number, query: HealthFilter) {
  await readConfig(db, scope, siteId);
  const where = and(
    eq(originHealth.siteId, siteId),
    query.node_id ? eq(originHealth.nodeId, query.node_id) : undefined,
    query.state ? eq(originHealth.state, query.state) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total, nodes] = await Promise.all([
    db
      .select({ row: originHealth, nodeName: node.name, stale: isStale })
      .from(originHealth)
      .innerJoin(node, eq(node.id, originHealth.nodeId))
      .where(where)
      .orderBy(
        worstFirst,
        asc(originHealth.address),
        asc(originHealth.ip),
        asc(originHealth.port),
        asc(node.name),
      )
      .limit(limit)
      .offset(offset),
    db.$count(originHealth, where),
    countNodes(db, siteId),
  ]);
  const list = rows.map(({ row, nodeName, stale }): OriginHealthRow => ({
    node_id: row.nodeId,
    node_name: nodeName,
    address: row.address,
    ip: row.ip,
    port: row.port,
    state: row.state,
    since: iso(row.since),
    checked_at: iso(row.checkedAt),
    latency_ms: row.latencyMs,
    error: errorOf(row),
    stale,
  }));
  return { ...listPage(query, list, total), ...nodes };
}

export async function listOriginHealthEvents(db: Db, scope: Scope, siteId: number, query: HealthFilter) {
  await readConfig(db, scope, siteId);
  const where = and(
    eq(originHealthEvent.siteId, siteId),
    query.node_id ? eq(originHealthEvent.nodeId, query.node_id) : undefined,
    query.state ? eq(originHealthEvent.state, query.state) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ row: originHealthEvent, nodeName: node.name })
      .from(originHealthEvent)
      .innerJoin(node, eq(node.id, originHealthEvent.nodeId))
      .where(where)
      .orderBy(desc(originHealthEvent.at), desc(originHealthEvent.id))
      .limit(limit)
      .offset(offset),
    db.$count(originHealthEvent, where),
  ]);
  const list = rows.map(({ row, nodeName }): OriginHealthEventRow => ({
    id: row.id,
    node_id: row.nodeId,
    node_name: nodeName,
    address: row.address,
    ip: row.ip,
    port: row.port,
    state: row.state,
    at: iso(row.at),
    error: errorOf(row),
  }));
  return listPage(query, list, total);
}

/** The nodes that serve a site, and those that have lately said something of its origins. */
async function countNodes(db: Db, siteId: number) {
  const counted: SQL = sql`
    SELECT count(*)::int AS total,
      (count(*) FILTER (WHERE n.status_time > now() - make_interval(secs => ${nodeSilentSeconds}) AND EXISTS (
        SELECT 1 FROM origin_health h WHERE h.site_id = ${siteId} AND h.node_id = n.id)))::int AS reporting
    FROM node n WHERE n.enabled AND EXISTS (
      SELECT 1 FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
      WHERE l.node_id = n.id AND d.kind = 'site' AND d.key = ${String(siteId)} AND NOT d.deleted)`;
  const [counts] = await rowsOf<{ total: number; reporting: number }>(db, counted);
  return { nodes_total: counts?.total ?? 0, nodes_reporting: counts?.reporting ?? 0 };
}

function errorOf(row: { errorCode: HealthErrorCode | null; errorDetail: string | null }): HealthError | null {
  return row.errorCode === null ? null : { code: row.errorCode, detail: row.errorDetail ?? '' };
}
