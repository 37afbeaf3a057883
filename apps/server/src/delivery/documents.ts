import type { DocumentEnvelope, DocumentKind, nodeDocuments } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import { rowsOf, texts, type Queryable } from './queryable.ts';
import { documentsPerPage, lockPage, settle, storePage, type GivenPage } from './watermark.ts';

/** Of the bodies of a page, as they are stored; one that is larger is a page by itself. */
const bytesPerPage = 4 * 1024 * 1024;

export interface DocumentRow {
  kind: DocumentKind;
  key: string;
  revision: string;
  deleted: boolean;
  hash: string;
  body: string;
  line_group_id: number;
}
/** As it stands in one of a node's line groups. */
interface ListedRow extends DocumentRow {
  superseded: boolean;
  listed: number;
}

/**
 * The documents of a node after `since`, oldest first, in the caller's transaction. A caller with another generation, or with a
 * revision that it was never given (the database came back from a backup), starts from nothing.
 */
export async function listNodeDocuments(
  tx: Queryable,
  nodeId: number,
  query: { since: number; generation: number },
  decrypt: (body: string) => string,
  pageMax = documentsPerPage,
): Promise<z.infer<typeof nodeDocuments>> {
  const former = await lockPage(tx, nodeId);
  // Read before the documents: what commits in between is listed, and at worst listed once more.
  const { revision, generation } = await deliveryPosition(tx, nodeId);
  const isGiven = query.generation === generation && former.generation === generation;
  const reset = query.since === 0 || !isGiven || query.since > former.until;
  const since = reset ? 0 : query.since;
  const rows = await rowsOf<ListedRow>(tx, documentsAfter(nodeId, since, reset, pageMax));
  const last = rows.at(-1);
  const listed = last?.listed ?? 0;
  const hasMore = listed > rows.length || listed > pageMax;
  const reached = Number(last?.revision ?? 0);
  const until = hasMore ? reached : Math.max(reached, revision);
  const isFromNothing = reset || (former.isFromNothing && !(former.isLast && since === former.until));
  // After the documents: what was withdrawn before they were read is counted here.
  const refreshesGone = await newestRefreshGone(tx);
  await follow(tx, nodeId, former, { generation, since, until, isLast: !hasMore, isFromNothing });
  return {
    generation,
    reset,
    documents: rows.filter((row) => !row.superseded).map((row) => envelopeOf(row, decrypt)),
    next_since: until,
    has_more: hasMore,
    refreshes_gone: refreshesGone,
  };
}

async function newestRefreshGone(tx: Queryable): Promise<number> {
  const [row] = await rowsOf<{ gone: string }>(
    tx,
    sql`SELECT refreshes_gone AS gone FROM delivery_counter WHERE id = 1`,
  );
  return Number(row?.gone ?? 0);
}

/** What the node has by asking said, and what it gets. One that asks again and again while nothing is new changes nothing. */
async function follow(tx: Queryable, nodeId: number, former: GivenPage, page: GivenPage): Promise<void> {
  if (page.since > 0) await settle(tx, nodeId, page.since, page.isFromNothing);
  if (JSON.stringify(page) !== JSON.stringify(former)) await storePage(tx, nodeId, page);
}

export interface Position {
  /** The newest of all documents. */
  revision: number;
  generation: number;
  lineGroupIds: number[];
  enabled: boolean;
}

/** Where delivery stands, for a node. One that is gone is as one that is switched off. */
export async function deliveryPosition(database: Queryable, nodeId: number): Promise<Position> {
  const [row] = await rowsOf<{ revision: string; generation: number; enabled: boolean; groups: number[] }>(
    database,
    sql`SELECT coalesce((SELECT revision FROM delivery_counter WHERE id = 1), 0) AS revision, n.generation, n.enabled,
          ARRAY(SELECT line_group_id FROM node_line_group WHERE node_id = n.id) AS groups
        FROM node n WHERE n.id = ${nodeId}`,
  );
  if (!row) return { revision: 0, generation: 0, lineGroupIds: [], enabled: false };
  return {
    revision: Number(row.revision),
    generation: row.generation,
    lineGroupIds: row.groups,
    enabled: row.enabled,
  };
}

/**
 * A page of them, and how many rows were looked at (`listed`): where those are more, there may be another page. A page ends with
 * the document that fills it, by its number or by its size, which is known of a text without reading it; and never between
 * two rows of one revision, for a document has the same one in each of its groups.
 *
 * A document can stand in several of the node's groups. The one that counts is live rather than deleted, then the
 * newest: every other is superseded, but for a live one where the newer comes in a later page only: until then it counts, and
 * might be all there is if the newer is withdrawn. Whether one is gets looked up for the rows of the page alone, and not by a
 * join: that would read all documents whenever the planner does not know yet how many there are.
 */
function documentsAfter(nodeId: number, since: number, liveOnly: boolean, pageMax: number) {
  return sql`
    WITH listed AS (
      SELECT d.* FROM node_line_group l CROSS JOIN LATERAL (
        SELECT line_group_id, kind, key, revision, deleted, hash, body FROM edge_document
        WHERE line_group_id = l.line_group_id AND revision > ${since} ${liveOnly ? sql`AND NOT deleted` : sql``}
        ORDER BY revision LIMIT ${pageMax + 1}) d
      WHERE l.node_id = ${nodeId}
      ORDER BY d.revision FETCH FIRST ${sql.raw(String(pageMax + 1))} ROWS WITH TIES),
    placed AS (
      SELECT *, count(*) OVER ()::int AS listed, rank() OVER (ORDER BY revision) AS place,
        sum(octet_length(body)) OVER (ORDER BY revision RANGE UNBOUNDED PRECEDING EXCLUDE GROUP) AS bytes_before
      FROM listed),
    page AS (SELECT * FROM placed WHERE place <= ${pageMax} AND coalesce(bytes_before, 0) < ${bytesPerPage})
    SELECT d.kind, d.key, d.revision, d.deleted, d.hash, d.body, d.line_group_id, d.listed, EXISTS (
      SELECT 1 FROM edge_document o JOIN node_line_group m ON m.line_group_id = o.line_group_id
      WHERE m.node_id = ${nodeId} AND o.kind = d.kind AND o.key = d.key AND o.line_group_id <> d.line_group_id
        AND (NOT o.deleted, o.revision, o.line_group_id) > (NOT d.deleted, d.revision, d.line_group_id)
        AND (d.deleted OR o.revision <= (SELECT max(revision) FROM page))) AS superseded
    FROM page d
    ORDER BY d.revision`;
}

export function envelopeOf(row: DocumentRow, decrypt: (body: string) => string): DocumentEnvelope {
  const { kind, key, deleted, hash } = row;
  const revision = Number(row.revision);
  if (deleted) return { kind, key, revision, deleted };
  // JSON text starts with a brace, an encrypted one does not.
  const body = row.body.startsWith('{') ? row.body : decrypt(row.body);
  // By it a node knows which shields a site has.
  const through = kind === 'site' ? { line_group_id: row.line_group_id } : {};
  return { kind, key, revision, deleted, ...through, hash, body };
}

export interface StoredDocument {
  key: string;
  revision: number;
  body: unknown;
}

/** Documents as a line group is to have them; what is deleted, or not for it, is left out. */
export async function readStoredDocuments(
  database: Queryable,
  lineGroupId: number,
  kind: DocumentKind,
  keys: readonly string[],
  decrypt: (body: string) => string,
): Promise<StoredDocument[]> {
  const rows = await rowsOf<DocumentRow>(
    database,
    sql`SELECT * FROM edge_document WHERE kind = ${kind} AND line_group_id = ${lineGroupId} AND NOT deleted
        AND key = ANY(${texts(keys)})`,
  );
  return rows.map((row) => {
    const { key, revision, body = '' } = envelopeOf(row, decrypt);
    return { key, revision, body: JSON.parse(body) as unknown };
  });
}
