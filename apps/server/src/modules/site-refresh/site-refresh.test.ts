import {
  makeApiClient,
  makeCustomer,
  makeMember,
  makeNode,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, order, refreshUse, siteRefresh } from '../../db/schema.ts';
import { makeLine, toBytes } from '../../logs/test-lines.ts';
import { settleRefreshes } from './site-refresh.service.ts';

let world: World;
let one: Customer;
let other: Customer;
let site: { id: number; domain: string };
let foreign: { id: number; domain: string };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [one, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  site = await siteOf(one);
  foreign = await siteOf(other);
});
afterAll(() => world.close());

/** Its domain given, as an operator gives it. */
const siteOf = (customer: Customer, domain?: string) =>
  makeSite(world.admin, { orderId: customer.orderId, ...(domain === undefined ? {} : { domain }) });
const create = (body: object, api = one.api) => api.call('createSiteRefresh', { body: body as never });
const documentOf = async (id: number) => {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(sql`kind = 'refresh' AND key = ${String(id)}`);
  return row && { ...row, body: row.body === '' ? undefined : (JSON.parse(row.body) as object) };
};

describe('a refresh', () => {
  it('of URLs goes to each site with its own, as browsers write them', async () => {
    const second = await siteOf(one);
    const { data } = await create({
      type: 'clean_url',
      urls: [
        `https://${site.domain.toUpperCase()}/a b?x=ü`,
        ` http://${second.domain}:8080/b#part`,
        `https://${site.domain}/a%20b?x=%C3%BC`,
      ],
    });
    expect(data.ids).toHaveLength(2);
    const [first, next] = await Promise.all(data.ids.map(documentOf));
    expect(first!.body).toEqual({
      refresh_id: data.ids[0],
      site_id: site.id,
      urls: { [site.domain]: ['/a%20b?x=%C3%BC'] },
    });
    expect(next!.body).toMatchObject({ site_id: second.id, urls: { [second.domain]: ['/b'] } });
    const { list } = await one.api.get('listSiteRefreshes', { query: { site_id: site.id } });
    expect(list[0]).toMatchObject({
      type: 'clean_url',
      site_name: site.domain,
      count: 1,
      first: `https://${site.domain}/a%20b?x=%C3%BC`,
    });
    const told = await one.api.get('getSiteRefresh', { params: { id: data.ids[0]! } });
    expect(told.urls).toEqual([`https://${site.domain}/a%20b?x=%C3%BC`]);
  });

  it('of folders ends each with a slash, and takes a wildcard’s hosts', async () => {
    const wild = await siteOf(one, `*.${site.domain}`);
    const { data } = await create({
      type: 'clean_dir',
      urls: [`https://deep.www.${site.domain}/img`, `https://deep.www.${site.domain}/img/`],
    });
    expect((await documentOf(data.ids[0]!))!.body).toEqual({
      refresh_id: data.ids[0],
      site_id: wild.id,
      folders: { [`deep.www.${site.domain}`]: ['/img/'] },
    });
  });

  it('of whole sites is a call for many, and one below the site', async () => {
    const { data } = await create({ type: 'clean_site', site_ids: [site.id, site.id] });
    expect(data.ids).toHaveLength(1);
    expect((await documentOf(data.ids[0]!))!.body).toEqual({
      refresh_id: data.ids[0],
      site_id: site.id,
      all: true,
    });
    const { ids } = await one.api.get('cleanSiteCache', { params: { id: site.id } });
    expect((await documentOf(ids[0]!))!.body).toMatchObject({ site_id: site.id, all: true });
  });

  it('of tags goes to each site with all of them, in lower case', async () => {
    const second = await siteOf(one);
    const wanted = {
      type: 'clean_tag',
      site_ids: [site.id, second.id],
      tags: ['Product-42', 'home', 'product-42'],
    };
    const { data } = await create(wanted);
    const bodies = await Promise.all(data.ids.map(async (id) => (await documentOf(id))!.body));
    expect(bodies).toEqual([
      { refresh_id: data.ids[0], site_id: site.id, tags: ['product-42', 'home'] },
      { refresh_id: data.ids[1], site_id: second.id, tags: ['product-42', 'home'] },
    ]);
    const told = await one.api.get('getSiteRefresh', { params: { id: data.ids[0]! } });
    expect(told).toMatchObject({ count: 2, first: 'product-42', urls: [], tags: ['product-42', 'home'] });
    const { errors } = await create({ ...wanted, tags: ['good', 'two words', 'a,b', 'ä'] });
    expect(errors?.map(({ path }) => path)).toEqual(['tags.1', 'tags.2', 'tags.3']);
  });

  it('in mode revalidate says so to nodes, of every type, and otherwise nothing', async () => {
    const wanted = [
      { type: 'clean_url', urls: [`https://${site.domain}/`] },
      { type: 'clean_tag', site_ids: [site.id], tags: ['home'] },
      { type: 'clean_site', site_ids: [site.id] },
    ];
    for (const body of wanted) {
      const { data } = await create({ ...body, mode: 'revalidate' });
      expect((await documentOf(data.ids[0]!))!.body).toMatchObject({ mode: 'revalidate' });
      expect(await one.api.get('getSiteRefresh', { params: { id: data.ids[0]! } })).toMatchObject({
        mode: 'revalidate',
      });
      const { data: plain } = await create(body);
      expect((await documentOf(plain.ids[0]!))!.body).not.toHaveProperty('mode');
    }
    expect((await create({ ...wanted[0], mode: 'other' })).errors?.[0]?.path).toBe('mode');
  });

  it('is refused at each line that is wrong, and then nothing is refreshed', async () => {
    const count = () => world.server.services.db.$count(siteRefresh);
    const before = await count();
    const refused = async (body: object) => (await create(body)).errors?.map(({ path }) => path);
    expect(
      await refused({ type: 'clean_url', urls: [`https://${site.domain}/`, 'nowhere', 'ftp://x/'] }),
    ).toEqual(['urls.1', 'urls.2']);
    expect(
      await refused({
        type: 'clean_url',
        urls: ['https://unknown.example/', `https://${site.domain}/`, `https://${foreign.domain}/`],
      }),
    ).toEqual(['urls.0', 'urls.2']);
    expect(await refused({ type: 'clean_dir', urls: [`https://${site.domain}/a?b`] })).toEqual(['urls.0']);
    expect(await refused({ type: 'clean_site', site_ids: [site.id, foreign.id] })).toEqual(['site_ids.1']);
    expect(await refused({ type: 'clean_url', urls: [`https://me:word@${site.domain}/`] })).toEqual([
      'urls.0',
    ]);
    expect(await count()).toBe(before);
  });

  it('is seen and made by who may alone', async () => {
    const { data } = await create({ type: 'clean_site', site_ids: [foreign.id] }, other.api);
    expect((await one.api.call('getSiteRefresh', { params: { id: data.ids[0]! } })).status).toBe(404);
    expect((await one.api.call('cleanSiteCache', { params: { id: foreign.id } })).status).toBe(404);
    const { list } = await one.api.get('listSiteRefreshes', { query: { client_id: other.id } });
    expect(list).toEqual([]);
    expect((await create({ type: 'clean_site', site_ids: [site.id] }, world.anonymous)).status).toBe(401);
    const second = await siteOf(one);
    const reader = await makeMember(world, one.api, ['site.read'], [site.id]);
    expect((await create({ type: 'clean_site', site_ids: [site.id] }, reader.api)).status).toBe(403);
    const refresher = await makeMember(world, one.api, ['site.read', 'site.refresh'], [site.id]);
    expect((await create({ type: 'clean_site', site_ids: [site.id] }, refresher.api)).status).toBe(200);
    const beyond = await create({ type: 'clean_url', urls: [`https://${second.domain}/`] }, refresher.api);
    expect(beyond.errors?.[0]?.path).toBe('urls.0');
  });

  it('of one site, and nothing else, is what a token of a deployment can do', async () => {
    const second = await siteOf(one);
    const { token } = await one.api.get('createApiToken', {
      body: {
        name: 'Deployment',
        permissions: ['site.refresh'],
        site_ids: [site.id],
        password: one.password,
      },
    });
    const deployment = makeApiClient(() => world.userUrl, token);
    const own = await create({ type: 'clean_dir', urls: [`https://${site.domain}/assets/`] }, deployment);
    expect(own).toMatchObject({ status: 200, data: { ids: [expect.any(Number)] } });
    const beyond = await create({ type: 'clean_site', site_ids: [second.id] }, deployment);
    expect(beyond.errors?.[0]?.path).toBe('site_ids.0');
    expect((await deployment.call('getSite', { params: { id: site.id } })).status).toBe(403);
  });

  it('is withdrawn after a day with how far nodes came, and nodes that were away learn of it', async () => {
    const { db } = world.server.services;
    const { data } = await create({ type: 'clean_site', site_ids: [site.id] });
    const id = data.ids[0]!;
    const { revision } = (await documentOf(id))!;
    await settleRefreshes(db);
    expect((await documentOf(id))!.deleted).toBe(false);
    await db.execute(
      sql`UPDATE edge_document SET updated_at = now() - interval '25 hours' WHERE kind = 'refresh' AND key = ${String(id)}`,
    );
    expect(await settleRefreshes(db)).toBe(1);
    expect((await documentOf(id))!.deleted).toBe(true);
    const [row] = await db.select().from(siteRefresh).where(eq(siteRefresh.id, id));
    expect(row!.nodesTotal).not.toBeNull();
    const { rows } = await db.execute(sql`SELECT refreshes_gone FROM delivery_counter`);
    expect(Number(rows[0]!.refreshes_gone)).toBe(revision);
    await db.execute(
      sql`UPDATE edge_document SET updated_at = now() - interval '8 days' WHERE kind = 'refresh' AND deleted`,
    );
    await settleRefreshes(db);
    expect(await documentOf(id)).toBeUndefined();
  });

  it('is withdrawn sooner where there are more than are kept, the oldest first', async () => {
    const { db } = world.server.services;
    await db.execute(sql`UPDATE edge_document SET deleted = true WHERE kind = 'refresh'`);
    const ids: number[] = [];
    for (let each = 0; each < 5; each++)
      ids.push((await create({ type: 'clean_site', site_ids: [site.id] })).data.ids[0]!);
    const revisions = await Promise.all(ids.map(async (id) => (await documentOf(id))!.revision));
    expect(await settleRefreshes(db, 3)).toBe(2);
    const gone = await Promise.all(ids.map(async (id) => (await documentOf(id))!.deleted));
    expect(gone).toEqual([true, true, false, false, false]);
    // By which a node that was away and lacks one of them learns that it does.
    const { rows } = await db.execute(sql`SELECT refreshes_gone FROM delivery_counter`);
    expect(Number(rows[0]!.refreshes_gone)).toBe(revisions[1]);
  });
});

describe('a quota', () => {
  let customer: Customer;
  let own: { id: number; domain: string };
  const createAs = (body: object) => create(body, customer.api);
  const quotas = () => customer.api.get('getRefreshQuotas', {});
  beforeAll(async () => {
    customer = await makeCustomer(world);
    own = await siteOf(customer);
    const { list } = await world.admin.get('listProducts', { query: {} });
    const { id: productId } = await world.admin.get('createProduct', {
      body: {
        name: unique('limited'),
        line_group_id: list[0]!.line_group_id,
        prices: list[0]!.prices,
        limits: { ...list[0]!.limits, refresh_urls_per_day: 3, refresh_folders_per_day: 1 },
      },
    });
    await world.server.services.db.update(order).set({ productId }).where(eq(order.id, customer.orderId));
  });
  const urls = (count: number) => ({
    type: 'clean_url',
    urls: Array.from({ length: count }, () => `https://${own.domain}/${unique('path')}`),
  });

  it('is told, and refuses at the field what is more than is left', async () => {
    expect((await createAs(urls(2))).status).toBe(200);
    expect(await quotas()).toEqual({
      refresh_urls_per_day: { limit: 3, used: 2 },
      refresh_folders_per_day: { limit: 1, used: 0 },
      prefetch_urls_per_day: { limit: null, used: 0 },
    });
    expect((await createAs(urls(2))).errors).toEqual([
      { path: 'urls', message: 'More than the plan allows in 24 hours; 1 left' },
    ]);
    expect((await createAs({ type: 'clean_site', site_ids: [own.id] })).status).toBe(200);
    const beyond = [
      await createAs({ type: 'clean_dir', urls: [`https://${own.domain}/`] }),
      await createAs({ type: 'clean_tag', site_ids: [own.id], tags: ['a'] }),
      await customer.api.call('cleanSiteCache', { params: { id: own.id } }),
    ];
    expect(beyond.map(({ errors }) => errors?.[0]?.path)).toEqual(['urls', 'tags', 'site_ids']);
    expect((await quotas()).refresh_folders_per_day.used).toBe(1);
  });

  it('is not passed by calls at once, comes back after a day, and holds no operator', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => createAs(urls(1))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await quotas()).refresh_urls_per_day.used).toBe(3);
    expect((await create(urls(5), world.admin)).status).toBe(200);
    expect((await world.admin.get('getRefreshQuotas', {})).refresh_urls_per_day).toEqual({
      limit: null,
      used: 0,
    });
    const { db } = world.server.services;
    await db.execute(sql`UPDATE refresh_use SET created_at = now() - interval '25 hours'`);
    await settleRefreshes(db);
    expect(await db.$count(refreshUse)).toBe(0);
    expect((await createAs(urls(3))).status).toBe(200);
  });
});

it('what the origin gets besides is told by what the cache answered in the last hour', async () => {
  const node = await makeNode(world, { ip: '192.0.2.51' });
  const time = new Date(Date.now() - 10 * 60_000).toISOString();
  const line = { time, site_id: site.id, order_id: one.orderId, client_id: one.id, host: site.domain };
  const asked = { origin_addr: '192.0.2.10:443', origin_status: 200, origin_time: 0.05, origin_bytes: 300 };
  const lines = Array.from({ length: 72 }, (_, index) =>
    makeLine({
      ...line,
      ...(index < 9 ? { ...asked, cache_status: 'MISS' } : { cache_status: 'HIT' }),
      ...(index >= 63 ? { decision: 'block_referer other' } : {}),
    }),
  );
  await world.server.services.logStore.ingest({
    nodeId: node.id,
    file: 'access.1',
    offset: 0,
    lines: toBytes(lines),
  });
  const load = (query: { site_ids?: string; hosts?: string }, api = one.api) =>
    api.get('getRefreshLoad', { query });
  const told = { cached_per_second: 54 / 3600, origin_per_second: 9 / 3600 };
  expect(await load({ site_ids: `${site.id}` })).toEqual(told);
  expect(await load({ hosts: site.domain })).toEqual(told);
  expect(await load({ hosts: site.domain }, other.api)).toEqual({
    cached_per_second: 0,
    origin_per_second: 0,
  });
});
