import type { areaInput } from '@breakwater/contract';
import { asc, count, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { area, node } from '../../db/schema.ts';

type AreaInput = z.infer<typeof areaInput>;
const constraints = { area_name_unique: ['name', 'name_taken'] } as const satisfies Record<
  string,
  [string, 'name_taken']
>;

export async function listAreas(
  db: Db,
  query: { current_page: number; page_size: number; name?: string | undefined },
) {
  const where = contains(area.name, query.name);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectAreas(db).where(where).orderBy(asc(area.name)).limit(limit).offset(offset),
    db.$count(area, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getArea(db: Db, id: number) {
  const [row] = await selectAreas(db).where(eq(area.id, id));
  if (!row) throw notFound();
  return present(row);
}

export async function createArea(db: Db, input: AreaInput): Promise<number> {
  const [row] = await mapConstraints(constraints, () =>
    db.insert(area).values(input).returning({ id: area.id }),
  );
  return row!.id;
}

export async function updateArea(db: Db, id: number, input: AreaInput): Promise<void> {
  const rows = await mapConstraints(constraints, () =>
    db.update(area).set(input).where(eq(area.id, id)).returning({ id: area.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function removeArea(db: Db, id: number): Promise<void> {
  const rows = await mapConstraints({}, () =>
    db.delete(area).where(eq(area.id, id)).returning({ id: area.id }),
  );
  if (rows.length === 0) throw notFound();
}

function selectAreas(db: Db) {
  return db
    .select({ area, nodeCount: count(node.id) })
    .from(area)
    .leftJoin(node, eq(node.areaId, area.id))
    .groupBy(area.id)
    .$dynamic();
}

function present({ area: row, nodeCount }: Awaited<ReturnType<typeof selectAreas>>[number]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    node_count: nodeCount,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
