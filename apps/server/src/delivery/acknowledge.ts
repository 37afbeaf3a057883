import type { DocumentResult } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { settleDeliveries } from '../jobs/operation.store.ts';
import { bigints, rowsOf, texts, type Queryable } from './queryable.ts';
import { pageUpTo, type PushedPosition } from './pushed.ts';
import { isJudged, judgedRevision, lockPage, raiseByPage, storePage } from './watermark.ts';

/**
 * Stores what a node says became of its documents, in the caller's transaction. Counted are only documents of the
 * node's line groups, up to the revision that exists. Returns how many those were.
 *
 * When nothing in the page that the node was given is left to be judged, its watermarks say so, and rows remain of what it refused
 * alone. An applied revision finishes its own sub-task and supersedes older ones, failed ones included: the newer document
 * replaces what they brought. A refused one fails its own and supersedes those that still waited.
 *
 * What came with events was given in no page. With `pushed` it counts as if it had been, once the database says that nothing
 * is missing in it; `reached` says whether.
 */
export async function acknowledge(
  tx: Queryable,
  nodeId: number,
  results: readonly DocumentResult[],
  pushed?: PushedPosition,
): Promise<{ accepted: number; reached: boolean }> {
  const given = await lockPage(tx, nodeId);
  const further = pushed && (await pageUpTo(tx, nodeId, given, pushed));
  const page = further ?? given;
  const newest = newestOf(results);
  // Before the watermarks are raised: they tell what was in service before something was refused.
  const taken = await takenResults(tx, nodeId, newest);
  const isWhole = await raiseByPage(tx, nodeId, page, resultRows(results));
  const reached = isWhole && further !== undefined;
  if (reached) await storePage(tx, nodeId, page);
  await storeExceptions(tx, nodeId, taken, isWhole && !page.isFromNothing ? page.until : 0);
  await judgeParts(tx, nodeId, concernedResults(nodeId, newest));
  return { accepted: taken.length, reached };
}

export interface TakenResult {
  kind: string;
  key: string;
  revision: string;
  status: DocumentResult['status'];
  error: string | null;
  /** What the node has in service, as far as it is known before this. */
  active_revision: string | null;
  /** What was stored of the document for this node; null where the watermarks say all. */
  stored_revision: string | null;
  stored_status: DocumentResult['status'] | null;
}

/** Those that are of the node's documents and do not come late: a newer revision was judged already. */
export function takenResults(
  tx: Queryable,
  nodeId: number,
  newest: readonly DocumentResult[],
): Promise<TakenResult[]> {
  return rowsOf<TakenResult>(
    tx,
    sql`SELECT r.*, n.seen_revision AS stored_revision, n.status AS stored_status,
          CASE WHEN n.seen_revision >= coalesce(d.judged_revision, 0) THEN n.active_revision
               WHEN d.is_judged OR d.judged_revision < r.revision THEN d.judged_revision END AS active_revision
        FROM (${resultRows(newest)}) r
        CROSS JOIN LATERAL (
          SELECT max(d.revision) AS newest, max(${judgedRevision}) AS judged_revision,
            (array_agg(d.revision ORDER BY d.deleted, d.revision DESC))[1] AS wanted,
            (array_agg(${isJudged} ORDER BY d.deleted, d.revision DESC, ${isJudged} DESC))[1] AS is_judged
          FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
            LEFT JOIN node_watermark w ON w.node_id = l.node_id AND w.line_group_id = l.line_group_id
          WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key) d
        LEFT JOIN node_document n ON n.node_id = ${nodeId} AND n.kind = r.kind AND n.key = r.key
        WHERE r.revision <= d.newest AND r.revision >= coalesce(n.seen_revision, 0)
          AND (r.revision = d.wanted OR r.revision >= coalesce(CASE WHEN d.is_judged THEN d.wanted ELSE d.judged_revision END, 0))
        ORDER BY r.kind, r.key`,
  );
}

/** What the watermarks say of a document, up to `settled`, needs no row; where there was one it goes. */
async function storeExceptions(
  tx: Queryable,
  nodeId: number,
  taken: readonly TakenResult[],
  settled: number,
): Promise<void> {
  const isPlain = (one: TakenResult) => one.status === 'applied' && Number(one.revision) <= settled;
  const gone = taken.filter((one) => isPlain(one) && one.stored_revision !== null);
  if (gone.length > 0)
    await tx.execute(
      sql`DELETE FROM node_document WHERE node_id = ${nodeId} AND (kind, key) IN (
            SELECT * FROM unnest(${texts(gone.map(({ kind }) => kind))}, ${texts(gone.map(({ key }) => key))}))`,
    );
  const kept = taken.filter((one) => !isPlain(one));
  if (kept.length === 0) return;
  const active = kept.map((one) => (one.status === 'applied' ? one.revision : one.active_revision));
  await tx.execute(
    sql`WITH r AS (
          SELECT * FROM unnest(${texts(kept.map(({ kind }) => kind))}, ${texts(kept.map(({ key }) => key))}, ${texts(active)}::bigint[],
            ${bigints(kept.map(({ revision }) => Number(revision)))}, ${texts(kept.map(({ status }) => status))},
            ${texts(kept.map(({ error }) => error))}) AS r (kind, key, active_revision, revision, status, error)),
        plain AS (
          DELETE FROM node_document n USING r
          WHERE n.node_id = ${nodeId} AND n.kind = r.kind AND n.key = r.key AND ${isPlainAlready(nodeId)})
        INSERT INTO node_document AS n (node_id, kind, key, active_revision, seen_revision, status, error, acked_at)
        SELECT ${nodeId}, kind, key, active_revision, revision, status, error, now() FROM r WHERE NOT ${isPlainAlready(nodeId)}
        ON CONFLICT (node_id, kind, key) DO UPDATE SET
          active_revision = excluded.active_revision, seen_revision = excluded.seen_revision,
          status = excluded.status, error = excluded.error, acked_at = excluded.acked_at`,
  );
}

/** In a list from nothing, and in a page of which more is to come: what the watermarks say of it already. */
const isPlainAlready = (nodeId: number) => sql`(r.status = 'applied' AND EXISTS (
  SELECT FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
    JOIN node_watermark w ON w.node_id = l.node_id AND w.line_group_id = l.line_group_id
  WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key AND d.revision = r.revision AND ${isJudged}))`;

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
export function newestOf(results: readonly DocumentResult[]): DocumentResult[] {
  const byDocument = new Map<string, DocumentResult>();
  for (const result of results) {
    const name = `${result.kind}/${result.key}`;
    const other = byDocument.get(name);
    if (!other || other.revision <= result.revision) byDocument.set(name, result);
  }
  return [...byDocument.values()];
}

function resultRows(results: readonly DocumentResult[]): SQL {
  return sql`SELECT * FROM unnest(
      ${texts(results.map((result) => result.kind))}, ${texts(results.map((result) => result.key))},
      ${bigints(results.map((result) => result.revision))}, ${texts(results.map((result) => result.status))},
      ${texts(results.map((result) => (result.status === 'refused' ? (result.error ?? '') : null)))}
    ) AS r (kind, key, revision, status, error)`;
}

/** Each result looks its document up by key: joined in any other way, a page would cost a reading of all documents. */
function concernedResults(nodeId: number, results: readonly DocumentResult[]): SQL {
  return sql`
    SELECT r.* FROM (${resultRows(results)}) r
    CROSS JOIN LATERAL (
      SELECT FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id
      WHERE l.node_id = ${nodeId} AND d.kind = r.kind AND d.key = r.key AND d.revision >= r.revision
      LIMIT 1) d`;
}
