import type { DocumentResult } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { listDeliveries } from './delivery-state.ts';
import { rowsOf, texts, bigints, type Queryable } from './queryable.ts';

/**
 * What nodes have said, with one row for each node and document: as it was kept before there were watermarks. Tests compare the two.
 */
export const rowPerDocument = {
  create: (db: Queryable) =>
    db.execute(sql`CREATE TABLE former_document (node_id int, kind text, key text, active_revision bigint, seen_revision bigint,
      status text, error text, PRIMARY KEY (node_id, kind, key))`),

  acknowledge: (db: Queryable, nodeId: number, results: readonly DocumentResult[]) =>
    db.execute(sql`
      INSERT INTO former_document AS n
      SELECT ${nodeId}, r.kind, r.key, CASE WHEN r.status = 'applied' THEN r.revision END, r.revision, r.status, r.error
      FROM unnest(${texts(results.map(({ kind }) => kind))}, ${texts(results.map(({ key }) => key))},
        ${bigints(results.map(({ revision }) => revision))}, ${texts(results.map(({ status }) => status))},
        ${texts(results.map(({ error }) => error ?? null))}) AS r (kind, key, revision, status, error)
      WHERE EXISTS (SELECT FROM edge_document d JOIN node_line_group l USING (line_group_id)
        WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key AND d.revision >= r.revision)
      ON CONFLICT (node_id, kind, key) DO UPDATE SET
        active_revision = coalesce(excluded.active_revision, n.active_revision), seen_revision = excluded.seen_revision,
        status = excluded.status, error = excluded.error
      WHERE excluded.seen_revision >= n.seen_revision`),

  bump: (db: Queryable, nodeId: number) =>
    db.execute(
      sql`DELETE FROM former_document d WHERE d.node_id = ${nodeId} AND ${noLonger(sql`NOT e.deleted`)}`,
    ),

  /** What a list from nothing did not name is gone by its end: of that the rows were never told. */
  dropUnnamed: (db: Queryable, nodeId: number, until: number) =>
    db.execute(sql`
      DELETE FROM former_document d WHERE d.node_id = ${nodeId} AND d.seen_revision <= ${until}
        AND ${noLonger(sql`(NOT e.deleted OR e.revision > ${until})`)}`),

  states: (db: Queryable) =>
    rowsOf<NodeState>(
      db,
      sql`SELECT b.kind, b.key, b.node_id, a.active_revision,
          CASE WHEN a.active_revision >= b.revision THEN 'applied'
               WHEN a.seen_revision >= b.revision AND a.status = 'refused' THEN 'refused' ELSE 'pending' END AS status
        FROM (
          SELECT DISTINCT ON (d.kind, d.key, l.node_id) d.kind, d.key, l.node_id, d.revision, d.deleted
          FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
            JOIN node n ON n.id = l.node_id AND n.enabled
          ORDER BY d.kind, d.key, l.node_id, d.deleted, d.revision DESC) b
        LEFT JOIN former_document a ON a.node_id = b.node_id AND a.kind = b.kind AND a.key = b.key
        WHERE b.kind = 'site' AND (NOT b.deleted OR a.active_revision < b.revision)
        ORDER BY b.kind, b.key, b.node_id`,
    ),
};

interface NodeState {
  kind: string;
  key: string;
  node_id: number;
  active_revision: string | null;
  status: string;
}

const noLonger = (which: SQL) => sql`NOT EXISTS (
  SELECT FROM edge_document e JOIN node_line_group l ON l.line_group_id = e.line_group_id JOIN node n ON n.id = l.node_id
  WHERE l.node_id = d.node_id AND n.enabled AND e.kind = d.kind AND e.key = d.key AND ${which})`;

export const byName = (rows: NodeState[]) =>
  new Map(
    rows.map((row) => [
      `${row.key} at ${row.node_id}`,
      { status: row.status, active: Number(row.active_revision) },
    ]),
  );

/** What screens show of sites, as `rowPerDocument.states` says it. */
export async function shownStates(db: Queryable, keys: readonly string[]) {
  const kind = 'site' as const;
  const deliveries = await listDeliveries(
    db,
    keys.map((key) => ({ kind, key })),
  );
  return byName(
    deliveries.flatMap(({ key, nodes }) =>
      nodes.map(({ node_id, active_revision, status }) => ({
        kind,
        key,
        node_id,
        active_revision: String(active_revision ?? 0),
        status,
      })),
    ),
  );
}

/** mulberry32: a run is told by its seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
