import { makeCustomer, makeNode, makeSite, startWorld, unique, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** What is chosen in a select is named by its ids, in one read. Of entities that `crud` handles: `crud.test.ts`. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

describe('a list asked for some ids', () => {
  let last = 0;
  const makers = {
    listNodes: async () => (await makeNode(world, { ip: `203.0.113.${(last += 1)}` })).id,
    listSites: async () => (await makeSite(world.admin)).id,
    listOrders: async () => (await makeCustomer(world)).orderId,
    listAddressLists: async () =>
      (await world.admin.get('createAddressList', { body: { name: unique('List'), content: '192.0.2.1' } }))
        .id,
    listAdminGroups: async () =>
      (await world.admin.get('createAdminGroup', { body: { name: unique('Group'), permissions: [] } })).id,
  };
  it.each(Object.keys(makers) as (keyof typeof makers)[])('has those alone: %s', async (name) => {
    const [one, other, third] = [await makers[name](), await makers[name](), await makers[name]()];
    const { list, total } = await world.admin.get(name, { query: { ids: `${other},${one},999999` } });
    expect(list.map(({ id }: { id: number }) => id).toSorted((a, b) => a - b)).toEqual([one, other]);
    expect(total).toBe(2);
    const { list: all } = await world.admin.get(name, { query: { page_size: 200 } });
    expect(all.map(({ id }: { id: number }) => id)).toContain(third);
  });

  it('has none of another customer', async () => {
    const [mine, theirs] = [await makeCustomer(world), await makeCustomer(world)];
    const own = await makeSite(mine.api);
    const foreign = await makeSite(theirs.api);
    const sites = await mine.api.get('listSites', { query: { ids: `${own.id},${foreign.id}` } });
    expect(sites.list.map(({ id }) => id)).toEqual([own.id]);
    const orders = await mine.api.get('listOrders', { query: { ids: `${mine.orderId},${theirs.orderId}` } });
    expect(orders.list.map(({ id }) => id)).toEqual([mine.orderId]);
  });

  it('is refused where the ids are none, or too many', async () => {
    const many = Array.from({ length: 201 }, (_, index) => index + 1).join(',');
    for (const ids of ['a', '0', many])
      expect(await world.admin.send('GET', `/prod-api/node?ids=${ids}`)).toMatchObject({
        status: 400,
        errors: [{ path: expect.stringMatching(/^ids/) as string }],
      });
  });
});

it('groups are found by their names, those that were shipped in either language', async () => {
  const name = unique('Night shift');
  await world.admin.get('createAdminGroup', { body: { name, permissions: [] } });
  const found = async (text: string) =>
    (await world.admin.get('listAdminGroups', { query: { name: text } })).list.map(
      (group) => group.builtin ?? group.name,
    );
  expect(await found(name.toLowerCase())).toEqual([name]);
  expect(await found('运维')).toEqual(['operator']);
  expect(await found('OPERAT')).toContain('operator');
});

it('address lists that the platform alone has are told apart from those of a customer', async () => {
  const customer = await makeCustomer(world);
  const body = { name: unique('List'), content: '192.0.2.1' };
  const own = await customer.api.get('createAddressList', { body });
  const platform = await world.admin.get('createAddressList', { body });
  const usable = async (by: number | 'platform') =>
    (await world.admin.get('listAddressLists', { query: { usable_by: by, name: body.name } })).list.map(
      ({ id }) => id,
    );
  expect(await usable('platform')).toEqual([platform.id]);
  expect(await usable(customer.id)).toEqual([platform.id, own.id]);
  expect(await usable((await makeCustomer(world)).id)).toEqual([platform.id]);
});

it('products are found by whether they are sold', async () => {
  const first = (await world.admin.get('listProducts', { query: {} })).list[0]!;
  const rest = {
    line_group_id: first.line_group_id,
    prices: first.prices,
    limits: { sites: null, domains_per_site: null, ports_per_site: null },
  };
  const word = unique('Plan');
  const make = (name: string, delisted: boolean) =>
    world.admin.get('createProduct', { body: { ...rest, name, delisted } });
  const [sold, gone] = [await make(`${word} a`, false), await make(`${word} b`, true)];
  const found = async (delisted: 'yes' | 'no') =>
    (await world.admin.get('listProducts', { query: { name: word, delisted } })).list.map(({ id }) => id);
  expect(await found('no')).toEqual([sold.id]);
  expect(await found('yes')).toEqual([gone.id]);
});
