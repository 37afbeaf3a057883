import { siteSetting } from '@breakwater/contract';
import {
  makeCustomer,
  makeNode,
  makeSite,
  readSetting,
  saveSetting,
  startDnsServer,
  startWorld,
  trySetting,
  unique,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { edgeDocument, nodeIp, siteDomain } from '../../db/schema.ts';
import { runDueChecks } from './domain-check.ts';

let world: World;
let dns: DnsServer;
let customer: Customer;
let other: Customer;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  dns = await startDnsServer('example.com');
  [customer, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  await world.server.services.db.update(nodeIp).set({ ip: '192.0.2.1' });
});
beforeEach(() => setSetting({ site_check: true }));
afterAll(async () => {
  await dns?.close();
  await world.close();
});

const setSetting = (more: object) =>
  saveSetting(
    world,
    'SiteSetting',
    siteSetting.parse({ cname_domain: 'cdn.example.com', dns_servers: [dns.address], ...more }),
  );
const newName = () => unique('www');
const create = (names: string[], api = customer.api) =>
  api.get('createSite', {
    body: { domains: names.map((name) => `${name}.example.com`), origin: '192.0.2.9' },
  });
const read = (id: number) => world.admin.get('getSite', { params: { id } });
const cnameOf = async (id: number) => (await read(id)).cname;
const check = (id: number, api = customer.api) => api.get('checkSiteDns', { params: { id } });
const waitingOnNodes = async (id: number) => {
  const rows = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(eq(edgeDocument.key, String(id)));
  const body = JSON.parse(rows.find((row) => row.kind === 'site')!.body) as { waiting_domains?: string[] };
  return body.waiting_domains ?? [];
};
/** As if the time for a check had come, and with `over` its last. */
const makeDue = (id: number, over = false) =>
  world.server.services.db
    .update(siteDomain)
    .set({
      nextCheckAt: new Date(Date.now() - 1000),
      ...(over ? { checkUntil: new Date(Date.now() - 1000) } : {}),
    })
    .where(eq(siteDomain.siteId, id));

describe('the CNAME of a site', () => {
  it('is there once the platform has a domain for it, stays, and finds the site', async () => {
    const { id } = await create([newName()]);
    await setSetting({ cname_domain: '' });
    expect(await customer.api.get('getSiteCname', { params: { id } })).toEqual({ cname: null });
    await setSetting({});
    const { cname } = await customer.api.get('getSiteCname', { params: { id } });
    expect(cname).toMatch(/^[0-9a-f]{12}\.cdn\.example\.com$/);
    expect((await read(id)).cname).toBe(cname);
    for (const text of [cname!, cname!.slice(0, 8), cname!.toUpperCase()]) {
      const { list } = await world.admin.get('listSites', { query: { cname: text } });
      expect(list.map((site) => site.id)).toEqual([id]);
    }
    expect((await world.admin.get('listSites', { query: { cname: 'zzzz' } })).total).toBe(0);
    expect(await other.api.call('getSiteCname', { params: { id } })).toMatchObject({ status: 404 });
  });

  it.each(['nodot', '-a.example.com', 'http://example.com'])('has no domain %s', async (cname_domain) => {
    const body = { ...siteSetting.parse({}), cname_domain };
    const answer = await trySetting(world, 'SiteSetting', body);
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.cname_domain' }] });
  });

  it.each(['localhost', '192.0.2.1:0', '192.0.2.1:70000', '2001:db8::1:x'])(
    'is asked of no server %s',
    async (server) => {
      const body = { ...siteSetting.parse({}), dns_servers: [server] };
      const answer = await trySetting(world, 'SiteSetting', body);
      expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.dns_servers.0' }] });
    },
  );
});

describe('where nodes are', () => {
  it('is told to customers only as far as they have to point at them', async () => {
    const { id } = await create([newName()]);
    const expected = async (api = customer.api) =>
      (await api.get('getSiteDnsCheck', { params: { id } })).expected;
    const { cname_domain, ...setting } = await readSetting(world, 'SiteSetting');
    const { list: groups } = await world.admin.get('listLineGroups', { query: { name: 'Default' } });
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((each) => makeNode(world, { ip: `198.51.100.${each}` })),
    );
    const nodes = made.map((node) => node.id);
    const params = { id: groups[0]!.id };
    await world.admin.get('bindNodes', { params, body: { add: nodes } });
    expect((await expected()).addresses).toEqual([]);
    expect((await expected(world.admin)).addresses).toHaveLength(6);
    await saveSetting(world, 'SiteSetting', { ...setting, cname_domain: '' });
    expect((await expected()).addresses).toHaveLength(4);
    await saveSetting(world, 'SiteSetting', { ...setting, cname_domain });
    await world.admin.get('bindNodes', { params, body: { remove: nodes } });
  });
});

describe('a customer’s new site, where the platform asks for proof', () => {
  it('is checking until the DNS points at it, then online by itself', async () => {
    const name = newName();
    const { id } = await create([name]);
    expect(await read(id)).toMatchObject({ status: 'checking', domains_waiting: 1 });
    const first = await check(id);
    expect(first.domains[0]).toMatchObject({ verdict: 'nxdomain', proof: 'waiting' });
    expect(first.expected.addresses).toEqual([]);
    const told = await world.admin.get('getSiteDnsCheck', { params: { id } });
    expect(told.expected.addresses).toEqual(['192.0.2.1']);

    await dns.write([`${name} IN CNAME ${first.expected.cname}.`]);
    await makeDue(id);
    await runDueChecks(world.server.services);
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0 });
    expect(await waitingOnNodes(id)).toEqual([]);
    const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id } });
    expect(domains[0]).toMatchObject({ verdict: 'cname', proof: 'given', next_check_at: null });
    const { list } = await customer.api.get('listSiteRevisions', { params: { id }, query: {} });
    expect(list[0]).toMatchObject({ section: 'status', author_type: 'system' });
  });

  it('is opened by a TXT record before its domain points here', async () => {
    const name = newName();
    const { id } = await create([name]);
    const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id } });
    expect(domains[0]!.txt_name).toBe(`_breakwater.${name}.example.com`);
    await dns.write([`_breakwater.${name} IN TXT "${domains[0]!.txt_value}"`]);
    expect((await check(id)).domains[0]).toMatchObject({ verdict: 'txt', proof: 'given' });
    expect((await read(id)).status).toBe('online');
  });

  it('opens with the first domain that is proven; the others wait, on the nodes too', async () => {
    const [one, two] = [newName(), newName()];
    const { id } = await create([one, two]);
    await dns.write([`${one} IN CNAME ${await cnameOf(id)}.`, `${two} IN A 192.0.2.1`]);
    const { domains } = await check(id);
    expect(domains.map(({ verdict, proof }) => [verdict, proof])).toEqual([
      ['cname', 'given'],
      ['address', 'waiting'],
    ]);
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 1 });
    expect(await waitingOnNodes(id)).toEqual([`${two}.example.com`]);
  });

  it('is not opened by an address, be it that of a node: all sites share it', async () => {
    const name = newName();
    const { id } = await create([name]);
    await dns.write([`${name} IN A 192.0.2.1`]);
    expect((await check(id)).domains[0]).toMatchObject({ verdict: 'address', proof: 'waiting' });
    expect((await read(id)).status).toBe('checking');
    const { txt_value: token } = (await check(id)).domains[0]!;
    await dns.write([`${name} IN A 192.0.2.1`, `_breakwater.${name} IN TXT "${token}"`]);
    expect((await check(id)).domains[0]).toMatchObject({
      verdict: 'address',
      proof: 'given',
      next_check_at: null,
    });
    expect((await read(id)).status).toBe('online');
  });

  it('fails when its time is over, and is checked again when the customer asks', async () => {
    const name = newName();
    const { id } = await create([name]);
    await makeDue(id, true);
    await runDueChecks(world.server.services);
    expect((await read(id)).status).toBe('check_failed');
    const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id } });
    expect(domains[0]).toMatchObject({ proof: 'failed', next_check_at: null });

    expect((await check(id)).domains[0]).toMatchObject({ proof: 'waiting' });
    expect((await read(id)).status).toBe('checking');
    await dns.write([`${name} IN CNAME ${await cnameOf(id)}.`]);
    await check(id);
    expect((await read(id)).status).toBe('online');
  });

  it('cannot be put online by its customer, not even by way of offline; an operator can', async () => {
    const { id } = await create([newName()]);
    const set = (api: World['admin'], version: number, status: 'online' | 'offline') =>
      api.call('updateSiteStatus', { params: { id }, body: { version, status } });
    expect(await set(customer.api, 1, 'online')).toMatchObject({ status: 409, code: 40912 });
    await set(customer.api, 1, 'offline');
    await set(customer.api, 2, 'online');
    expect((await read(id)).status).toBe('checking');
    await set(world.admin, 3, 'online');
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0 });
  });

  it('is checked at growing intervals', async () => {
    const { id } = await create([newName()]);
    const minutes: number[] = [];
    for (let round = 0; round < 4; round++) {
      await makeDue(id);
      await runDueChecks(world.server.services);
      const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id } });
      const { next_check_at: next, checked_at: at } = domains[0]!;
      minutes.push(Math.round((Date.parse(next!) - Date.parse(at!)) / 60_000));
    }
    expect(minutes).toEqual([1, 1, 2, 5]);
  });
});

describe('what needs no proof', () => {
  it('is an operator’s site, and every site while the platform does not ask', async () => {
    expect((await read((await create([newName()], world.admin)).id)).status).toBe('online');
    await setSetting({ site_check: false });
    expect((await read((await create([newName()])).id)).status).toBe('online');
  });

  it('is whoever waited when the platform stops asking', async () => {
    const { id } = await create([newName()]);
    await setSetting({ site_check: false });
    await runDueChecks(world.server.services);
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0 });
  });
});

describe('a domain that comes to a site later', () => {
  it('waits for itself, and the others are served on', async () => {
    await setSetting({ site_check: false });
    const [one, two] = [newName(), newName()];
    const { id } = await create([one]);
    await setSetting({});
    await dns.write([]);
    const domains = [`${one}.example.com`, `${two}.example.com`];
    const change = { params: { id }, body: { version: 1, domains } };
    await setSetting({ site_check: true });
    await customer.api.get('updateSiteDomains', change);
    expect(await read(id)).toMatchObject({ status: 'online', domains, domains_waiting: 1 });
    expect(await waitingOnNodes(id)).toEqual([domains[1]]);
    const turned = { params: { id }, body: { version: 2, domains: [domains[1]!, domains[0]!] } };
    await customer.api.get('updateSiteDomains', turned);
    expect(await waitingOnNodes(id)).toEqual([domains[1]]);
    await customer.api.get('updateSiteDomains', {
      params: { id },
      body: { version: 3, domains: [domains[1]!] },
    });
    expect((await read(id)).status).toBe('checking');
  });
});

describe('the list of domains', () => {
  it('has every domain with its check, and filters', async () => {
    const [one, two] = [newName(), newName()];
    const { id } = await create([one, two]);
    await dns.write([`${one} IN A 192.0.2.1`, `${two} IN A 198.51.100.7`]);
    await check(id);
    const find = async (query: object) =>
      (await world.admin.get('listSiteDomains', { query: { site_id: id, ...query } })).list.map(
        ({ domain }) => domain.replace('.example.com', ''),
      );
    expect((await find({})).sort()).toEqual([one, two].sort());
    expect(await find({ verdict: 'address' })).toEqual([one]);
    expect((await find({ proof: 'waiting' })).sort()).toEqual([one, two].sort());
    expect(await find({ proof: 'given' })).toEqual([]);
    expect(await find({ domain: two })).toEqual([two]);
    expect(await find({ verdict: 'unchecked' })).toEqual([]);
    expect(await find({ client_id: other.id })).toEqual([]);
    expect((await find({ client_id: customer.id })).length).toBe(2);
    const { list } = await world.admin.get('listSiteDomains', { query: { domain: one } });
    expect(list[0]).toMatchObject({ site_id: id, site_status: 'checking', client_id: customer.id });
    expect(list[0]!.cname).toBe((await read(id)).cname);
  });

  it('checks several at once', async () => {
    const names = [newName(), newName(), newName()];
    await create(names);
    await dns.write(names.map((name) => `${name} IN A 192.0.2.1`));
    const domains = names.map((name) => `${name}.example.com`);
    expect(await world.admin.get('checkDomains', { body: { domains } })).toEqual({ checked: 3, left: 0 });
    for (const domain of domains) {
      const { list } = await world.admin.get('listSiteDomains', { query: { domain } });
      expect(list[0]).toMatchObject({ verdict: 'address', proof: 'waiting' });
    }
  });
});

describe('another customer’s site', () => {
  it('shows neither its checks nor its tips, and is not checked', async () => {
    const { id } = await makeSite(other.api);
    const params = { id };
    for (const name of ['getSiteCname', 'getSiteDnsCheck', 'checkSiteDns', 'getSiteTips'] as const)
      expect(await customer.api.call(name, { params }), name).toMatchObject({ status: 404 });
  });

  it('has no domain in the list, and none that is checked', async () => {
    const { id, domain } = await makeSite(other.api);
    expect((await customer.api.get('listSiteDomains', { query: { site_id: id } })).total).toBe(0);
    const body = { domains: [domain] };
    expect(await customer.api.get('checkDomains', { body })).toEqual({ checked: 0, left: 0 });
    expect(await other.api.get('checkDomains', { body })).toEqual({ checked: 1, left: 0 });
  });
});

describe('tips', () => {
  it('come from the product, with the CNAME filled in', async () => {
    const { list } = await world.admin.get('listProducts', { query: {} });
    const { id, name, line_group_id, prices, limits, version } = list.at(-1)!;
    const prompts = 'Point here|Set a CNAME to {cname}|green\n\nNo mail|Keep your MX records|yellow';
    const body = { name, line_group_id, prices, limits, prompts, version };
    await world.admin.get('updateProduct', { params: { id }, body });
    const site = await create([newName()]);
    const { cname } = await read(site.id);
    expect((await customer.api.get('getSiteTips', { params: { id: site.id } })).tips).toEqual([
      { title: 'Point here', content: `Set a CNAME to ${cname}`, color: 'green' },
      { title: 'No mail', content: 'Keep your MX records', color: 'yellow' },
    ]);
    await setSetting({ cname_domain: '' });
    expect((await customer.api.get('getSiteTips', { params: { id: site.id } })).tips).toHaveLength(1);
  });

  it.each([
    ['a|b|blue', 'Line 1: the color must be green, gray, yellow or red'],
    ['a|b|red\na|b', 'Line 2: must be title|content|color'],
    ['a|b|red\n\n||green', 'Line 3: must be title|content|color'],
    [`${'x'.repeat(101)}|b|red`, 'Line 1: the title can have at most 100 characters, the content 500'],
  ])('%j is refused with its line', async (prompts, message) => {
    const { list } = await world.admin.get('listProducts', { query: {} });
    const { id, name, line_group_id, prices, limits, version } = list[0]!;
    const body = { name, line_group_id, prices, limits, prompts, version };
    const answer = await world.admin.call('updateProduct', { params: { id }, body });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'prompts', message }] });
  });
});

describe('checks that are broken off', () => {
  const setDue = (id: number) =>
    world.server.services.db
      .update(siteDomain)
      .set({ nextCheckAt: new Date(0) })
      .where(and(eq(siteDomain.siteId, id), isNotNull(siteDomain.nextCheckAt)));

  it('leave their site due, and others are done', async () => {
    const { db } = world.server.services;
    const [broken, sound] = [newName(), newName()];
    const [first, second] = [await create([broken]), await create([sound])];
    await dns.write([
      `${broken} IN CNAME ${await cnameOf(first.id)}.`,
      `${sound} IN CNAME ${await cnameOf(second.id)}.`,
    ]);
    for (const { id } of [first, second]) await makeDue(id, true);
    // The server that does it ends in the middle: what it holds of the first site is taken back.
    await db.execute(
      sql.raw(`CREATE FUNCTION end_here() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.id = ${first.id} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$;
        CREATE TRIGGER end_here BEFORE UPDATE ON site FOR EACH ROW EXECUTE FUNCTION end_here()`),
    );
    await runDueChecks(world.server.services).catch(() => undefined);
    await db.execute(sql`DROP TRIGGER end_here ON site`);
    expect((await read(first.id)).status).toBe('checking');
    expect((await read(second.id)).status).toBe('online');
    await setDue(first.id);
    await runDueChecks(world.server.services);
    expect((await read(first.id)).status).toBe('online');
  });

  it('are none where a TXT record holds what cannot be stored', async () => {
    const name = newName();
    const { id } = await create([name]);
    await dns.write([`_breakwater.${name} IN TXT "a\\000b"`, `${name} IN CNAME ${await cnameOf(id)}.`]);
    await makeDue(id);
    await runDueChecks(world.server.services);
    expect((await read(id)).status).toBe('online');
    const { domains } = await customer.api.get('getSiteDnsCheck', { params: { id } });
    expect(domains[0]!.seen!.txt).toEqual(['ab']);
  });
});
