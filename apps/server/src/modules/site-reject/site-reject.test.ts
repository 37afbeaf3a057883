import { errors } from '@breakwater/contract';
import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { siteReject } from '../../db/schema.ts';

const hourMs = 3_600_000;
let world: World;
let one: Customer;
let other: Customer;
let own: { id: number; domain: string };
let foreign: { id: number };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  own = await makeSite(one.api);
  foreign = await makeSite(other.api);
  const now = Date.now();
  const row = (siteId: number, remoteAddr: string, hours: number) => ({
    siteId,
    remoteAddr,
    decision: 'security too_many_requests',
    createdAt: new Date(now - 2 * hourMs),
    expiresAt: new Date(now + hours * hourMs),
  });
  await world.server.services.db
    .insert(siteReject)
    .values([
      row(own.id, '198.51.100.1', 1),
      row(own.id, '198.51.100.2', 1),
      row(own.id, '198.51.100.3', -1),
      row(foreign.id, '198.51.100.1', 1),
    ]);
});
afterAll(() => world.close());

const list = async (api: Customer['api'], query: object = {}) =>
  (await api.get('listSiteRejects', { query })).list;

it('are found by site, address, what rejected and state, each customer their own', async () => {
  expect(await list(world.admin)).toHaveLength(4);
  expect(await list(world.admin, { remote_addr: '198.51.100.1' })).toHaveLength(2);
  expect(await list(world.admin, { client_id: other.id })).toHaveLength(1);
  expect(await list(one.api, { state: 'ended' })).toMatchObject([
    {
      remote_addr: '198.51.100.3',
      site_id: own.id,
      site_name: own.domain,
      client_id: one.id,
      state: 'ended',
    },
  ]);
  expect(await list(one.api, { decision: 'security', state: 'standing' })).toHaveLength(2);
  expect(await list(one.api, { decision: 'secur' })).toEqual([]);
  expect(await list(one.api, { site_id: foreign.id })).toEqual([]);
  expect(await world.admin.call('listSiteRejects', { query: { remote_addr: '1.2.3' } })).toMatchObject({
    status: 400,
    errors: [{ path: 'remote_addr', message: 'IP Format Error' }],
  });
});

it('are all let in only while no more stand than were counted', async () => {
  const body = { site_id: own.id, expected_total: 1 };
  expect(await one.api.call('releaseAllSiteRejects', { body })).toMatchObject({
    status: 409,
    code: errors.selection_changed.code,
    errors: [{ path: 'expected_total', message: '1 when selected, 2 now' }],
  });
  expect(await list(one.api, { state: 'standing' })).toHaveLength(2);
});

it("are released, those that stand, and never another customer's", async () => {
  const ids = (await list(world.admin)).map(({ id }) => id);
  const [first] = await list(one.api, { remote_addr: '198.51.100.1' });
  expect(await one.api.get('releaseSiteRejects', { body: { ids: [first!.id] } })).toEqual({ released: 1 });
  expect(await one.api.get('releaseSiteRejects', { body: { ids } })).toEqual({ released: 1 });
  expect(await one.api.get('releaseAllSiteRejects', { body: { site_id: foreign.id } })).toEqual({
    released: 0,
  });
  expect(await list(other.api)).toMatchObject([{ state: 'standing' }]);
  expect(await list(one.api, { state: 'released' })).toMatchObject([
    { released_at: expect.any(String), released_by: expect.any(String) },
    { released_at: expect.any(String) },
  ]);
  expect(await world.admin.get('releaseAllSiteRejects', { body: { expected_total: 2 } })).toEqual({
    released: 1,
  });
  expect(await list(world.admin, { state: 'standing' })).toEqual([]);
});
