import {
  nodeSilentSeconds,
  type DocumentDelivery,
  type DocumentKind,
  type siteDelivery,
} from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { rowsOf, texts, type Queryable } from './queryable.ts';
import { isJudged, judgedRevision } from './watermark.ts';

export interface DocumentName {
  kind: DocumentKind;
  key: string;
}
type NodeDelivery = DocumentDelivery['nodes'][number];
type DeliverySummary = z.infer<typeof siteDelivery>;

interface DeliveryRow extends DocumentName {
  desired_revision: string;
  updated_at: string;
  node_id: number | null;
  node_name: string;
  online: boolean;
  active_revision: string | null;
  status: NodeDelivery['status'];
  error: string | null;
  acked_at: string | null;
}

/** For each document the desired revision, and what every enabled node of its line groups has said. */
export async function listDeliveries(
  database: Queryable,
  names: readonly DocumentName[],
): Promise<DocumentDelivery[]> {
  const rows = await rowsOf<DeliveryRow>(
    database,
    sql`WITH wanted AS (${wantedByNode(names)}),
          document AS (
            SELECT kind, key, max(revision) AS revision, max(updated_at) AS updated_at FROM edge_document
            WHERE (kind, key) IN (${nameRows(names)}) GROUP BY kind, key)
        SELECT d.kind, d.key, d.revision AS desired_revision, d.updated_at, w.node_id, n.name AS node_name,
          coalesce(n.status_time > now() - make_interval(secs => ${nodeSilentSeconds}), false) AS online,
          w.active_revision, w.status, w.error, coalesce(w.acked_at, i.finished_at) AS acked_at
        FROM document d LEFT JOIN wanted w USING (kind, key) LEFT JOIN node n ON n.id = w.node_id
          LEFT JOIN LATERAL (
            SELECT max(finished_at) AS finished_at FROM operation_item
            WHERE node_id = w.node_id AND kind = w.kind AND key = w.key AND state = 'done' AND revision = w.active_revision) i ON true
        ORDER BY d.kind, d.key, n.name`,
  );
  const deliveries = new Map<string, DocumentDelivery>();
  for (const row of rows) {
    const name = `${row.kind}/${row.key}`;
    const delivery = deliveries.get(name) ?? {
      kind: row.kind,
      key: row.key,
      desired_revision: Number(row.desired_revision),
      updated_at: isoTime(row.updated_at),
      nodes: [],
    };
    deliveries.set(name, delivery);
    if (row.node_id !== null) delivery.nodes.push(nodeDelivery(row, row.node_id));
  }
  return names.flatMap(({ kind, key }) => deliveries.get(`${kind}/${key}`) ?? []);
}

/** One line for each document, by key, for a page of a list: one query however long the page is. */
export async function summariseDeliveries(
  database: Queryable,
  kind: DocumentKind,
  keys: readonly string[],
): Promise<Map<string, DeliverySummary>> {
  const names = keys.map((key) => ({ kind, key }));
  const rows = await rowsOf<{ key: string; total: number; applied: number; refused: number }>(
    database,
    sql`SELECT key, count(*)::int AS total, (count(*) FILTER (WHERE status = 'applied'))::int AS applied,
          (count(*) FILTER (WHERE status = 'refused'))::int AS refused
        FROM (${wantedByNode(names)}) w GROUP BY key`,
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return new Map(keys.map((key) => [key, summaryOf(byKey.get(key))]));
}

/** Of these documents those that a node has still to take or to drop. */
export async function awaitedKeys(
  database: Queryable,
  kind: DocumentKind,
  keys: readonly string[],
): Promise<Set<string>> {
  const names = keys.map((key) => ({ kind, key }));
  const rows = await rowsOf<{ key: string }>(
    database,
    sql`SELECT DISTINCT key FROM (${wantedByNode(names)}) w WHERE status <> 'applied'`,
  );
  return new Set(rows.map((row) => row.key));
}

function summaryOf(counts: { total: number; applied: number; refused: number } | undefined): DeliverySummary {
  if (!counts) return { status: 'none', nodes_applied: 0, nodes_total: 0 };
  const { total, applied, refused } = counts;
  const status = refused > 0 ? 'refused' : applied < total ? 'pending' : 'applied';
  return { status, nodes_applied: applied, nodes_total: total };
}

/**
 * For each document and node the revision the node is to have, and what it says of it: by its watermark in the document's line
 * group, but for exceptions of its own, which count where the node judged nothing newer since. A node that only has a
 * document to drop counts until it has dropped it.
 */
function wantedByNode(names: readonly DocumentName[]): SQL {
  const ofNode = sql`OVER (PARTITION BY d.kind, d.key, l.node_id)`;
  // One that came to serve the group, and has not got its documents since, may have them from another.
  const mayHold = sql`coalesce(CASE WHEN p.node_id IS NULL THEN w.live_revision
    ELSE greatest(w.live_revision, w.deleted_revision) END, 0)`;
  return sql`
    SELECT kind, key, node_id, status, CASE WHEN status = 'refused' THEN error END AS error, acked_at,
      CASE WHEN status = 'applied' AND is_judged THEN revision ELSE active_revision END AS active_revision
    FROM (
      SELECT b.*, a.error, a.acked_at,
        CASE WHEN a.node_id IS NULL OR a.seen_revision < b.judged_revision THEN b.judged_revision ELSE a.active_revision END AS active_revision,
        CASE WHEN a.node_id IS NULL OR a.seen_revision < b.judged_revision THEN b.had ELSE a.active_revision IS NOT NULL OR b.first_revision < a.seen_revision END AS has,
        CASE WHEN a.active_revision >= b.revision THEN 'applied'
             WHEN a.seen_revision >= b.revision AND a.status = 'refused' THEN 'refused'
             WHEN b.is_judged THEN 'applied' ELSE 'pending' END AS status
      FROM (
        SELECT DISTINCT ON (d.kind, d.key, l.node_id) d.kind, d.key, l.node_id, d.revision, d.deleted, ${isJudged} AS is_judged,
          max(${judgedRevision}) ${ofNode} AS judged_revision,
          min(d.first_revision) ${ofNode} AS first_revision,
          bool_or(d.first_revision <= ${mayHold}) ${ofNode} AS had
        FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
          JOIN node n ON n.id = l.node_id AND n.enabled
          LEFT JOIN node_watermark w ON w.node_id = l.node_id AND w.line_group_id = l.line_group_id
          LEFT JOIN node_page p ON p.node_id = l.node_id
        WHERE (d.kind, d.key) IN (${nameRows(names)})
        ORDER BY d.kind, d.key, l.node_id, d.deleted, d.revision DESC, is_judged DESC) b
      LEFT JOIN node_document a ON a.node_id = b.node_id AND a.kind = b.kind AND a.key = b.key) s
    WHERE NOT deleted OR (has AND status <> 'applied')`;
}

function nameRows(names: readonly DocumentName[]): SQL {
  return sql`SELECT * FROM unnest(${texts(names.map(({ kind }) => kind))}, ${texts(names.map(({ key }) => key))})`;
}

function nodeDelivery(row: DeliveryRow, nodeId: number): NodeDelivery {
  return {
    node_id: nodeId,
    node_name: row.node_name,
    online: row.online,
    active_revision: row.active_revision === null ? null : Number(row.active_revision),
    status: row.status,
    error: row.error,
    acked_at: row.acked_at === null ? null : isoTime(row.acked_at),
  };
}

function isoTime(text: string | Date): string {
  return new Date(text).toISOString();
}
