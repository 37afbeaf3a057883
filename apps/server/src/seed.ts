import { and, eq } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './db/database.ts';
import { adminUser, area, client, lineGroup, node, product } from './db/schema.ts';
import { systemActor } from './events/record-event.ts';
import { hashPassword, makePassword } from './password.ts';
import { builtinGroupId } from './modules/admin-user/admin-group.store.ts';
import { lockAdministrators } from './modules/admin-user/admin-rights.ts';
import { bindNodeLineGroups, createNode } from './modules/node/node.store.ts';
import { createOrder, noEnd } from './modules/order/order.store.ts';
import { writeDefaultOrderId } from './modules/setting/setting.store.ts';
import type { Secrets } from './secrets.ts';

export const firstAdministrator = 'admin';
const localNodeName = 'local';

/**
 * What a first start makes, so that a site needs a domain and an origin only: an administrator, and an area, a line
 * group, the local node, a product, a client and an order. Does nothing once an administrator exists. The first
 * password is kept in `keys/first-password` for whoever missed it on the screen.
 */
export async function seed({ db }: Database, secrets: Secrets, dataDir: string): Promise<void> {
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  // The platform's own customer signs in only after an administrator set a password.
  const unknownPassword = await hashPassword(randomBytes(24).toString('hex'));
  await db.transaction(async (tx) => {
    await lockAdministrators(tx);
    if ((await tx.$count(adminUser)) > 0) return;
    const groupId = await builtinGroupId(tx, 'owner');
    await tx
      .insert(adminUser)
      .values({ username: firstAdministrator, name: 'Administrator', passwordHash, groupId });
    const name = 'Default';
    const [inArea] = await tx.insert(area).values({ name, description: name }).returning();
    const [group] = await tx.insert(lineGroup).values({ name, description: name }).returning();
    const { id } = await createNode(tx, secrets, systemActor, {
      name: localNodeName,
      area_id: inArea!.id,
      ip: '127.0.0.1',
      enabled: true,
    });
    await bindNodeLineGroups(tx, systemActor, id, { line_group_ids: [group!.id] });
    const free = { month: 0, quarter: 0, half_year: 0, year: 0 };
    const limits = { sites: null, domains_per_site: null, ports_per_site: null };
    const [sold] = await tx
      .insert(product)
      .values({ name, description: name, lineGroupId: group!.id, prices: free, limits })
      .returning();
    const [owner] = await tx
      .insert(client)
      .values({ name, email: 'default@breakwater.invalid', passwordHash: unknownPassword })
      .returning();
    const orderInput = {
      client_id: owner!.id,
      product_id: sold!.id,
      cycle: 'year',
      another_name: '',
      notes: '',
    } as const;
    await writeDefaultOrderId(tx, await createOrder(tx, systemActor, orderInput, noEnd));
    await keepFirstPassword(dataDir, password);
  });
}

async function keepFirstPassword(dataDir: string, password: string): Promise<void> {
  const file = join(dataDir, 'keys', 'first-password');
  await rm(file, { force: true });
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}

/** The first password while its file is there; an operator who has noted it deletes the file. */
export async function readFirstPassword(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'keys', 'first-password'), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** What the local agent signs with; undefined when the operator has deleted or disabled that node. */
export async function readLocalNode({ db }: Database, secrets: Secrets) {
  const [row] = await db
    .select()
    .from(node)
    .where(and(eq(node.name, localNodeName), eq(node.enabled, true)));
  return row && { appId: row.appId, appSecret: secrets.decrypt(row.appSecret) };
}
