import { sql } from 'drizzle-orm';
import { settleOperations } from '../jobs/operation.store.ts';
import { notify } from './notifications.ts';
import { integers, rowsOf, type Queryable } from './queryable.ts';
import { lockPages, rebaseWatermarks } from './watermark.ts';

/**
 * To be called in the transaction that changed which line groups a node serves, or whether it is enabled: its agent
 * then pulls everything from nothing and drops what is no longer its own. What was still awaited from the node for
 * documents that are not its own any more is no longer awaited.
 */
export async function bumpGeneration(tx: Queryable, nodeIds: readonly number[]): Promise<void> {
  if (nodeIds.length === 0) return;
  const ids = integers(nodeIds);
  const foreign = (alias: 'd' | 's') => {
    const row = sql.raw(alias);
    return sql`NOT EXISTS (
      SELECT 1 FROM edge_document e JOIN node_line_group l ON l.line_group_id = e.line_group_id JOIN node n ON n.id = l.node_id
      WHERE l.node_id = ${row}.node_id AND n.enabled AND e.kind = ${row}.kind AND e.key = ${row}.key AND NOT e.deleted)`;
  };
  await lockPages(tx, nodeIds);
  await tx.execute(sql`UPDATE node SET generation = generation + 1 WHERE id = ANY(${ids})`);
  await tx.execute(sql`DELETE FROM node_document d WHERE d.node_id = ANY(${ids}) AND ${foreign('d')}`);
  await rebaseWatermarks(tx, nodeIds);
  const given = await rowsOf<{ operation_id: number }>(
    tx,
    sql`UPDATE operation_item s SET state = 'superseded', finished_at = now()
        WHERE s.node_id = ANY(${ids}) AND s.state = 'pending' AND ${foreign('s')} RETURNING s.operation_id`,
  );
  await settleOperations(
    tx,
    given.map((row) => row.operation_id),
  );
  await notify(tx, { type: 'nodes', nodeIds: [...nodeIds] });
}

/** To be called when the credentials of nodes changed or nodes are removed: their open lines end. */
export async function dropConnections(tx: Queryable, nodeIds: readonly number[]): Promise<void> {
  await notify(tx, { type: 'drop', nodeIds: [...nodeIds] });
}
