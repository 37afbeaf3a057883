import type { NodeLevel } from '@breakwater/contract';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { listPage, pageOf } from '../../db/page.ts';
import { lineGroup, node, nodeIp, nodeLineGroup } from '../../db/schema.ts';
import { bumpGeneration } from '../../delivery/bindings.ts';
import { recordEvent, type Actor } from '../../events/record-event.ts';

export async function listLineGroupNodes(
  db: Db,
  id: number,
  query: { current_page: number; page_size: number },
) {
  if ((await db.$count(lineGroup, eq(lineGroup.id, id))) === 0) throw notFound();
  const { limit, offset } = pageOf(query);
  const bound = and(eq(nodeLineGroup.nodeId, node.id), eq(nodeLineGroup.lineGroupId, id));
  const [list, total] = await Promise.all([
    db
      .select({
        id: node.id,
        name: node.name,
        ip: sql<string>`(SELECT ${nodeIp.ip} FROM ${nodeIp} WHERE ${nodeIp.nodeId} = ${node.id} ORDER BY ${nodeIp.id} LIMIT 1)`,
        enabled: node.enabled,
        level: nodeLineGroup.level,
        shield_ready: sql<boolean>`coalesce((${node.state} #>> '{shield,is_listening}')::boolean, false)`,
      })
      .from(node)
      .innerJoin(nodeLineGroup, bound)
      .orderBy(asc(node.name))
      .limit(limit)
      .offset(offset),
    db.$count(nodeLineGroup, eq(nodeLineGroup.lineGroupId, id)),
  ]);
  return listPage(query, list, total);
}

/** Binds nodes and unbinds others. Those that come or go pull anew; the rest of the group notices nothing. */
export async function bindNodes(
  db: Db,
  actor: Actor,
  id: number,
  { add, remove, level }: { add: readonly number[]; remove: readonly number[]; level: NodeLevel },
): Promise<void> {
  await mapConstraints({ node_line_group_node_id_node_id_fk: ['add', 'does_not_exist'] }, () =>
    db.transaction(async (tx) => {
      const [group] = await tx.select().from(lineGroup).where(eq(lineGroup.id, id)).for('update');
      if (!group) throw notFound();
      const nodeId = { nodeId: nodeLineGroup.nodeId };
      const leaving = remove.filter((each) => !add.includes(each));
      const left = await tx
        .delete(nodeLineGroup)
        .where(and(eq(nodeLineGroup.lineGroupId, id), inArray(nodeLineGroup.nodeId, leaving)))
        .returning(nodeId);
      const rows = add.map((each) => ({ nodeId: each, lineGroupId: id, level }));
      const came =
        rows.length === 0
          ? []
          : await tx.insert(nodeLineGroup).values(rows).onConflictDoNothing().returning(nodeId);
      const [added, removed] = [came, left].map((nodes) => nodes.map((row) => row.nodeId)) as [
        number[],
        number[],
      ];
      const changed = [...removed, ...added];
      const moved = await setLevel(tx, id, add, level);
      await tx
        .update(node)
        .set({ version: sql`${node.version} + 1` })
        .where(inArray(node.id, [...changed, ...moved]));
      await bumpGeneration(tx, changed);
      if (changed.length + moved.length > 0)
        await recordEvent(tx, {
          kind: 'members_changed',
          subject: { kind: 'line_group', id, name: group.name },
          actor,
          data: {
            changes: [
              ...membersOf(added, 'after'),
              ...membersOf(removed, 'before'),
              ...moved.map((each) => ({ path: `node_levels.${each}`, after: level })),
            ],
          },
        });
    }),
  );
}

/** Of those that are bound already; answers with the nodes that had another. They have the same documents, so none pulls anew. */
async function setLevel(
  tx: Db,
  lineGroupId: number,
  nodeIds: readonly number[],
  level: NodeLevel,
): Promise<number[]> {
  const rows = await tx
    .update(nodeLineGroup)
    .set({ level })
    .where(
      and(
        eq(nodeLineGroup.lineGroupId, lineGroupId),
        inArray(nodeLineGroup.nodeId, [...nodeIds]),
        ne(nodeLineGroup.level, level),
      ),
    )
    .returning({ id: nodeLineGroup.nodeId });
  return rows.map((row) => row.id);
}

/** Nodes that came or left, as items of the list that a form of them would have. */
const membersOf = (ids: readonly number[], side: 'before' | 'after'): DiffEntry[] =>
  ids.map((id, index) => ({ path: `node_ids.${index}`, [side]: id }));
