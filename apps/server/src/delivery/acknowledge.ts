import type { DocumentResult } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { settleDeliveries } from '../jobs/operation.store.ts';
import { bigints, rowsOf, texts, type Queryable } from './queryable.ts';

/**
 * Stores what a node says became of its documents, in the caller's transaction. Counted are only documents of the
 * node's line groups, up to the revision that exists. Returns how many those were.
 *
 * An applied revision finishes its own sub-task and supersedes older ones, failed ones included: the newer document
 * replaces what they brought. A refused one fails its own and supersedes those that still waited.
 */
export async function acknowledge(
  tx: Queryable,
  nodeId: number,
  results: readonly DocumentResult[],
): Promise<number> {
  const newest = newestOf(results);
  const concerned = concernedResults(nodeId, newest);
  const stored = await rowsOf(
    tx,
    sql`WITH result AS (${concerned})
        INSERT INTO node_document AS n (node_id, kind, key, active_revision, seen_revision, status, error, acked_at)
        SELECT ${nodeId}, kind, key, CASE WHEN status = 'applied' THEN revision END, revision, status, error, now()
        FROM result ORDER BY kind, key
        ON CONFLICT (node_id, kind, key) DO UPDATE SET
          active_revision = coalesce(excluded.active_revision, n.active_revision),
          seen_revision = excluded.seen_revision, status = excluded.status, error = excluded.error,
          acked_at = excluded.acked_at
        WHERE excluded.seen_revision >= n.seen_revision
        RETURNING n.key`,
  );
  await judgeParts(tx, nodeId, concerned);
  return stored.length;
}

interface Part {
  id: string;
  operation_id: number;
  former: string;
  revision: string;
  judged: string;
  status: DocumentResult['status'];
  error: string | null;
}

/** Each part is looked up by its document, and changed by its number: no more are read, however many a task has. */
async function judgeParts(tx: Queryable, nodeId: number, concerned: SQL): Promise<void> {
  const parts = await rowsOf<Part>(
    tx,
    sql`SELECT p.*, r.revision AS judged, r.status, r.error FROM (${concerned}) r CROSS JOIN LATERAL (
          SELECT s.id, s.operation_id, s.state AS former, s.revision FROM operation_item s
          WHERE s.node_id = ${nodeId} AND s.kind = r.kind AND s.key = r.key AND s.revision <= r.revision
            AND (s.state = 'pending' OR (s.state = 'failed' AND r.status = 'applied'))
          FOR UPDATE) p`,
  );
  if (parts.length === 0) return;
  const after = parts.map(({ operation_id, former, ...part }) => {
    const isOlder = Number(part.revision) < Number(part.judged);
    const state = isOlder ? 'superseded' : part.status === 'applied' ? 'done' : 'failed';
    return { operation_id, former, state, id: Number(part.id), error: isOlder ? null : part.error };
  });
  const ids = bigints(after.map(({ id }) => id));
  const of = (values: SQL) => sql`(${values})[array_position(${ids}, s.id)]`;
  const state = of(texts(after.map((part) => part.state)));
  const error = of(texts(after.map((part) => part.error)));
  await tx.execute(
    sql`UPDATE operation_item s SET finished_at = now(), state = ${state},
          error = CASE WHEN ${state} = 'superseded' THEN s.error WHEN ${error} IS NOT NULL THEN jsonb_build_object('text', ${error}) END
        WHERE s.id = ANY(${ids})`,
  );
  await settleDeliveries(tx, after);
}

/** One result a document, the last one for its newest revision. */
function newestOf(results: readonly DocumentResult[]): DocumentResult[] {
  const byDocument = new Map<string, DocumentResult>();
  for (const result of results) {
    const name = `${result.kind}/${result.key}`;
    const other = byDocument.get(name);
    if (!other || other.revision <= result.revision) byDocument.set(name, result);
  }
  return [...byDocument.values()];
}

/** Each result looks its document up by key: joined in any other way, a page would cost a reading of all documents. */
function concernedResults(nodeId: number, results: readonly DocumentResult[]): SQL {
  return sql`
    SELECT r.kind, r.key, r.revision, r.status, r.error
    FROM unnest(
      ${texts(results.map((result) => result.kind))}, ${texts(results.map((result) => result.key))},
      ${bigints(results.map((result) => result.revision))}, ${texts(results.map((result) => result.status))},
      ${texts(results.map((result) => (result.status === 'refused' ? (result.error ?? '') : null)))}
    ) AS r (kind, key, revision, status, error)
    CROSS JOIN LATERAL (
      SELECT FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
      WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key AND d.revision >= r.revision
      LIMIT 1) d`;
}
