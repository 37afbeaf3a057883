import {
  makeCustomer,
  makeNode,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let world: World;
let customer: Customer;
let site: Awaited<ReturnType<typeof makeSite>>;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  // Of an operator: its domains need no proof before they can be refreshed.
  site = await makeSite(world.admin, { orderId: customer.orderId });
  const { id: nodeId } = await makeNode(world, { ip: '192.0.2.1' });
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  for (const group of list)
    await world.admin.get('bindNodes', { params: { id: group.id }, body: { add: [nodeId] } });
});
afterAll(() => world.close());

type Api = typeof customer.api;

describe('who did what at a customer’s site', () => {
  it('is “the platform” for its customer where an administrator refreshed', async () => {
    const name = async (api: Api) => (await api.get('listSiteRefreshes', { query: {} })).list[0]?.created_by;
    const body = { type: 'clean_url' as const, urls: [`http://${site.domain}/a`] };
    await world.admin.get('createSiteRefresh', { body });
    expect([await name(world.admin), await name(customer.api)]).toEqual(['admin', '']);
    await customer.api.get('createSiteRefresh', { body });
    expect(await name(customer.api)).toMatch(/^Customer/);
  });

  it('is so where one prefetched', async () => {
    const name = async (api: Api) => (await api.get('listSitePrefetches', { query: {} })).list[0]?.created_by;
    const body = { urls: [`http://${site.domain}/a`] };
    const { ids } = await world.admin.get('createSitePrefetch', { body });
    expect([await name(world.admin), await name(customer.api)]).toEqual(['admin', '']);
    expect(await customer.api.get('getSitePrefetch', { params: { id: ids[0]! } })).toMatchObject({
      created_by: '',
    });
    await customer.api.get('createSitePrefetch', { body });
    expect(await name(customer.api)).toMatch(/^Customer/);
  });

  it('is so where one blocked an IP, and where one unblocked it', async () => {
    const names = async (api: Api) => {
      const { list } = await api.get('listSiteRejects', { query: {} });
      return [list[0]?.created_by, list[0]?.released_by];
    };
    const block = async (api: Api, address: string) => {
      const body = { site_id: site.id, remote_addrs: [address], seconds: 3600 };
      return (await api.get('createSiteRejects', { body })).ids;
    };
    const ids = await block(world.admin, '20.9.0.1');
    expect([await names(world.admin), await names(customer.api)]).toEqual([
      ['admin', null],
      ['', null],
    ]);
    await customer.api.get('releaseSiteRejects', { body: { ids } });
    expect(await names(customer.api)).toEqual(['', expect.stringMatching(/^Customer/)]);
    const own = await block(customer.api, '20.9.0.2');
    await world.admin.get('releaseSiteRejects', { body: { ids: own } });
    expect(await names(customer.api)).toEqual([expect.stringMatching(/^Customer/), '']);
    expect((await names(world.admin))[1]).toBe('admin');
  });
});
