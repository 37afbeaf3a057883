import {
  makeCustomer,
  makeNodeState,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, node, product, site as siteTable, siteDomain } from '../../db/schema.ts';
import { diffJson } from '@breakwater/contract/json-diff';

/** Of two at the same time one succeeds and the other is told. */
const oneWins = (statuses: number[]) => statuses.includes(200) && statuses.includes(409);

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const newSite = (domains: string[], origin = '192.0.2.10', more: object = {}) =>
  world.admin.call('createSite', { body: { domains, origin, ...more } });
const rowCount = () => world.server.services.db.$count(siteTable);

describe('adding a site', () => {
  it('takes a domain and an origin, and sends a document to the node', async () => {
    const domain = `${unique('www')}.example.com`;
    const { data } = await newSite([domain.toUpperCase()]);
    const site = await world.admin.get('getSite', { params: { id: data.id } });
    expect(site).toMatchObject({
      domains: [domain],
      status: 'online',
      version: 1,
      origins: ['192.0.2.10:80'],
      delivery: { status: 'pending', nodes_applied: 0, nodes_total: 1 },
    });
    const { db } = world.server.services;
    const [document] = await db
      .select()
      .from(edgeDocument)
      .where(eq(edgeDocument.key, String(data.id)));
    expect(JSON.parse(document!.body)).toMatchObject({
      site_id: data.id,
      domains: [domain],
      product_id: site.product_id,
    });
    expect(JSON.parse(document!.body)).not.toHaveProperty('cache_rule');
    expect(await world.admin.get('getTask', { params: { id: data.task_id } })).toMatchObject({
      status: 'pending',
      type: 'site_create',
      total: 1,
      done: 0,
    });
  });

  it('writes international names as punycode and takes wildcards', async () => {
    const { data } = await newSite([`${unique('例え')}.example.com`, `*.${unique('w')}.example.com`]);
    const { domains } = await world.admin.get('getSite', { params: { id: data.id } });
    expect(domains[0]).toMatch(/^xn--[a-z0-9-]+\.example\.com$/);
    expect(domains[1]).toMatch(/^\*\.w-/);
  });

  it.each([
    ['a name without a dot', 'localhost'],
    ['an address', '192.0.2.1'],
    ['a path', 'example.com/path'],
    ['a port', 'example.com:80'],
    ['an underscore at its start', '-a.example.com'],
    ['an inner wildcard', 'a.*.example.com'],
    ['an empty label', 'a..example.com'],
    ['a control character', 'a\nb.example.com'],
  ])('refuses %s as domain and stores nothing', async (_, domain) => {
    const before = await rowCount();
    expect(await newSite([domain])).toMatchObject({
      status: 400,
      code: 40_000,
      errors: [{ path: 'domains.0' }],
    });
    expect(await rowCount()).toBe(before);
  });

  it('refuses a domain of another site at its place, and one listed twice', async () => {
    const taken = await makeSite(world.admin);
    const before = await rowCount();
    const answer = await newSite([`${unique('new')}.example.com`, taken.domain]);
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ path: 'domains.1', message: 'Another site already uses this domain' }],
    });
    const twice = `${unique('twice')}.example.com`;
    expect(await newSite([twice, twice])).toMatchObject({ errors: [{ path: 'domains.1' }] });
    expect(await rowCount()).toBe(before);
  });

  it.each([['not an address'], ['http://192.0.2.1'], ['256.1.1.1'], ['192.0.2.1:80'], ['']])(
    'refuses %j as origin',
    async (origin) => {
      const answer = await newSite([`${unique('www')}.example.com`], origin);
      expect(answer).toMatchObject({ status: 400, errors: [{ path: 'origin' }] });
    },
  );

  it.each([[0], [65_536], [-1], ['80'], [1.5]])('refuses port %j', async (origin_port) => {
    const answer = await newSite([`${unique('www')}.example.com`], '192.0.2.1', { origin_port });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'origin_port' }] });
  });

  it('refuses an origin that leads back to a node', async () => {
    const { db } = world.server.services;
    const state = makeNodeState({ http_ports: [8000], https_ports: [8443] });
    await db.update(node).set({ state });
    const loops = async (origin: string, origin_port?: number) => {
      const answer = await newSite([`${unique('www')}.example.com`], origin, { origin_port });
      return (
        answer.errors[0]?.message === 'This origin points back to the platform itself and would cause a loop'
      );
    };
    const served = await makeSite(world.admin, { domain: `*.${unique('served')}.example.com` });
    expect(await loops('127.0.0.1', 8000)).toBe(true);
    expect(await loops('127.9.9.9', 8443)).toBe(true);
    expect(await loops('localhost', 8000)).toBe(true);
    expect(await loops('::1', 8000)).toBe(true);
    expect(await loops(served.domain.replace('*', 'deep'))).toBe(true);
    expect(await loops('127.0.0.1', 9000)).toBe(false);
    expect(await loops('192.0.2.7', 8000)).toBe(false);
    const own = `${unique('own')}.example.com`;
    expect(await newSite([own], own)).toMatchObject({ errors: [{ path: 'origin' }] });
  });

  it('holds to the limits of the product', async () => {
    const { db } = world.server.services;
    await db.update(product).set({ limits: { sites: 1, domains_per_site: 2, ports_per_site: null } });
    try {
      const limited = await makeCustomer(world);
      const names = () => Array.from({ length: 3 }, () => `${unique('www')}.example.com`);
      const many = await limited.api.call('createSite', { body: { domains: names(), origin: '192.0.2.1' } });
      expect(many).toMatchObject({ status: 409, code: 40_903 });
      await makeSite(limited.api);
      const second = await limited.api.call('createSite', {
        body: { domains: names().slice(0, 1), origin: '192.0.2.1' },
      });
      expect(second).toMatchObject({ status: 409, code: 40_903 });
    } finally {
      await db.update(product).set({ limits: { sites: null, domains_per_site: null, ports_per_site: null } });
    }
  });
});

describe('changing a site', () => {
  it('tells the later of two saves that it was built on an older version', async () => {
    const site = await makeSite(customer.api);
    const query = { site_id: site.id };
    const { version } = await customer.api.get('getCacheRule', { query });
    const save = (ttl_seconds: number) =>
      customer.api.call('updateCacheRule', {
        query,
        body: { version, value: { rules: [{ type: 'all', ttl_seconds }] } },
      });
    const answers = await Promise.all([save(10), save(20)]);
    expect(answers.map((answer) => answer.status)).toSatisfy(oneWins);
    const lost = answers.find((answer) => answer.status === 409);
    expect(lost).toMatchObject({ code: 40_901 });
    const won = answers.findIndex((answer) => answer.status === 200) === 0 ? 10 : 20;
    expect((await customer.api.get('getCacheRule', { query })).value.rules[0]?.ttl_seconds).toBe(won);
  });

  it.each([
    ['a TTL below 0', { type: 'all', ttl_seconds: -1 }, 'value.rules.0.ttl_seconds'],
    ['a TTL that is text', { type: 'all', ttl_seconds: '5' }, 'value.rules.0.ttl_seconds'],
    ['a folder without a slash', { type: 'folder', content: ['static'] }, 'value.rules.0.content.0'],
    ['a suffix with a slash', { type: 'suffix', content: ['a/jpg'] }, 'value.rules.0.content.0'],
    ['a broken expression', { type: 'regex', content: ['('] }, 'value.rules.0.content.0'],
    ['no content', { type: 'suffix' }, 'value.rules.0.content'],
    ['names missing', { type: 'all', query_policy: 'include' }, 'value.rules.0.query_names'],
    ['an unknown type', { type: 'magic' }, 'value.rules.0.type'],
    ['an unknown field', { type: 'all', colour: 'red' }, 'value.rules.0.colour'],
  ])('refuses a cache rule with %s at its field', async (_, rule, path) => {
    const site = await makeSite(customer.api);
    const body = { version: 1, value: { rules: [rule] } };
    const answer = await customer.api.send(
      'PUT',
      `/prod-api/site_config/cache_rule?site_id=${site.id}`,
      body,
    );
    expect(answer).toMatchObject({ status: 400, code: 40_000 });
    expect(answer.errors.map((error) => error.path)).toEqual([path]);
    expect((await customer.api.get('getCacheRule', { query: { site_id: site.id } })).version).toBe(1);
  });

  it('names the place of an origin that loops', async () => {
    const site = await makeSite(customer.api);
    const query = { site_id: site.id };
    const { value } = await customer.api.get('getOriginServerConfig', { query });
    const origins = [...value.origins, { ...value.origins[0]!, address: site.domain }];
    const answer = await customer.api.call('updateOriginServerConfig', {
      query,
      body: { version: 1, value: { ...value, origins } },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.origins.1.address' }] });
  });

  it('keeps author and diff of every change, and rolls back to any of them', async () => {
    const site = await makeSite(customer.api);
    const query = { site_id: site.id };
    const rules = [{ type: 'suffix' as const, content: ['jpg'], ttl_seconds: 60 }];
    await customer.api.get('updateCacheRule', { query, body: { version: 1, value: { rules } } });
    const renamed = `${unique('renamed')}.example.com`;
    const params = { id: site.id };
    await world.admin.get('updateSiteDomains', { params, body: { version: 2, domains: [renamed] } });
    const { list } = await customer.api.get('listSiteRevisions', { params, query: {} });
    expect(list.map((row) => [row.version, row.section, row.author_type])).toEqual([
      [3, 'domains', 'admin'],
      [2, 'cache_rule', 'client'],
      [1, 'site', 'client'],
    ]);
    expect(list[0]?.diff).toEqual([
      { path: 'domains.0', before: site.domain },
      { path: 'domains.0', after: renamed },
      // What an operator adds needs no proof; what the customer added waited for one.
      { path: 'status', before: 'checking', after: 'online' },
    ]);

    const first = list[2]!;
    const answer = await customer.api.get('rollbackSite', {
      params,
      body: { version: 3, revision_id: first.id },
    });
    expect(answer.version).toBe(4);
    expect(await customer.api.get('getSite', { params })).toMatchObject({
      domains: [site.domain],
      version: 4,
    });
    expect((await customer.api.get('getCacheRule', { query })).value.rules).toEqual([]);
  });

  it('writes nothing when nothing changes', async () => {
    const site = await makeSite(customer.api);
    const answer = await customer.api.get('updateCacheRule', {
      query: { site_id: site.id },
      body: { version: 1, value: { rules: [] } },
    });
    expect(answer).toEqual({ version: 1, task_id: null });
  });

  it('lets only the platform suspend a site and end that', async () => {
    const site = await makeSite(customer.api);
    const params = { id: site.id };
    const status = (api: World['admin'], version: number, to: 'online' | 'suspended') =>
      api.call('updateSiteStatus', { params, body: { version, status: to } });
    expect(await status(customer.api, 1, 'suspended')).toMatchObject({ status: 403 });
    expect(await status(world.admin, 1, 'suspended')).toMatchObject({ status: 200 });
    expect(await status(customer.api, 2, 'online')).toMatchObject({ status: 403 });
    expect(await status(world.admin, 2, 'online')).toMatchObject({ status: 200 });
  });

  it('frees its domains when it is removed', async () => {
    const site = await makeSite(customer.api);
    await customer.api.get('removeSite', { params: { id: site.id } });
    const { db } = world.server.services;
    expect(await db.select().from(siteDomain).where(eq(siteDomain.siteId, site.id))).toEqual([]);
    expect(await makeSite(customer.api, { domain: site.domain })).toMatchObject({ domain: site.domain });
  });
});

describe('diffJson', () => {
  it('names what was changed, added and taken away by path', () => {
    const before = { a: 1, list: [{ x: 1 }, { x: 2 }], gone: true };
    const after = { a: 2, list: [{ x: 1 }], fresh: 'new' };
    expect(diffJson(before, after)).toEqual([
      { path: 'a', before: 1, after: 2 },
      { path: 'list.1', before: { x: 2 } },
      { path: 'gone', before: true },
      { path: 'fresh', after: 'new' },
    ]);
    expect(diffJson(before, structuredClone(before))).toEqual([]);
  });
});
