import { cycleMonths, type orderInput, type orderStatuses } from '@breakwater/contract';
import { and, asc, desc, eq, gt, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { randomInt } from 'node:crypto';
import type * as z from 'zod';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { among, contains, iso, listPage, pageOf } from '../../db/page.ts';
import { client, lineGroup, order, product, site } from '../../db/schema.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';

type OrderStatus = (typeof orderStatuses)[number];
export interface OrderFilter {
  current_page: number;
  page_size: number;
  ids?: number[] | undefined;
  product_id?: number | undefined;
  client_id?: number | undefined;
  username?: string | undefined;
  keyword?: string | undefined;
  cycle?: z.infer<typeof orderInput>['cycle'] | undefined;
  status?: OrderStatus | undefined;
  sort_by: 'created_at' | 'end_at' | 'price';
  sort_order: 'asc' | 'desc';
}

const within = (scope: Scope): SQL | undefined => owned(order, scope);

/** `expired` is what an active order is after its end. */
function statusIs(status: OrderStatus | undefined): SQL | undefined {
  if (status === undefined) return undefined;
  if (status === 'active') return and(eq(order.status, 'active'), gt(order.endAt, sql`now()`));
  if (status === 'expired') return and(eq(order.status, 'active'), lte(order.endAt, sql`now()`));
  return eq(order.status, status);
}

export async function listOrders(db: Db, scope: Scope, query: OrderFilter) {
  const where = and(
    within(scope),
    among(order.id, query.ids),
    query.product_id ? eq(order.productId, query.product_id) : undefined,
    query.client_id ? eq(order.clientId, query.client_id) : undefined,
    contains(client.name, query.username),
    or(...[order.orderNo, order.anotherName, client.name].map((column) => contains(column, query.keyword))),
    query.cycle && eq(order.cycle, query.cycle),
    statusIs(query.status),
  );
  const column = { created_at: order.createdAt, end_at: order.endAt, price: order.price }[query.sort_by];
  const direction = query.sort_order === 'asc' ? asc : desc;
  const { limit, offset } = pageOf(query);
  const [rows, [counted]] = await Promise.all([
    selectOrders(db).where(where).orderBy(direction(column), direction(order.id)).limit(limit).offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(order)
      .innerJoin(client, eq(client.id, order.clientId))
      .where(where),
  ]);
  return listPage(query, rows.map(present), counted?.total ?? 0);
}

/** How many are active, how many of them end within so many days, and the first of these. */
export async function readEndingOrders(db: Db, scope: Scope, { days, most }: { days: number; most: number }) {
  const active = and(within(scope), statusIs('active'));
  const ending = and(active, sql`${order.endAt} <= now() + make_interval(days => ${days})`);
  const [activeCount, endingCount, rows] = await Promise.all([
    db.$count(order, active),
    db.$count(order, ending),
    selectOrders(db).where(ending).orderBy(asc(order.endAt), asc(order.id)).limit(most),
  ]);
  return { active: activeCount, ending: endingCount, list: rows.map(present) };
}

export async function getOrder(db: Db, scope: Scope, id: number) {
  const [row] = await selectOrders(db).where(and(eq(order.id, id), within(scope)));
  if (!row) throw notFound();
  return present(row);
}

/** The end of orders that have none: a time like any other to whoever compares, and shown as none. */
export const noEnd = new Date('9999-12-31T23:59:59Z');

/** Sells a product: takes one from its stock, keeps the price of today, and is active at once, until a cycle has passed or `end`. */
export async function createOrder(
  db: Db,
  actor: Actor,
  input: z.infer<typeof orderInput>,
  end?: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const [sold] = await tx.select().from(product).where(eq(product.id, input.product_id)).for('update');
    if (!sold || sold.delisted) throw invalid('product_id', 'does_not_exist');
    const price = sold.prices[input.cycle];
    if (price === null) throw invalid('cycle', 'price_absent');
    if (sold.stock === 0) throw new ApiError('limit_reached');
    if (sold.stock !== null)
      await tx
        .update(product)
        .set({ stock: sold.stock - 1, version: sold.version + 1 })
        .where(eq(product.id, sold.id));
    const startAt = new Date();
    const [row] = await mapConstraints(
      { order_client_id_client_id_fk: ['client_id', 'does_not_exist'] },
      () =>
        tx
          .insert(order)
          .values({
            orderNo: makeOrderNumber(startAt),
            clientId: input.client_id,
            productId: sold.id,
            lineGroupId: sold.lineGroupId,
            anotherName: input.another_name,
            notes: input.notes,
            cycle: input.cycle,
            price,
            startAt,
            endAt: end ?? addMonths(startAt, cycleMonths[input.cycle]),
          })
          .returning({ id: order.id, orderNo: order.orderNo }),
    );
    const { product_id, cycle } = input;
    await recordEvent(tx, {
      ...aboutOrder({ ...row!, clientId: input.client_id }),
      kind: 'created',
      actor,
      data: { changes: changesOf(undefined, { product_id, cycle, price }) },
    });
    return row!.id;
  });
}

const aboutOrder = ({ id, orderNo, clientId }: { id: number; orderNo: string; clientId: number }) =>
  ({ subject: { kind: 'order', id, name: orderNo }, clientId }) as const;
const textsOf = ({ anotherName, notes }: typeof order.$inferSelect) => ({ another_name: anotherName, notes });

/** Its name, and its notes where they are given. Throws `stale_version` where it is not the version that this was built on. */
export async function updateOrderTexts(
  db: Db,
  actor: Actor,
  id: number,
  { version, ...input }: { another_name: string; notes?: string; version?: number | undefined },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(order).where(eq(order.id, id)).for('update');
    if (!before) throw notFound();
    if (version !== undefined && before.version !== version) throw new ApiError('stale_version');
    await tx
      .update(order)
      .set({
        anotherName: input.another_name,
        notes: input.notes ?? before.notes,
        version: before.version + 1,
      })
      .where(eq(order.id, id));
    const changes = changesOf(textsOf(before), { ...textsOf(before), ...input });
    if (changes.length > 0)
      await recordEvent(tx, { ...aboutOrder(before), kind: 'updated', actor, data: { changes } });
  });
}

export async function removeOrder(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await mapConstraints({}, () =>
      tx
        .delete(order)
        .where(eq(order.id, id))
        .returning({ id: order.id, orderNo: order.orderNo, clientId: order.clientId }),
    );
    if (!row) throw notFound();
    await recordEvent(tx, { ...aboutOrder(row), kind: 'removed', actor });
  });
}

/** Day and eight digits: short enough to read out, and no count that tells how much is sold. */
function makeOrderNumber(now: Date): string {
  const digits = String(randomInt(100_000_000)).padStart(8, '0');
  return `${now.toISOString().slice(0, 10).replaceAll('-', '')}${digits}`;
}

/** The same day of a later month, or that month's last day: 31 January and one month is 28 or 29 February. */
export function addMonths(start: Date, months: number): Date {
  const result = new Date(start);
  result.setUTCDate(1);
  result.setUTCMonth(start.getUTCMonth() + months);
  const last = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(start.getUTCDate(), last));
  return result;
}

function selectOrders(db: Db) {
  return db
    .select({
      order,
      clientName: client.name,
      productName: product.name,
      lineGroupName: lineGroup.name,
      siteCount: db.$count(site, eq(site.orderId, order.id)),
      sitesElsewhere: db.$count(
        site,
        and(eq(site.orderId, order.id), ne(site.lineGroupId, order.lineGroupId), isNull(site.removedAt)),
      ),
    })
    .from(order)
    .innerJoin(client, eq(client.id, order.clientId))
    .innerJoin(product, eq(product.id, order.productId))
    .innerJoin(lineGroup, eq(lineGroup.id, order.lineGroupId))
    .$dynamic();
}

type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number];
function present({ order: row, clientName, productName, lineGroupName, ...counts }: OrderRow) {
  return {
    id: row.id,
    order_no: row.orderNo,
    client_id: row.clientId,
    client_name: clientName,
    product_id: row.productId,
    product_name: productName,
    line_group_id: row.lineGroupId,
    line_group_name: lineGroupName,
    another_name: row.anotherName,
    notes: row.notes,
    cycle: row.cycle,
    price: row.price,
    status: row.status === 'active' && row.endAt.getTime() <= Date.now() ? ('expired' as const) : row.status,
    site_count: counts.siteCount,
    sites_elsewhere: counts.sitesElsewhere,
    start_at: iso(row.startAt),
    end_at: row.endAt.getTime() < noEnd.getTime() ? iso(row.endAt) : null,
    version: row.version,
    created_at: iso(row.createdAt),
  };
}
