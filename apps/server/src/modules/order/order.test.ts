import { errors } from '@breakwater/contract';
import { readdirSync, readFileSync } from 'node:fs';
import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, order } from '../../db/schema.ts';
import { workThrough } from '../../jobs/test-work.ts';
import { readDefaultOrderId } from '../setting/setting.store.ts';
import { addMonths } from './order.store.ts';

/** Of two at the same time one succeeds and the other is told. */
const oneWins = (statuses: number[]) => statuses.includes(200) && statuses.includes(409);

let world: World;
let lineGroupId: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  lineGroupId = (await world.admin.get('listLineGroups', { query: { name: 'Default' } })).list[0]!.id;
});
afterAll(() => world.close());

const makeProduct = (more: object = {}) =>
  world.admin.get('createProduct', {
    body: {
      name: unique('Product'),
      line_group_id: lineGroupId,
      prices: { month: 990, quarter: null, half_year: null, year: 9900 },
      limits: { sites: null, domains_per_site: null, ports_per_site: null },
      ...more,
    },
  });
const makeClient = async () => (await makeCustomer(world)).id;
const sell = (client_id: number, product_id: number, cycle: 'month' | 'quarter' = 'month') =>
  world.admin.call('createOrder', { body: { client_id, product_id, cycle } });

/** What the migration does to orders of an installation that was there before. */
async function migrateOrders(): Promise<void> {
  const folder = new URL('../../db/migrations/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.endsWith('_retention.sql'))!;
  const statement = readFileSync(new URL(file, folder), 'utf8')
    .split('--> statement-breakpoint')
    .find((each) => each.includes('UPDATE "order"'));
  await world.server.services.db.execute(sql.raw(statement!));
}

describe('orders', () => {
  it('keep the price they were sold at', async () => {
    const product = await makeProduct();
    const { data } = await sell(await makeClient(), product.id);
    const prices = { month: 5000, quarter: null, half_year: null, year: null };
    const body = {
      name: unique('P'),
      line_group_id: lineGroupId,
      prices,
      limits: { sites: null, domains_per_site: null, ports_per_site: null },
    };
    await world.admin.get('updateProduct', { params: product, body: { ...body, version: 1 } });
    const found = await world.admin.get('getOrder', { params: data });
    expect(found).toMatchObject({ price: 990, cycle: 'month', status: 'active' });
    expect(found.order_no).toMatch(/^\d{16}$/);
  });

  it('are not sold for a cycle without a price, of a delisted product, or past the stock', async () => {
    const client = await makeClient();
    expect(await sell(client, (await makeProduct()).id, 'quarter')).toMatchObject({
      errors: [{ path: 'cycle' }],
    });
    expect(await sell(client, (await makeProduct({ delisted: true })).id)).toMatchObject({
      errors: [{ path: 'product_id' }],
    });
    const last = await makeProduct({ stock: 1 });
    const answers = await Promise.all([sell(client, last.id), sell(client, last.id)]);
    expect(answers.map((answer) => answer.status)).toSatisfy(oneWins);
    expect(await world.admin.get('getProduct', { params: last })).toMatchObject({ stock: 0, order_count: 1 });
  });

  it('are expired after their end, and take no new site then', async () => {
    const customer = await makeCustomer(world);
    const { db } = world.server.services;
    await db
      .update(order)
      .set({ endAt: new Date(Date.now() - 1000) })
      .where(eq(order.id, customer.orderId));
    expect((await customer.api.get('getOrder', { params: { id: customer.orderId } })).status).toBe('expired');
    const list = async (status: 'active' | 'expired') =>
      (await customer.api.get('listOrders', { query: { status } })).total;
    expect([await list('active'), await list('expired')]).toEqual([0, 1]);
    const answer = await customer.api.call('createSite', {
      body: { domains: [`${unique('w')}.example.com`], origin: '192.0.2.1' },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'order_id' }] });
  });

  it('of a plain installation have no end, those that operators make do', async () => {
    const { db } = world.server.services;
    const seeded = async () => {
      const { list } = await world.admin.get('listOrders', {
        query: { sort_by: 'end_at', sort_order: 'desc' },
      });
      return list.filter(({ end_at }) => end_at === null);
    };
    expect(await seeded()).toMatchObject([{ id: await readDefaultOrderId(db), status: 'active' }]);
    const customer = await makeCustomer(world);
    await db.update(order).set({ endAt: new Date(Date.now() - 1000) });
    const site = await world.admin.call('createSite', {
      body: { domains: [`${unique('w')}.example.com`], origin: '192.0.2.1' },
    });
    expect(site.status).toBe(400);
    await migrateOrders();
    expect(await seeded()).toMatchObject([{ id: await readDefaultOrderId(db), status: 'active' }]);
    await makeSite(world.admin);
    expect((await customer.api.get('getOrder', { params: { id: customer.orderId } })).status).toBe('expired');
  });

  it('move their sites to another line group, with a lower revision for what goes', async () => {
    const customer = await makeCustomer(world);
    const site = await makeSite(customer.api);
    const target = await world.admin.get('createLineGroup', { body: { name: unique('Group') } });
    const params = { id: customer.orderId };
    const body = { line_group_id: target.id };
    const { task_id } = await world.admin.get('changeOrderLineGroup', { params, body });
    await workThrough(world.server.services, task_id!);
    expect((await customer.api.get('getSite', { params: { id: site.id } })).line_group_id).toBe(target.id);
    const { db } = world.server.services;
    const rows = await db
      .select()
      .from(edgeDocument)
      .where(eq(edgeDocument.key, String(site.id)));
    const gone = rows.find((row) => row.lineGroupId === lineGroupId)!;
    const live = rows.find((row) => row.lineGroupId === target.id)!;
    expect([gone.deleted, live.deleted]).toEqual([true, false]);
    expect(gone.revision).toBeLessThan(live.revision);
    const unknown = await world.admin.call('changeOrderLineGroup', {
      params,
      body: { line_group_id: 999_999 },
    });
    expect(unknown).toMatchObject({ status: 400, errors: [{ path: 'line_group_id' }] });
  });

  it('are found by number, by a name of their own and by customer, each within its scope', async () => {
    const customer = await makeCustomer(world);
    const other = await makeCustomer(world);
    const { order_no, client_name } = await customer.api.get('getOrder', {
      params: { id: customer.orderId },
    });
    const found = async (api: ApiClient, keyword: string) =>
      (await api.get('listOrders', { query: { keyword } })).list.map(({ id }) => id);
    expect(await found(world.admin, order_no)).toEqual([customer.orderId]);
    expect(await found(world.admin, client_name)).toEqual([customer.orderId]);
    expect(await found(other.api, order_no)).toEqual([]);
    const name = unique('shop of');
    await world.admin.get('updateOrderNotes', {
      params: { id: customer.orderId },
      body: { another_name: name, version: 1 },
    });
    expect(await found(customer.api, name.slice(2))).toEqual([customer.orderId]);
  });

  it('take a name by itself, and keep their notes', async () => {
    const customer = await makeCustomer(world);
    const other = await makeCustomer(world);
    const params = { id: customer.orderId };
    await world.admin.get('updateOrderNotes', {
      params,
      body: { another_name: 'Old', notes: 'Paid by wire', version: 1 },
    });
    const again = { params, body: { another_name: 'Older', notes: '', version: 1 } };
    const stale = { status: 409, code: errors.stale_version.code };
    expect(await world.admin.call('updateOrderNotes', again)).toMatchObject(stale);
    const old = { params, body: { another_name: 'Older', version: 1 } };
    expect(await world.admin.call('updateOrderAnotherName', old)).toMatchObject(stale);
    await world.admin.get('updateOrderAnotherName', { params, body: { another_name: ' Shop ' } });
    const texts = { another_name: 'Shop', notes: 'Paid by wire' };
    expect(await customer.api.get('getOrder', { params })).toMatchObject(texts);
    const call = { params, body: { another_name: 'Theirs' } };
    const reader = await makeAdministrator(world, ['order.read']);
    expect(await world.anonymous.call('updateOrderAnotherName', call)).toMatchObject({ status: 401 });
    expect(await reader.api.call('updateOrderAnotherName', call)).toMatchObject({ status: 403 });
    for (const { api } of [customer, other])
      expect((await api.call('updateOrderAnotherName', call)).status).toBeOneOf([403, 404]);
    const unknown = { params: { id: 999_999 }, body: { another_name: 'x' } };
    expect(await world.admin.call('updateOrderAnotherName', unknown)).toMatchObject({ status: 404 });
    expect(await world.admin.get('getOrder', { params })).toMatchObject(texts);
  });

  it('stay while they have sites', async () => {
    const customer = await makeCustomer(world);
    const site = await makeSite(customer.api);
    const params = { id: customer.orderId };
    expect(await world.admin.call('removeOrder', { params })).toMatchObject({ status: 409 });
    expect(await world.admin.call('removeClient', { params: { id: customer.id } })).toMatchObject({
      status: 409,
    });
    await customer.api.get('removeSite', { params: { id: site.id } });
    await world.admin.get('removeOrder', { params });
    await world.admin.get('removeClient', { params: { id: customer.id } });
  });
});

describe('addMonths', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
    ['2026-11-30T00:00:00.000Z', 3, '2027-02-28T00:00:00.000Z'],
    ['2026-05-15T00:00:00.000Z', 12, '2027-05-15T00:00:00.000Z'],
    ['2026-12-31T23:59:59.000Z', 6, '2027-06-30T23:59:59.000Z'],
  ])('%s and %i months', (start, months, end) => {
    expect(addMonths(new Date(start), months).toISOString()).toBe(end);
  });
});
