import type { productInput } from '@breakwater/contract';
import { asc, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { removeLevel } from '../site-level/site-level.service.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { lineGroup, order, product } from '../../db/schema.ts';

type ProductInput = z.infer<typeof productInput>;
const constraints = {
  product_name_unique: ['name', 'name_taken'],
  product_line_group_id_line_group_id_fk: ['line_group_id', 'does_not_exist'],
} as const satisfies Record<string, [string, 'name_taken' | 'does_not_exist']>;

export async function listProducts(
  db: Db,
  query: { current_page: number; page_size: number; name?: string | undefined },
) {
  const where = contains(product.name, query.name);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectProducts(db).where(where).orderBy(asc(product.name)).limit(limit).offset(offset),
    db.$count(product, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getProduct(db: Db, id: number) {
  const [row] = await selectProducts(db).where(eq(product.id, id));
  if (!row) throw notFound();
  return present(row);
}

export async function createProduct(db: Db, input: ProductInput): Promise<number> {
  const values = toRow(input);
  const [row] = await mapConstraints(constraints, () =>
    db.insert(product).values(values).returning({ id: product.id }),
  );
  return row!.id;
}

export async function updateProduct(db: Db, id: number, input: ProductInput): Promise<void> {
  const rows = await mapConstraints(constraints, () =>
    db.update(product).set(toRow(input)).where(eq(product.id, id)).returning({ id: product.id }),
  );
  if (rows.length === 0) throw notFound();
}

export async function removeProduct(db: Db, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await mapConstraints({}, () =>
      tx.delete(product).where(eq(product.id, id)).returning({ id: product.id }),
    );
    if (rows.length === 0) throw notFound();
    await removeLevel(tx, { level: 'product', target_id: id });
  });
}

function toRow({ line_group_id, ...fields }: ProductInput) {
  return { ...fields, lineGroupId: line_group_id };
}

function selectProducts(db: Db) {
  return db
    .select({
      product,
      lineGroupName: lineGroup.name,
      orderCount: db.$count(order, eq(order.productId, product.id)),
    })
    .from(product)
    .innerJoin(lineGroup, eq(lineGroup.id, product.lineGroupId))
    .$dynamic();
}

function present({
  product: row,
  lineGroupName,
  orderCount,
}: Awaited<ReturnType<typeof selectProducts>>[number]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    line_group_id: row.lineGroupId,
    line_group_name: lineGroupName,
    prices: row.prices,
    limits: row.limits,
    stock: row.stock,
    delisted: row.delisted,
    prompts: row.prompts,
    order_count: orderCount,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
