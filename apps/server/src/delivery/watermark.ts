import { sql, type SQL } from 'drizzle-orm';
import { integers, rowsOf, type Queryable } from './queryable.ts';

/**
 * How far nodes are. Documents reach a node in the order of revisions, so one number for each of its line groups says what it has
 * judged of all of them; `docs/decisions/0029-…` says how that number is known to be true.
 */

/** The page of documents that a node was given last. */
export interface GivenPage {
  generation: number;
  since: number;
  until: number;
  isLast: boolean;
  isFromNothing: boolean;
}

interface PageRow {
  generation: number;
  since: string;
  until: string;
  is_last: boolean;
  is_from_nothing: boolean;
}

/** The most rows of a line group that a page holds. */
export const documentsPerPage = 500;

/** Locks it to the end of the transaction: what one node asks, what it says, and what becomes of it come one after another. */
export async function lockPage(tx: Queryable, nodeId: number): Promise<GivenPage> {
  // The node first, as whoever changes it does; a row that refers to it locks it too.
  const locked = () =>
    rowsOf<PageRow>(
      tx,
      sql`WITH n AS (SELECT id FROM node WHERE id = ${nodeId} FOR KEY SHARE)
          SELECT p.* FROM n JOIN node_page p ON p.node_id = n.id FOR UPDATE OF p`,
    );
  let [row] = await locked();
  if (!row) {
    await tx.execute(
      sql`INSERT INTO node_page (node_id) SELECT id FROM node WHERE id = ${nodeId} ON CONFLICT DO NOTHING`,
    );
    [row] = await locked();
  }
  const { generation, since, until, is_last, is_from_nothing } = row ?? {
    generation: 0,
    since: 0,
    until: 0,
    is_last: true,
    is_from_nothing: false,
  };
  return {
    generation,
    since: Number(since),
    until: Number(until),
    isLast: is_last,
    isFromNothing: is_from_nothing,
  };
}

export async function storePage(tx: Queryable, nodeId: number, page: GivenPage): Promise<void> {
  await tx.execute(
    sql`UPDATE node_page SET generation = ${page.generation}, since = ${page.since}, until = ${page.until},
          is_last = ${page.isLast}, is_from_nothing = ${page.isFromNothing}
        WHERE node_id = ${nodeId}`,
  );
}

/**
 * To be called as a node asks for what comes after a revision that it was given: it has judged all up to there. Whether what is
 * deleted is gone as well, an unfinished list from nothing does not say: the node drops what that did not name when it has ended.
 */
export async function settle(
  tx: Queryable,
  nodeId: number,
  since: number,
  isFromNothing: boolean,
): Promise<void> {
  await raise(tx, nodeId, since, isFromNothing, sql`true`);
}

/**
 * Raises the watermarks to the end of the page that the node was given last, if nothing in it is left to be judged: by what the
 * node says now, or said before. Answers whether that is so.
 */
export async function raiseByPage(
  tx: Queryable,
  nodeId: number,
  page: GivenPage,
  said: SQL,
): Promise<boolean> {
  const isOpen = sql`
    SELECT FROM node_line_group l CROSS JOIN LATERAL (
      SELECT kind, key, revision, deleted FROM edge_document
      WHERE line_group_id = l.line_group_id AND revision > ${page.since} AND revision <= ${page.until}
        ${page.since === 0 ? sql`AND NOT deleted` : sql``}
      ORDER BY revision LIMIT ${documentsPerPage}) d
    WHERE l.node_id = ${nodeId}
      AND NOT EXISTS (SELECT FROM (${said}) s WHERE s.kind = d.kind AND s.key = d.key AND s.revision >= d.revision)
      AND NOT EXISTS (SELECT FROM node_document n WHERE n.node_id = ${nodeId} AND n.kind = d.kind AND n.key = d.key
        AND n.seen_revision >= d.revision)
      AND NOT (d.deleted AND EXISTS (
        SELECT FROM edge_document o JOIN node_line_group m ON m.line_group_id = o.line_group_id
        WHERE m.node_id = ${nodeId} AND o.kind = d.kind AND o.key = d.key AND NOT o.deleted))`;
  const isWhole = sql`NOT EXISTS (${isOpen}) AND EXISTS (
    SELECT FROM node WHERE id = ${nodeId} AND generation = ${page.generation})`;
  return raise(tx, nodeId, page.until, page.isFromNothing, isWhole);
}

/** What was kept as an exception, and is now what the watermarks say, goes: there is an index of just that. */
async function raise(
  tx: Queryable,
  nodeId: number,
  to: number,
  isFromNothing: boolean,
  condition: SQL,
): Promise<boolean> {
  const deleted = isFromNothing ? 0 : to;
  const [row] = await rowsOf<{ is_raised: boolean }>(
    tx,
    sql`WITH condition AS MATERIALIZED (SELECT ${condition} AS holds),
          marked AS (
            INSERT INTO node_watermark AS w (node_id, line_group_id, live_revision, deleted_revision)
            SELECT node_id, line_group_id, ${to}, ${deleted} FROM node_line_group, condition
            WHERE node_id = ${nodeId} AND holds
            ON CONFLICT (node_id, line_group_id) DO UPDATE SET
              live_revision = greatest(w.live_revision, excluded.live_revision),
              deleted_revision = greatest(w.deleted_revision, excluded.deleted_revision)
            WHERE w.live_revision < excluded.live_revision OR w.deleted_revision < excluded.deleted_revision),
          merged AS (
            DELETE FROM node_document USING condition
            WHERE node_id = ${nodeId} AND status = 'applied' AND seen_revision <= ${deleted} AND holds)
        SELECT holds AS is_raised FROM condition`,
  );
  return row!.is_raised;
}

/** Keeps nodes from pulling and acknowledging to the end of the transaction, which changes what is theirs. */
export async function lockPages(tx: Queryable, nodeIds: readonly number[]): Promise<void> {
  await tx.execute(
    sql`SELECT FROM node_page WHERE node_id = ANY(${integers(nodeIds)}) ORDER BY node_id FOR UPDATE`,
  );
}

/**
 * After the line groups of nodes changed: in those that are new to a node it has judged nothing, in those that it keeps what it
 * had. What is deleted by now is awaited from none of them: it goes with the list that each pulls from nothing.
 */
export async function rebaseWatermarks(tx: Queryable, nodeIds: readonly number[]): Promise<void> {
  const served = sql`node_line_group l JOIN node n ON n.id = l.node_id AND n.enabled`;
  await tx.execute(
    sql`DELETE FROM node_watermark w WHERE w.node_id = ANY(${integers(nodeIds)}) AND NOT EXISTS (
          SELECT FROM ${served} WHERE l.node_id = w.node_id AND l.line_group_id = w.line_group_id)`,
  );
  await tx.execute(
    sql`INSERT INTO node_watermark AS w (node_id, line_group_id, deleted_revision)
        SELECT l.node_id, l.line_group_id, coalesce((SELECT revision FROM delivery_counter WHERE id = 1), 0)
        FROM ${served} WHERE l.node_id = ANY(${integers(nodeIds)})
        ON CONFLICT (node_id, line_group_id) DO UPDATE SET
          deleted_revision = greatest(w.deleted_revision, excluded.deleted_revision)`,
  );
}

/** Of a row `d` of `edge_document` for a node whose watermark in that group is `w`, which may be absent: whether it judged that. */
export const isJudged = sql`d.revision <= coalesce(CASE WHEN d.deleted THEN w.deleted_revision ELSE w.live_revision END, 0)`;

/** Of the same, the newest that the node has in service; null where that is none, or too long ago. */
export const judgedRevision = sql`CASE WHEN d.deleted AND d.revision <= w.deleted_revision THEN NULL
  WHEN NOT d.deleted AND d.revision <= w.live_revision THEN d.revision
  ELSE (SELECT max(f) FROM unnest(d.former) f WHERE f <= w.live_revision) END`;
