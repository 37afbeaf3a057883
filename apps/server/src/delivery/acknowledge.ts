import type { DocumentResult } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { bigints, rowsOf, texts, type Queryable } from './queryable.ts';
import { settleTasks } from './tasks.ts';

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
  const finished = await rowsOf<{ task_id: number }>(
    tx,
    sql`WITH result AS (${concerned})
        UPDATE sub_task s SET finished_at = now(),
          status = CASE WHEN s.revision < r.revision THEN 'superseded' WHEN r.status = 'applied' THEN 'done' ELSE 'failed' END,
          error = CASE WHEN s.revision < r.revision THEN s.error ELSE r.error END
        FROM result r
        WHERE s.node_id = ${nodeId} AND s.kind = r.kind AND s.key = r.key AND s.revision <= r.revision
          AND (s.status = 'pending' OR (s.status = 'failed' AND r.status = 'applied'))
        RETURNING s.task_id`,
  );
  await settleTasks(
    tx,
    finished.map((row) => row.task_id),
  );
  return stored.length;
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
