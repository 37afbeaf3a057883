import { errors } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressList, edgeDocument } from '../../db/schema.ts';
import { refreshDueLists } from './address-list-fetch.ts';

let world: World;
let one: Customer;
let other: Customer;
let feed: Server;
let answer: RequestListener;
let feedUrl: string;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  one = await makeCustomer(world);
  other = await makeCustomer(world);
  feed = createServer((request, response) => answer(request, response));
  await new Promise<void>((settle) => feed.listen(0, '127.0.0.1', settle));
  feedUrl = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/list.txt`;
});
afterAll(async () => {
  feed.closeAllConnections();
  await new Promise((settle) => feed.close(settle));
  await world.close();
});

const newList = async (api: ApiClient, content = '192.0.2.0/24 # office') =>
  (await api.get('createAddressList', { body: { name: unique('list'), content } })).id;

async function useLists(api: ApiClient, siteId: number, ids: number[]) {
  const query = { site_id: siteId };
  const { version } = await api.get('getAccessControl', { query });
  const rules = ids.length === 0 ? [] : [{ action: 'deny' as const, address_lists: ids }];
  return api.call('updateAccessControl', { query, body: { version, value: { rules } } });
}

const documentsOf = (id: number) =>
  world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'address_list'), eq(edgeDocument.key, String(id))));

it('a list goes to the nodes with the first site that uses it, and leaves with the last', async () => {
  const id = await newList(
    one.api,
    '# all\n192.0.2.0/24\n\n192.0.2.128/25 ; within\n2001:db8::1-2001:db8::9\n',
  );
  expect(await documentsOf(id)).toEqual([]);
  const [first, second] = [await makeSite(one.api), await makeSite(one.api)];
  for (const site of [first, second])
    expect(await useLists(one.api, site.id, [id])).toMatchObject({ status: 200 });
  const [document] = await documentsOf(id);
  expect(document).toMatchObject({ deleted: false });
  expect(Buffer.from((JSON.parse(document!.body) as { v4: string }).v4, 'base64').toString('hex')).toBe(
    'c0000200c00002ff',
  );
  const shown = await one.api.get('getAddressList', { params: { id } });
  expect(shown).toMatchObject({
    entry_count: 3,
    site_count: 2,
    sites: [{ id: first.id }, { id: second.id }],
  });

  const { revision } = document!;
  const body = { name: shown.name, content: '198.51.100.7', version: shown.version };
  await one.api.get('updateAddressList', { params: { id }, body });
  const changed = await documentsOf(id);
  // One document, whatever number of sites uses it.
  expect(changed.length).toBe(1);
  expect(changed[0]!.revision).toBeGreaterThan(revision);

  expect(await one.api.call('removeAddressList', { params: { id } })).toMatchObject({
    status: 409,
    code: 40902,
  });
  await useLists(one.api, first.id, []);
  expect((await documentsOf(id))[0]).toMatchObject({ deleted: false });
  await one.api.get('removeSite', { params: { id: second.id } });
  expect((await documentsOf(id))[0]).toMatchObject({ deleted: true });
});

it('is not changed by a save that was built on an older version', async () => {
  const params = { id: await newList(one.api) };
  const save = (content: string) =>
    one.api.call('updateAddressList', { params, body: { name: 'Two', content, version: 1 } });
  expect(await save('192.0.2.1')).toMatchObject({ status: 200 });
  expect(await save('192.0.2.2')).toMatchObject({ status: 409, code: errors.stale_version.code });
  expect(await one.api.get('getAddressList', { params })).toMatchObject({ content: '192.0.2.1', version: 2 });
});

it('a list that no site uses can be deleted', async () => {
  const id = await newList(one.api);
  await one.api.get('removeAddressList', { params: { id } });
  expect(await one.api.call('getAddressList', { params: { id } })).toMatchObject({ status: 404 });
});

it("keeps other customers' and the platform's lists from a customer", async () => {
  const site = await makeSite(one.api);
  for (const id of [await newList(other.api), await newList(world.admin)]) {
    const params = { id };
    expect(await one.api.call('getAddressList', { params })).toMatchObject({ status: 404 });
    expect(await one.api.call('removeAddressList', { params })).toMatchObject({ status: 404 });
    expect(await one.api.call('refreshAddressList', { params })).toMatchObject({ status: 404 });
    expect(
      await one.api.call('updateAddressList', { params, body: { name: 'stolen', content: '', version: 1 } }),
    ).toMatchObject({ status: 404 });
    expect(await useLists(one.api, site.id, [id])).toMatchObject({
      status: 400,
      errors: [{ path: 'value.rules.0.address_lists.0' }],
    });
  }
  const { list } = await one.api.get('listAddressLists', { query: { page_size: 200 } });
  expect(list.filter((each) => each.client_id !== one.id)).toEqual([]);
});

it("lets an administrator put the platform's list on a site, and the customer keep it, but no other customer's", async () => {
  const site = await makeSite(one.api);
  const platform = await newList(world.admin);
  expect(await useLists(world.admin, site.id, [await newList(other.api)])).toMatchObject({ status: 400 });
  expect(await useLists(world.admin, site.id, [platform])).toMatchObject({ status: 200 });
  const mine = await newList(one.api);
  expect(await useLists(one.api, site.id, [platform, mine])).toMatchObject({ status: 200 });
});

it.each([
  ['what is no address', '192.0.2.1\nexample.com', 'content'],
  ['a network that is none', '192.0.2.1/33', 'content'],
  ['more than a list holds', '192.0.2.1\n'.repeat(100_001), 'content'],
])('refuses %s', async (_, content, path) => {
  const body = { name: unique('list'), content };
  expect(await one.api.call('createAddressList', { body })).toMatchObject({
    status: 400,
    errors: [{ path }],
  });
});

it('takes 100,000 entries', async () => {
  const lines = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  const id = await newList(one.api, lines.join('\n'));
  expect((await one.api.get('getAddressList', { params: { id } })).entry_count).toBe(100_000);
});

it('fetches a list from a URL, and keeps the last good copy when that fails', async () => {
  answer = (_, response) => response.end('# feed\n192.0.2.1\n198.51.100.0/24\n');
  const body = { name: unique('feed'), source: 'url' as const, url: feedUrl };
  const { id } = await one.api.get('createAddressList', { body });
  const site = await makeSite(one.api);
  await useLists(one.api, site.id, [id]);
  const good = await one.api.get('getAddressList', { params: { id } });
  expect(good).toMatchObject({ entry_count: 2, last_error: '' });
  const before = (await documentsOf(id))[0]!.hash;

  const failures: [RequestListener, RegExp][] = [
    [(_, response) => response.writeHead(500).end(), /status 500/],
    [(_, response) => response.end('192.0.2.1\n<html>\n'), /Line 2/],
    [(_, response) => response.end('# nothing\n'), /no IP addresses/],
    [(request, response) => response.writeHead(302, { location: request.url }).end(), /redirects/],
    [(_, response) => response.end('1'.repeat(17 * 1024 * 1024)), /larger than 16 MB/],
    [(request) => request.socket.destroy(), /./],
  ];
  for (const [listener, wanted] of failures) {
    answer = listener;
    const refreshed = await one.api.get('refreshAddressList', { params: { id } });
    expect(refreshed.last_error).toMatch(wanted);
    expect(refreshed).toMatchObject({ entry_count: 2, task_id: null });
  }
  expect((await documentsOf(id))[0]!.hash).toBe(before);

  // As providers publish theirs; of JSON about other things nobody knows what its addresses are for.
  const published = { addresses: ['192.0.2.0/24'], ipv6_addresses: ['2001:db8::/32'], total: 2 };
  answer = (_, response) => response.end(JSON.stringify(published));
  expect(await one.api.get('refreshAddressList', { params: { id } })).toMatchObject({
    entry_count: 2,
    last_error: '',
  });
  for (const strange of [
    { prefixes: [{ ip_prefix: '192.0.2.0/24' }] },
    { addresses: [] },
    ['192.0.2.1', 5],
  ]) {
    answer = (_, response) => response.end(JSON.stringify(strange));
    const refreshed = await one.api.get('refreshAddressList', { params: { id } });
    expect(refreshed.last_error).toMatch(/Line 1/);
    expect(refreshed).toMatchObject({ entry_count: 2, task_id: null });
  }

  answer = (_, response) => response.end('203.0.113.1\n');
  expect(await one.api.get('refreshAddressList', { params: { id } })).toMatchObject({
    entry_count: 1,
    last_error: '',
  });
  expect((await documentsOf(id))[0]!.hash).not.toBe(before);
});

it('fetches by itself what is due, once an interval', async () => {
  answer = (_, response) => response.end('192.0.2.1\n');
  const body = { name: unique('feed'), source: 'url' as const, url: feedUrl };
  const { id } = await one.api.get('createAddressList', { body });
  const { services } = world.server;
  answer = (_, response) => response.end('192.0.2.1\n192.0.2.3\n');
  await refreshDueLists(services);
  const count = async () => (await one.api.get('getAddressList', { params: { id } })).entry_count;
  expect(await count()).toBe(1);
  await services.db
    .update(addressList)
    .set({ nextFetchAt: new Date(0) })
    .where(eq(addressList.id, id));
  await refreshDueLists(services);
  expect(await count()).toBe(2);
});

it('goes on with other lists where one cannot be stored, or answers slowly', async () => {
  const { services } = world.server;
  answer = (_, response) => response.end('192.0.2.1\n');
  const make = async (path: string) => {
    const body = { name: unique('feed'), source: 'url' as const, url: `${feedUrl}${path}` };
    return (await one.api.get('createAddressList', { body })).id;
  };
  const bad = await make('bad');
  const slow = await Promise.all(['slow1', 'slow2', 'slow3'].map(make));
  const good = await make('good');
  const due = { nextFetchAt: new Date(0) };
  await services.db
    .update(addressList)
    .set(due)
    .where(inArray(addressList.id, [bad, ...slow]));
  await services.db
    .update(addressList)
    .set({ nextFetchAt: new Date(1) })
    .where(eq(addressList.id, good));
  let asked = 0;
  let together = 0;
  answer = (request, response) => {
    together = Math.max(together, ++asked);
    const text = '192.0.2.1\n192.0.2.2\n';
    setTimeout(() => (asked--, response.end(text)), request.url?.includes('slow') ? 500 : 0);
  };
  await services.db.execute(
    sql.raw(`CREATE FUNCTION no_update() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.id = ${bad} AND NEW.entry_count = 2 THEN RAISE 'not this one'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER no_update BEFORE UPDATE ON address_list FOR EACH ROW EXECUTE FUNCTION no_update()`),
  );
  await refreshDueLists(services);
  await services.db.execute(sql`DROP TRIGGER no_update ON address_list`);
  const count = async (id: number) => (await one.api.get('getAddressList', { params: { id } })).entry_count;
  expect(await Promise.all([bad, good, ...slow].map(count))).toEqual([1, 2, 2, 2, 2]);
  expect(together).toBeGreaterThan(1);
  const [row] = await services.db.select().from(addressList).where(eq(addressList.id, bad));
  expect(row!.nextFetchAt!.getTime()).toBeGreaterThan(Date.now());
});
