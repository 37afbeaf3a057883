import { addressListEntriesMax } from '@breakwater/contract';
import { makeCustomer, startWorld, unique, type Customer, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { order, product } from '../../db/schema.ts';
import { packList } from './address-list-pack.ts';

const entry = (index: number) =>
  `2001:db8:${(index >> 8).toString(16)}:${((index & 255) << 8).toString(16)}::-` +
  `2001:db8:${(index >> 8).toString(16)}:${((index & 255) << 8).toString(16)}:ffff:ffff:ffff:fffe`;
const longest = Array.from({ length: addressListEntriesMax }, (_, index) => entry(index));

/** The longest time, in milliseconds of its processor, for which the event loop did one thing while `work` ran. */
async function pauseDuring(work: () => Promise<unknown>): Promise<number> {
  const busy = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [pause, before] = [0, busy()];
  const timer = setInterval(() => {
    const now = busy();
    [pause, before] = [Math.max(pause, now - before), now];
  }, 1);
  await work();
  clearInterval(timer);
  return pause;
}

describe('the longest list there may be', () => {
  it('is packed while the server goes on answering', async () => {
    const pause = await pauseDuring(async () => {
      const packed = await packList(longest.join('\n'));
      expect(packed).toMatchObject({ entryCount: addressListEntriesMax, v4: '' });
      expect('v6' in packed && Buffer.from(packed.v6, 'base64').length).toBe(32 * addressListEntriesMax);
    });
    expect(pause).toBeLessThan(50);
  });

  it('is told which line is wrong, and that it is too long', async () => {
    expect(await packList([...longest.slice(1), 'nowhere'].join('\n'))).toEqual({
      problem: `address_list_line:${addressListEntriesMax}`,
    });
    expect(await packList([...longest, '192.0.2.1'].join('\n'))).toEqual({ problem: 'address_list_long' });
  });
});

describe('what a product allows of a customer’s', () => {
  let world: World;
  let customer: Customer;
  beforeAll(async () => {
    world = await startWorld({ templateUrl: inject('templateUrl') });
    customer = await makeCustomer(world);
  });
  afterAll(() => world.close());

  async function allow(limits: object): Promise<void> {
    const { db } = world.server.services;
    const [bought] = await db.select().from(order).where(eq(order.id, customer.orderId));
    const none = { sites: null, domains_per_site: null, ports_per_site: null };
    await db
      .update(product)
      .set({ limits: { ...none, ...limits } })
      .where(eq(product.id, bought!.productId));
  }
  const create = (content: string, api = customer.api) =>
    api.call('createAddressList', { body: { name: unique('list'), content } });

  it('bounds lists, of each customer alone', async () => {
    await allow({ address_lists: 1 });
    expect(await create('192.0.2.1')).toMatchObject({ status: 200 });
    expect(await create('192.0.2.1')).toMatchObject({
      status: 400,
      errors: [{ path: 'name', message: expect.stringContaining('1 address list.') }],
    });
    expect(await create('192.0.2.1', (await makeCustomer(world)).api)).toMatchObject({ status: 200 });
    expect(await create('192.0.2.1', world.admin)).toMatchObject({ status: 200 });
  });

  it('bounds their entries together, when one is made and when one is changed', async () => {
    await allow({ address_list_entries: 3 });
    expect(await create('192.0.2.2\n192.0.2.3\n192.0.2.4')).toMatchObject({
      status: 400,
      errors: [{ path: 'content', message: expect.stringContaining('3 entries') }],
    });
    const made = await create('192.0.2.2\n192.0.2.3');
    expect(made).toMatchObject({ status: 200 });
    const { id } = made.data;
    const change = (content: string) =>
      customer.api.call('updateAddressList', {
        params: { id },
        body: { name: unique('list'), content, version: 1 },
      });
    expect(await change('192.0.2.2\n192.0.2.3\n192.0.2.5')).toMatchObject({
      status: 400,
      errors: [{ path: 'content' }],
    });
    expect(await change('192.0.2.2')).toMatchObject({ status: 200 });
  });

  it('is what their orders allow together: with a second one, twice as much', async () => {
    await allow({ address_lists: 3 });
    const [made] = (await customer.api.get('listAddressLists', { query: {} })).list;
    expect(made).toBeDefined();
    const { list } = await world.admin.get('listProducts', { query: {} });
    await world.admin.get('createOrder', {
      body: { client_id: customer.id, product_id: list[0]!.id, cycle: 'month' },
    });
    for (let index = 0; index < 4; index++) expect(await create('192.0.2.1')).toMatchObject({ status: 200 });
    expect(await create('192.0.2.1')).toMatchObject({ status: 400, errors: [{ path: 'name' }] });
  });
});
