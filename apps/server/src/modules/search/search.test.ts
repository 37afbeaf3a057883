import {
  makeAdministrator,
  makeApiClient,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const find = async (api: World['admin'], keyword: string) =>
  (await api.get('search', { query: { keyword } })).hits.map((hit) => [hit.kind, hit.title]);

describe('the search', () => {
  it('finds sites by domain, nodes by name and address, customers by e-mail, orders by number', async () => {
    const customer = await makeCustomer(world);
    const site = await makeSite(customer.api);
    const order = await customer.api.get('getOrder', { params: { id: customer.orderId } });
    expect(await find(world.admin, site.domain.slice(0, 9))).toEqual([['site', site.domain]]);
    expect(await find(world.admin, 'LOCAL')).toContainEqual(['node', 'local']);
    expect(await find(world.admin, '127.0.0')).toContainEqual(['node', 'local']);
    expect(await find(world.admin, customer.email)).toEqual([['client', expect.any(String)]]);
    expect(await find(world.admin, order.order_no)).toEqual([['order', order.order_no]]);
  });

  it('finds products by name, for those who may read them', async () => {
    const name = unique('Plan');
    const { list } = await world.admin.get('listProducts', { query: {} });
    const { line_group_id, prices, limits } = list[0]!;
    await world.admin.get('createProduct', { body: { name, line_group_id, prices, limits } });
    expect(await find(world.admin, name.toUpperCase())).toEqual([['product', name]]);
    const seller = await makeAdministrator(world, ['order.read']);
    expect(await find(seller.api, name)).toEqual([]);
    const customer = await makeCustomer(world);
    expect(await find(customer.api, name)).toEqual([]);
    const stranger = makeApiClient(() => world.adminUrl);
    expect(await stranger.call('search', { query: { keyword: name } })).toMatchObject({ status: 401 });
  });

  it('finds an international domain as people write it', async () => {
    const word = unique('intl');
    const { domain } = await makeSite(world.admin, { domain: `商店.${word}.example.com` });
    expect(domain).toMatch(/[^\p{ASCII}]/u);
    const [[kind, title] = []] = await find(world.admin, domain);
    expect([kind, title]).toEqual(['site', new URL(`http://${domain}`).hostname]);
    expect(await find(world.admin, `支付.${word}.example.com`)).toEqual([]);
  });

  it('takes what is typed literally', async () => {
    expect(await find(world.admin, '%')).toEqual([]);
    expect(await find(world.admin, '_____________')).toEqual([]);
  });

  it('shows a customer nothing of others, and no nodes', async () => {
    const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
    const site = await makeSite(other.api, { domain: `${unique('hidden')}.example.com` });
    expect(await find(one.api, site.domain)).toEqual([]);
    expect(await find(one.api, 'local')).toEqual([]);
    expect(await find(one.api, other.email)).toEqual([]);
    expect(await find(other.api, site.domain)).toEqual([['site', site.domain]]);
  });
});
