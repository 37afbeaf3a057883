import { asc, eq } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { node, nodeIp } from '../../db/schema.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import type { DiffEntry } from '@breakwater/contract/json-diff';
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
  actor: Actor,
  input: { node_id: number; ip: string; enabled: boolean },
): Promise<number> {
  const { node_id: nodeId, ip, enabled } = input;
  return db.transaction(async (tx) => {
    const [row] = await mapConstraints(
      { ...nodeConstraints, node_ip_node_id_node_id_fk: ['node_id', 'does_not_exist'] },
      () => tx.insert(nodeIp).values({ nodeId, ip, enabled }).returning({ id: nodeIp.id }),
    );
    await recordAddress(tx, actor, nodeId, changesOf(undefined, { ip, enabled }));
    return row!.id;
  });
}

export async function updateNodeIp(
  db: Db,
  actor: Actor,
  id: number,
  input: { enabled: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(nodeIp).where(eq(nodeIp.id, id)).for('update');
    if (!before) throw notFound();
    await tx.update(nodeIp).set(input).where(eq(nodeIp.id, id));
    const { ip, enabled } = before;
    if (enabled !== input.enabled)
      await recordAddress(
        tx,
        actor,
        before.nodeId,
        changesOf({ ip, enabled }, { ip, enabled: input.enabled }),
      );
  });
}

/** A node keeps at least one address. */
export async function removeNodeIp(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(nodeIp).where(eq(nodeIp.id, id));
    if (!row) throw notFound();
    await lockNode(tx, row.nodeId);
    if ((await tx.$count(nodeIp, eq(nodeIp.nodeId, row.nodeId))) < 2) throw new ApiError('in_use');
    await tx.delete(nodeIp).where(eq(nodeIp.id, id));
    await recordAddress(tx, actor, row.nodeId, changesOf({ ip: row.ip }, undefined));
  });
}

async function recordAddress(tx: Transaction, actor: Actor, id: number, changes: DiffEntry[]): Promise<void> {
  const [row] = await tx.select({ name: node.name }).from(node).where(eq(node.id, id));
  await recordEvent(tx, {
    kind: 'addresses_changed',
    subject: { kind: 'node', id, name: row?.name ?? '' },
    actor,
    data: { changes },
  });
}
