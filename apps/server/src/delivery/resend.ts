import { sql } from 'drizzle-orm';
import { notify } from './notifications.ts';
import { integers, rowsOf, texts, type Queryable } from './queryable.ts';
import { allocateRevision, keepFormer, lockCounter } from './revisions.ts';

interface Awaited {
  node_id: number;
  kind: string;
  key: string;
}

/**
 * Gives documents a new revision without changing them, in the line groups of the nodes that are to judge them again: the
 * other nodes of those groups take them again too. Answers the new revision by `node/kind/key`; absent where nothing of
 * that name is for the node, deleted or not.
 */
export async function resendDocuments(
  tx: Queryable,
  wanted: readonly Awaited[],
): Promise<Map<string, number>> {
  await lockCounter(tx);
  const rows = await rowsOf<Awaited & { line_group_id: number }>(
    tx,
    sql`SELECT w.node_id, w.kind, w.key, d.line_group_id
        FROM unnest(${integers(wanted.map((one) => one.node_id))}, ${texts(wanted.map(({ kind }) => kind))},
          ${texts(wanted.map(({ key }) => key))}) AS w (node_id, kind, key)
        JOIN node n ON n.id = w.node_id AND n.enabled
        JOIN node_line_group l ON l.node_id = w.node_id
        JOIN edge_document d ON d.line_group_id = l.line_group_id AND d.kind = w.kind AND d.key = w.key
        ORDER BY d.deleted DESC, d.revision`,
  );
  const documents = new Map<string, { kind: string; key: string; groups: Set<number> }>();
  for (const { kind, key, line_group_id } of rows) {
    const document = documents.get(`${kind}/${key}`) ?? { kind, key, groups: new Set() };
    document.groups.add(line_group_id);
    documents.set(`${kind}/${key}`, document);
  }
  const revisions = new Map<string, number>();
  for (const [name, { kind, key, groups }] of documents) {
    const lineGroupIds = [...groups];
    // Tombstones first, so that a document that is live in one of a node's groups stays the newer one.
    let revision = 0;
    for (const deleted of [true, false]) {
      const next = await allocateRevision(tx);
      const { rowCount } = await tx.execute(
        sql`UPDATE edge_document SET ${keepFormer}, revision = ${next}, updated_at = now()
            WHERE kind = ${kind} AND key = ${key} AND deleted = ${deleted} AND line_group_id = ANY(${integers(lineGroupIds)})`,
      );
      if ((rowCount ?? 0) > 0) revision = next;
    }
    for (const row of rows)
      if (`${row.kind}/${row.key}` === name) revisions.set(`${row.node_id}/${name}`, revision);
    await notify(tx, { type: 'revision', revision, lineGroupIds });
  }
  return revisions;
}
