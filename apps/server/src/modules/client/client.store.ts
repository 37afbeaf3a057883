import type { clientCreateInput, clientInput } from '@breakwater/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { removeLevel } from '../site-level/site-level.service.ts';
import { contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { client, order, site } from '../../db/schema.ts';
import { hashPassword } from '../../password.ts';

const constraints = { client_email_unique: ['email', 'email_taken'] } as const satisfies Record<
  string,
  [string, 'email_taken']
>;

export interface ClientFilter {
  current_page: number;
  page_size: number;
  name?: string | undefined;
  email?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export async function listClients(db: Db, query: ClientFilter) {
  const where = and(
    contains(client.name, query.name),
    contains(client.email, query.email),
    query.status && eq(client.status, query.status),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectClients(db).where(where).orderBy(desc(client.id)).limit(limit).offset(offset),
    db.$count(client, where),
  ]);
  return listPage(query, rows.map(present), total);
}

export async function getClient(db: Db, id: number) {
  const [row] = await selectClients(db).where(eq(client.id, id));
  if (!row) throw notFound();
  return present(row);
}

export async function createClient(db: Db, input: z.infer<typeof clientCreateInput>): Promise<number> {
  const { password, ...fields } = input;
  const passwordHash = await hashPassword(password);
  const [row] = await mapConstraints(constraints, () =>
    db
      .insert(client)
      .values({ ...fields, passwordHash })
      .returning({ id: client.id }),
  );
  return row!.id;
}

/** Disabling a customer ends their sessions. */
export async function updateClient(db: Db, id: number, input: z.infer<typeof clientInput>): Promise<void> {
  const sessionEpoch = sql`${client.sessionEpoch} + ${input.status === 'disabled' ? 1 : 0}`;
  const rows = await mapConstraints(constraints, () =>
    db
      .update(client)
      .set({ ...input, sessionEpoch })
      .where(eq(client.id, id))
      .returning({ id: client.id }),
  );
  if (rows.length === 0) throw notFound();
}

/** Ends the sessions that were opened with the old password. */
export async function changeClientPassword(db: Db, id: number, password: string): Promise<void> {
  const rows = await db
    .update(client)
    .set({ passwordHash: await hashPassword(password), sessionEpoch: sql`${client.sessionEpoch} + 1` })
    .where(eq(client.id, id))
    .returning({ id: client.id });
  if (rows.length === 0) throw notFound();
}

export async function removeClient(db: Db, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await mapConstraints({}, () =>
      tx.delete(client).where(eq(client.id, id)).returning({ id: client.id }),
    );
    if (rows.length === 0) throw notFound();
    await removeLevel(tx, { level: 'client', target_id: id });
  });
}

function selectClients(db: Db) {
  return db
    .select({
      client,
      orderCount: db.$count(order, eq(order.clientId, client.id)),
      siteCount: db.$count(site, eq(site.clientId, client.id)),
    })
    .from(client)
    .$dynamic();
}

function present({ client: row, orderCount, siteCount }: Awaited<ReturnType<typeof selectClients>>[number]) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    remark: row.remark,
    status: row.status,
    order_count: orderCount,
    site_count: siteCount,
    last_login_ip: row.lastLoginIp,
    last_login_at: isoOrNull(row.lastLoginAt),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
