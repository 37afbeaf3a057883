import { asc, eq } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { nodeIp } from '../../db/schema.ts';
import { lockNode, nodeConstraints, presentIp } from './node-rows.ts';

export async function listNodeIps(
  db: Db,
  query: { current_page: number; page_size: number; node_id?: number | undefined },
) {
  const where = query.node_id ? eq(nodeIp.nodeId, query.node_id) : undefined;
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db.select().from(nodeIp).where(where).orderBy(asc(nodeIp.id)).limit(limit).offset(offset),
    db.$count(nodeIp, where),
  ]);
  return listPage(query, rows.map(presentIp), total);
}

export async function createNodeIp(
  db: Db,
  input: { node_id: number; ip: string; enabled: boolean },
): Promise<number> {
  const [row] = await mapConstraints(
    { ...nodeConstraints, node_ip_node_id_node_id_fk: ['node_id', 'does_not_exist'] },
    () =>
      db
        .insert(nodeIp)
        .values({ nodeId: input.node_id, ip: input.ip, enabled: input.enabled })
        .returning({ id: nodeIp.id }),
  );
  return row!.id;
}

export async function updateNodeIp(db: Db, id: number, input: { enabled: boolean }): Promise<void> {
  const rows = await db.update(nodeIp).set(input).where(eq(nodeIp.id, id)).returning({ id: nodeIp.id });
  if (rows.length === 0) throw notFound();
}

/** A node keeps at least one address. */
export async function removeNodeIp(db: Db, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(nodeIp).where(eq(nodeIp.id, id));
    if (!row) throw notFound();
    await lockNode(tx, row.nodeId);
    if ((await tx.$count(nodeIp, eq(nodeIp.nodeId, row.nodeId))) < 2) throw new ApiError('in_use');
    await tx.delete(nodeIp).where(eq(nodeIp.id, id));
  });
}
