import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument } from '../db/schema.ts';
import { workThrough } from '../jobs/test-work.ts';
import { replaceUses, usesOfUser, withdrawUnused, type UsedDocument } from './edge-use.ts';

let world: World;
let customer: Customer;
let home: number;
let abroad: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  const { list } = await world.admin.get('listLineGroups', { query: { name: 'Default' } });
  home = list[0]!.id;
  abroad = (await world.admin.get('createLineGroup', { body: { name: unique('group') } })).id;
});
afterAll(() => world.close());

const newList = async (content = '192.0.2.0/24') =>
  (await customer.api.get('createAddressList', { body: { name: unique('list'), content } })).id;
const denying = (lists: readonly number[], countries: string[] = []) => ({
  rules: [{ action: 'deny' as const, address_lists: [...lists], countries }],
});
async function use(siteId: number, value: object) {
  const query = { site_id: siteId };
  const { version } = await customer.api.get('getAccessControl', { query });
  return customer.api.get('updateAccessControl', { query, body: { version, value } });
}
/** The revision in each line group whose nodes have it. */
async function revisions({ kind, key }: UsedDocument): Promise<Record<number, number>> {
  const rows = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, key), eq(edgeDocument.deleted, false)));
  return Object.fromEntries(rows.map((row) => [row.lineGroupId, row.revision]));
}
const listDocument = (id: number): UsedDocument => ({ kind: 'address_list', key: String(id) });
async function move(orderId: number, line_group_id: number): Promise<void> {
  const call = { params: { id: orderId }, body: { line_group_id } };
  const { task_id } = await world.admin.get('changeOrderLineGroup', call);
  if (task_id !== null) await workThrough(world.server.services, task_id);
}

describe('documents that sites use', () => {
  it('come to a further line group without being sent anew to the nodes that have them', async () => {
    const other = await makeCustomer(world);
    const list = (
      await world.admin.get('createAddressList', { body: { name: unique('list'), content: '192.0.2.1' } })
    ).id;
    const [site, away] = [await makeSite(customer.api), await makeSite(other.api)];
    await move(other.orderId, abroad);
    const give = (id: number) =>
      world.admin.get('updateAccessControl', {
        query: { site_id: id },
        body: { version: 1, value: denying([list]) },
      });
    await give(site.id);
    const before = await revisions(listDocument(list));
    expect(Object.keys(before)).toEqual([String(home)]);
    await give(away.id);
    const after = await revisions(listDocument(list));
    expect(after[home]).toBe(before[home]);
    expect(after[abroad]).toBeGreaterThan(before[home]!);
    const bodies = await world.server.services.db
      .selectDistinct({ body: edgeDocument.body, hash: edgeDocument.hash })
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'address_list'), eq(edgeDocument.key, String(list))));
    expect(bodies).toHaveLength(1);
    await world.admin.get('removeSite', { params: { id: away.id } });
    expect(await revisions(listDocument(list))).toEqual(before);
  });

  it('go along with a site that moves, and leave where it was the last', async () => {
    const mover = await makeCustomer(world);
    const site = await makeSite(mover.api);
    const body = { name: unique('list'), content: '192.0.2.0/24' };
    const { id: list } = await mover.api.get('createAddressList', { body });
    await mover.api.get('updateAccessControl', {
      query: { site_id: site.id },
      body: { version: 1, value: denying([list]) },
    });
    await move(mover.orderId, abroad);
    expect(Object.keys(await revisions(listDocument(list)))).toEqual([String(abroad)]);
  });

  it('leave with the last of them: the table of places too', async () => {
    const places = { kind: 'ip_data', key: 'ip' } as const;
    const [one, two] = [await makeSite(customer.api), await makeSite(customer.api)];
    await use(one.id, denying([], ['kp']));
    await use(two.id, denying([], ['kp']));
    expect(Object.keys(await revisions(places))).toEqual([String(home)]);
    await use(one.id, { rules: [] });
    expect(Object.keys(await revisions(places))).toEqual([String(home)]);
    await customer.api.get('removeSite', { params: { id: two.id } });
    expect(await revisions(places)).toEqual({});
  });

  it('stay for one that comes while the last goes', async () => {
    const { db } = world.server.services;
    const list = await newList();
    const [last, next] = [await makeSite(customer.api), await makeSite(customer.api)];
    await use(last.id, denying([list]));
    let coming: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      const former = await replaceUses(tx, { kind: 'site', id: last.id }, []);
      expect(former).toEqual([listDocument(list)]);
      coming = use(next.id, denying([list]));
      await sleep(300);
      await withdrawUnused(tx, former);
    });
    await coming;
    expect(Object.keys(await revisions(listDocument(list)))).toEqual([String(home)]);
  });

  it('cannot be deleted while they are used, nor taken up while they are deleted', async () => {
    const list = await newList();
    const site = await makeSite(customer.api);
    await use(site.id, denying([list]));
    expect(await customer.api.call('removeAddressList', { params: { id: list } })).toMatchObject({
      status: 409,
      message: expect.any(String),
    });
    await use(site.id, { rules: [] });
    const { db } = world.server.services;
    let taking: ReturnType<typeof customer.api.call> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM address_list WHERE id = ${list} FOR UPDATE`);
      taking = customer.api.call('updateAccessControl', {
        query: { site_id: site.id },
        body: { version: 3, value: denying([list]) },
      });
      await sleep(200);
      await tx.execute(sql`DELETE FROM address_list WHERE id = ${list}`);
    });
    expect(await taking).toMatchObject({ status: 400 });
  });
});

describe('what was noted in tables of its own', () => {
  const migrations = readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL('../db/migrations', import.meta.url)),
  });
  const statements = migrations
    .flatMap(({ sql: texts }) => texts)
    // Later ones add what had no table before.
    .filter((text) => text.includes('INSERT INTO "edge_use"') && !text.includes('known_vulnerability'));

  it('is moved: certificates, lists, and who asks where an address is', async () => {
    const { db } = world.server.services;
    const [site, plain] = [await makeSite(customer.api), await makeSite(customer.api)];
    await use(site.id, denying([], ['kp']));
    await db.execute(sql`DELETE FROM edge_use WHERE user_kind = 'site' AND user_id = ${site.id}`);
    const undo = new Error('undo');
    await db
      .transaction(async (tx) => {
        await tx.execute(sql`CREATE TABLE site_certificate (site_id int, certificate_id int)`);
        await tx.execute(sql`CREATE TABLE site_address_list (site_id int, address_list_id int)`);
        await tx.execute(sql`CREATE TABLE level_address_list (level_id int, address_list_id int)`);
        await tx.execute(sql`INSERT INTO site_certificate VALUES (${site.id}, 7)`);
        await tx.execute(sql`INSERT INTO site_address_list VALUES (${site.id}, 8)`);
        await tx.execute(sql`INSERT INTO level_address_list VALUES (99, 9)`);
        await tx.execute(sql`DELETE FROM edge_use`);
        expect(statements).toHaveLength(5);
        for (const statement of statements) await tx.execute(sql.raw(statement));
        expect(await usesOfUser(tx, { kind: 'site', id: site.id })).toEqual([
          listDocument(8),
          { kind: 'certificate', key: '7' },
          { kind: 'ip_data', key: 'ip' },
        ]);
        expect(await usesOfUser(tx, { kind: 'site', id: plain.id })).toEqual([]);
        expect(await usesOfUser(tx, { kind: 'level', id: 99 })).toEqual([listDocument(9)]);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
  });
});
