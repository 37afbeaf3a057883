import {
  nodeSilentSeconds,
  type DocumentDelivery,
  type DocumentKind,
  type siteDelivery,
} from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { rowsOf, texts, type Queryable } from './queryable.ts';

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
          w.active_revision, w.status, w.error, w.acked_at
        FROM document d LEFT JOIN wanted w USING (kind, key) LEFT JOIN node n ON n.id = w.node_id
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
 * For each document and node the revision the node is to have, and what it says of it. A node that only has a
 * document to drop counts until it has dropped it.
 */
function wantedByNode(names: readonly DocumentName[]): SQL {
  return sql`
    SELECT b.kind, b.key, b.node_id, a.active_revision, a.acked_at,
      CASE WHEN a.active_revision >= b.revision THEN 'applied'
           WHEN a.seen_revision >= b.revision AND a.status = 'refused' THEN 'refused' ELSE 'pending' END AS status,
      CASE WHEN a.seen_revision >= b.revision AND a.status = 'refused' THEN a.error END AS error
    FROM (
      SELECT DISTINCT ON (d.kind, d.key, l.node_id) d.kind, d.key, l.node_id, d.revision, d.deleted
      FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
        JOIN node n ON n.id = l.node_id AND n.enabled
      WHERE (d.kind, d.key) IN (${nameRows(names)})
      ORDER BY d.kind, d.key, l.node_id, d.deleted, d.revision DESC) b
    LEFT JOIN node_document a ON a.node_id = b.node_id AND a.kind = b.kind AND a.key = b.key
    WHERE NOT b.deleted OR a.active_revision < b.revision`;
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
