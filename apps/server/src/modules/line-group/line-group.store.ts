import type { lineGroupInput } from '@breakwater/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { lineGroup, node, nodeIp, nodeLineGroup, order, site } from '../../db/schema.ts';
import { bumpGeneration } from '../../delivery/bindings.ts';

type LineGroupInput = z.infer<typeof lineGroupInput>;
const constraints = { line_group_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;

export async function listLineGroups(
  db: Db,
  query: { current_page: number; page_size: number; name?: string | undefined },
) {
  const where = contains(lineGroup.name, query.name);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectLineGroups(db).where(where).orderBy(asc(lineGroup.name)).limit(limit).offset(offset),
    db.$count(lineGroup, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getLineGroup(db: Db, id: number) {
  const [row] = await selectLineGroups(db).where(eq(lineGroup.id, id));
  if (!row) throw notFound();
  return present(row);
}

export async function createLineGroup(db: Db, input: LineGroupInput): Promise<number> {
  const [row] = await mapConstraints(constraints, () =>
    db.insert(lineGroup).values(input).returning({ id: lineGroup.id }),
  );
  return row!.id;
}

export async function updateLineGroup(db: Db, id: number, input: LineGroupInput): Promise<void> {
  const rows = await mapConstraints(constraints, () =>
    db.update(lineGroup).set(input).where(eq(lineGroup.id, id)).returning({ id: lineGroup.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function removeLineGroup(db: Db, id: number): Promise<void> {
  const rows = await mapConstraints({}, () =>
    db.delete(lineGroup).where(eq(lineGroup.id, id)).returning({ id: lineGroup.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function listLineGroupNodes(
  db: Db,
  id: number,
  query: { current_page: number; page_size: number },
) {
  await getLineGroup(db, id);
  const { limit, offset } = pageOf(query);
  const bound = and(eq(nodeLineGroup.nodeId, node.id), eq(nodeLineGroup.lineGroupId, id));
  const [list, total] = await Promise.all([
    db
      .select({
        id: node.id,
        name: node.name,
        ip: sql<string>`(SELECT ${nodeIp.ip} FROM ${nodeIp} WHERE ${nodeIp.nodeId} = ${node.id} ORDER BY ${nodeIp.id} LIMIT 1)`,
        enabled: node.enabled,
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
  id: number,
  { add, remove }: { add: readonly number[]; remove: readonly number[] },
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
      const rows = add.map((each) => ({ nodeId: each, lineGroupId: id }));
      const came =
        rows.length === 0
          ? []
          : await tx.insert(nodeLineGroup).values(rows).onConflictDoNothing().returning(nodeId);
      await bumpGeneration(
        tx,
        [...left, ...came].map((row) => row.nodeId),
      );
    }),
  );
}

function selectLineGroups(db: Db) {
  const orders = db.select({ id: order.id }).from(order).where(eq(order.lineGroupId, lineGroup.id));
  return db
    .select({
      lineGroup,
      nodeCount: db.$count(nodeLineGroup, eq(nodeLineGroup.lineGroupId, lineGroup.id)),
      siteCount: db.$count(site, inArray(site.orderId, orders)),
    })
    .from(lineGroup)
    .$dynamic();
}

function present({
  lineGroup: row,
  nodeCount,
  siteCount,
}: Awaited<ReturnType<typeof selectLineGroups>>[number]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    node_count: nodeCount,
    site_count: siteCount,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
