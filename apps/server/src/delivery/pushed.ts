import type { DeliveredEnvelope, DocumentKind } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { envelopeOf, type DocumentRow } from './documents.ts';
import { bigints, integers, rowsOf, type Queryable } from './queryable.ts';
import { documentsPerPage, type GivenPage } from './watermark.ts';

/**
 * Documents that go to nodes with the news of them, on their open lines: no node has to ask for what is urgent and small. What a node
 * cannot take that way, it pulls; what it took, it says as of any document, and the database alone says whether anything lies between.
 */

/** Refreshes stand in one line group each and never change, so that none of them hides another document of its name. */
export const isPushed = (kind: DocumentKind): boolean => kind === 'refresh';

/** Text of documents that one event brings: a line that is not read is cut off at some times this. */
export const pushedBytesMax = 8 * 1024;

export interface PushedDocument {
  document: DeliveredEnvelope;
  /** By line group, the newest revision before it: a node of these groups that came so far lacks nothing else. */
  since: ReadonlyMap<number, number>;
}

/** Those of these revisions that may go with the news, by revision; for nodes of any of these line groups. */
export async function pushedDocuments(
  database: Queryable,
  revisions: readonly number[],
  lineGroupIds: readonly number[],
): Promise<Map<number, PushedDocument>> {
  const groups = integers(lineGroupIds);
  // Of a node that may have missed refreshes which are no longer told, that has to be known: it pulls.
  const rows = await rowsOf<DocumentRow & { since: string[] }>(
    database,
    sql`SELECT d.kind, d.key, d.revision, d.deleted, d.hash, d.body, ARRAY(
          SELECT greatest(c.refreshes_gone, coalesce((SELECT max(revision) FROM edge_document
            WHERE line_group_id = g.id AND revision < d.revision), 0))
          FROM unnest(${groups}) WITH ORDINALITY AS g (id, place) ORDER BY g.place) AS since
        FROM edge_document d, delivery_counter c
        WHERE c.id = 1 AND d.line_group_id = ANY(${groups}) AND d.revision = ANY(${bigints(revisions)})
          AND NOT d.deleted AND octet_length(d.body) <= ${pushedBytesMax}`,
  );
  return new Map(
    rows.map((row) => [
      Number(row.revision),
      {
        document: envelopeOf(row, (body) => body),
        since: new Map(lineGroupIds.map((id, index) => [id, Number(row.since[index])])),
      },
    ]),
  );
}

/** What a node says it has judged by what came with events. */
export interface PushedPosition {
  generation: number;
  until: number;
}

/**
 * The page that follows the one the node was given last, up to there, as if it had been given that too: to be judged by what the
 * database has between the two. Nothing where the one before is not judged whole, or the database never came so far.
 */
export async function pageUpTo(
  tx: Queryable,
  nodeId: number,
  given: GivenPage,
  { generation, until }: PushedPosition,
): Promise<GivenPage | undefined> {
  const follows = given.generation === generation && given.isLast && !given.isFromNothing;
  if (!follows || until <= given.until) return undefined;
  const [row] = await rowsOf<{ holds: boolean }>(
    tx,
    sql`SELECT EXISTS (SELECT FROM delivery_counter WHERE id = 1 AND revision >= ${until})
          AND NOT EXISTS (
            SELECT FROM node_line_group l LEFT JOIN node_watermark w
              ON w.node_id = l.node_id AND w.line_group_id = l.line_group_id
            WHERE l.node_id = ${nodeId}
              AND least(coalesce(w.live_revision, 0), coalesce(w.deleted_revision, 0)) < ${given.until})
          AND (SELECT count(*) FROM (
            SELECT FROM node_line_group l JOIN edge_document d ON d.line_group_id = l.line_group_id
            WHERE l.node_id = ${nodeId} AND d.revision > ${given.until} AND d.revision <= ${until}
            LIMIT ${documentsPerPage + 1}) d) <= ${documentsPerPage} AS holds`,
  );
  return row!.holds
    ? { generation, since: given.until, until, isLast: true, isFromNothing: false }
    : undefined;
}
