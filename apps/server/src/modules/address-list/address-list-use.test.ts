import type { Condition, LevelName } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

/** Lists and places that conditions ask for, in any section and at any level. */

let world: World;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
});
afterAll(() => world.close());

const newList = async (api: ApiClient, content = '192.0.2.0/24') =>
  (await api.get('createAddressList', { body: { name: unique('list'), content } })).id;

const test = (field: 'address_list' | 'country', values: string[]): Condition => ({
  match: 'all',
  negated: false,
  items: [
    {
      field,
      operator: field === 'country' ? 'equals' : 'in',
      values,
      negated: false,
      ignore_case: false,
    },
  ],
});

const isThere = async (kind: 'address_list' | 'ip_data' | 'level', key: number | string) => {
  const rows = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, String(key))));
  return rows.some(({ deleted }) => !deleted);
};

const cacheFor = (api: ApiClient, siteId: number, condition: Condition) =>
  api.call('updateCacheRule', {
    query: { site_id: siteId },
    body: { version: 1, value: { rules: [{ type: 'all', ttl_seconds: 60, condition }] } },
  });

it('a list that a condition names goes to the nodes, cannot be deleted, and has to be one’s own', async () => {
  const [mine, theirs] = [await newList(one.api), await newList(other.api)];
  const site = await makeSite(one.api);
  expect(await cacheFor(one.api, site.id, test('address_list', [String(theirs)]))).toMatchObject({
    status: 400,
    errors: [{ path: 'value.rules.0.condition.items.0.values.0' }],
  });
  expect(await isThere('address_list', mine)).toBe(false);
  expect(await cacheFor(one.api, site.id, test('address_list', [String(mine)]))).toMatchObject({
    status: 200,
  });
  expect(await isThere('address_list', mine)).toBe(true);
  expect(await one.api.call('removeAddressList', { params: { id: mine } })).toMatchObject({ status: 409 });
});

it('a list that says whom to trust goes to the nodes, and has to be one’s own', async () => {
  const [mine, theirs] = [await newList(one.api), await newList(other.api)];
  const site = await makeSite(one.api);
  const trust = (list: number) =>
    one.api.call('updateRealIp', {
      query: { site_id: site.id },
      body: { version: 1, value: { mode: 'cdn', preset: 'cloudfront', address_lists: [list] } },
    });
  expect(await trust(theirs)).toMatchObject({ status: 400, errors: [{ path: 'value.address_lists.0' }] });
  expect(await isThere('address_list', mine)).toBe(false);
  expect(await trust(mine)).toMatchObject({ status: 200 });
  expect(await isThere('address_list', mine)).toBe(true);
});

async function limitAt(level: LevelName, target: number, condition?: Condition) {
  const query = { level, target_id: target, section: 'security' as const };
  const { version, value } = await world.admin.get('getSiteLevelSection', { query });
  const rate = { requests: 1000, period_seconds: 10, burst: 100, ...(condition ? { condition } : {}) };
  const body = { version, value: { ...value, rate }, own: ['rate'] };
  return world.admin.call('updateSiteLevelSection', { query, body });
}

it('a level’s conditions bring their lists and the table of places to the nodes of its sites', async () => {
  await makeSite(one.api);
  const [platform, mine] = [await newList(world.admin), await newList(one.api)];
  const wrong = await limitAt('global', 0, test('address_list', [String(mine)]));
  expect(wrong).toMatchObject({
    status: 400,
    errors: [{ path: 'value.rate.condition.items.0.values.0' }],
  });
  expect(await limitAt('global', 0, test('address_list', [String(platform)]))).toMatchObject({ status: 200 });
  expect(await isThere('address_list', platform)).toBe(true);
  expect(await world.admin.get('getAddressList', { params: { id: platform } })).toMatchObject({
    site_count: 0,
    level_count: 1,
  });
  expect(await world.admin.call('removeAddressList', { params: { id: platform } })).toMatchObject({
    status: 409,
  });
  expect(await limitAt('client', one.id, test('address_list', [String(mine)]))).toMatchObject({
    status: 200,
  });
  expect(await isThere('address_list', mine)).toBe(true);
  await limitAt('client', one.id);
  expect(await isThere('address_list', mine)).toBe(false);

  expect(await isThere('ip_data', 'ip')).toBe(false);
  await limitAt('global', 0, test('country', ['CN']));
  expect(await isThere('ip_data', 'ip')).toBe(true);
  expect(await isThere('address_list', platform)).toBe(false);
});

it('an address can be looked up: where it is, and which of one’s own lists name it', async () => {
  const [mine, theirs] = [await newList(one.api, '202.96.128.0/24'), await newList(other.api)];
  const query = { ip: '202.96.128.86', lists: `${mine},${theirs}` };
  expect(await one.api.get('lookUpAddress', { query })).toEqual({
    place: { country: 'CN', province: 'GD', carrier: 'telecom' },
    lists: [{ id: mine, listed: true }],
    asn: null,
    robot: null,
  });
  expect(await one.api.get('lookUpAddress', { query: { ip: '10.0.0.1', lists: `${mine}` } })).toEqual({
    place: { country: '', province: '', carrier: '' },
    lists: [{ id: mine, listed: false }],
    asn: null,
    robot: null,
  });
});

it('rules of access at a level are checked, sent as one document, shown at the site, and taken back', async () => {
  const site = await makeSite(one.api);
  const query = { level: 'client', target_id: one.id, section: 'access_control' } as const;
  const save = async (value: Record<string, unknown>) => {
    const { version } = await world.admin.get('getSiteLevelSection', { query });
    return world.admin.call('updateSiteLevelSection', { query, body: { version, value } });
  };
  const above = () => one.api.get('getAccessAbove', { query: { site_id: site.id } });
  expect(await above()).toEqual({ levels: [] });
  expect(await save({ rules: [{ action: 'deny' }] })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.rules.0.addresses' }],
  });
  const theirs = await newList(other.api);
  expect(await save({ rules: [{ action: 'deny', address_lists: [theirs] }] })).toMatchObject({
    status: 400,
    errors: [{ path: 'value.rules.0.address_lists.0' }],
  });
  const mine = await newList(one.api);
  const rules = [{ action: 'deny', address_lists: [mine], note: 'scrapers' }];
  const body = { value: { rules } };
  expect(await world.admin.get('previewSiteLevelSection', { query, body })).toMatchObject({
    fields: ['access_control.deny', 'access_control.rules'],
  });
  expect(await save({ rules })).toMatchObject({ status: 200 });
  expect(await isThere('address_list', mine)).toBe(true);
  expect(await above()).toMatchObject({ levels: [{ level: 'client', rules, deny: { status: 403 } }] });
  expect(await other.api.call('getAccessAbove', { query: { site_id: site.id } })).toMatchObject({
    status: 404,
  });
  const [document] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'level'), eq(edgeDocument.key, `client-${one.id}`)));
  expect(JSON.parse(document!.body)).toMatchObject({ access_control: { rules } });
  const revisions = await world.admin.get('listSiteLevelRevisions', {
    query: { level: 'client', target_id: one.id },
  });
  expect(revisions.list[0]).toMatchObject({ section: 'access_control' });
  expect(await save({})).toMatchObject({ status: 200 });
  expect(await above()).toEqual({ levels: [] });
  expect(await isThere('address_list', mine)).toBe(false);
});

/** A customer whose level names a list of the platform's, and the list. */
async function customerWithList() {
  const customer = await makeCustomer(world);
  const [site, list] = [await makeSite(customer.api), await newList(world.admin)];
  expect(await limitAt('client', customer.id, test('address_list', [String(list)]))).toMatchObject({
    status: 200,
  });
  expect(await isThere('address_list', list)).toBe(true);
  await customer.api.get('removeSite', { params: { id: site.id } });
  return { customer, list };
}

it('a level’s list leaves the nodes with its customer', async () => {
  const { customer, list } = await customerWithList();
  await world.admin.get('removeOrder', { params: { id: customer.orderId } });
  await world.admin.get('removeClient', { params: { id: customer.id } });
  expect(await isThere('level', `client-${customer.id}`)).toBe(false);
  expect(await isThere('address_list', list)).toBe(false);
});

it('a level’s list that changed while there was no site is there before the next one', async () => {
  const { customer, list } = await customerWithList();
  const body = { name: unique('list'), content: '198.51.100.0/24', version: 1 };
  await world.admin.get('updateAddressList', { params: { id: list }, body });
  expect(await isThere('address_list', list)).toBe(false);
  await makeSite(customer.api);
  expect(await isThere('level', `client-${customer.id}`)).toBe(true);
  expect(await isThere('address_list', list)).toBe(true);
});
