import { siteSetting } from '@breakwater/contract';
import {
  exportSite,
  makeCustomer,
  saveSetting,
  startDnsServer,
  startWorld,
  unique,
  type Customer,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { edgeDocument, nodeIp, siteDomain } from '../../db/schema.ts';
import { workThrough } from '../../jobs/test-work.ts';
import { runDueChecks } from '../site-domain/site-domain.service.ts';

/** Names of two customers that overlap: what counts as such, every road to one, and every way to be given it. */

let world: World;
let dns: DnsServer;
let owner: Customer;
let other: Customer;
/** A zone of its own for each test, within the one that the DNS answers for. */
let zone: string;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  dns = await startDnsServer('example.com');
  [owner, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
  await world.server.services.db.update(nodeIp).set({ ip: '192.0.2.1' });
});
afterAll(async () => {
  await dns?.close();
  await world?.close();
});
beforeEach(async () => {
  zone = `${unique('zone')}.example.com`;
  await setSetting({});
});

const setSetting = (more: object) =>
  saveSetting(
    world,
    'SiteSetting',
    siteSetting.parse({ cname_domain: 'cdn.example.com', dns_servers: [dns.address], ...more }),
  );
const inZone = (name: string) => name.replace('.example.com', '');
type Api = World['admin'];
/** What an operator adds is given where nobody else has a name that overlaps. */
const give = (to: Customer, ...domains: string[]) =>
  world.admin.get('createSite', { body: { domains, origin: '192.0.2.9', order_id: to.orderId } });
const claim = (by: Api, ...domains: string[]) =>
  by.get('createSite', { body: { domains, origin: '192.0.2.9' } });
const read = (id: number) => world.admin.get('getSite', { params: { id } });
const checksOf = async (id: number, by: Api = world.admin) =>
  (await by.get('getSiteDnsCheck', { params: { id } })).domains;
const check = async (id: number, by: Api = other.api) =>
  (await by.get('checkSiteDns', { params: { id } })).domains;
const proofsOf = async (id: number) =>
  Object.fromEntries((await checksOf(id)).map(({ domain, proof }) => [domain, proof]));
/** The names that nodes are told of. */
async function namesOnNodes(id: number): Promise<string[]> {
  const rows = await world.server.services.db
    .select({ body: edgeDocument.body })
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'site'), eq(edgeDocument.key, String(id))));
  return (JSON.parse(rows[0]!.body) as { domains: string[] }).domains;
}
async function writeTxt(id: number, more: string[] = []) {
  const records = (await checksOf(id)).map(
    ({ txt_name, txt_value }) => `${inZone(txt_name)} IN TXT "${txt_value}"`,
  );
  await dns.write([...records, ...more]);
}
const expectWaiting = async (id: number, ...domains: string[]) => {
  expect(await checksOf(id)).toEqual(
    expect.arrayContaining(
      domains.map((domain) => expect.objectContaining({ domain, proof: 'waiting', contested: true })),
    ),
  );
  const told = await namesOnNodes(id);
  for (const domain of domains) expect(told).not.toContain(domain);
};

describe('names of two customers', () => {
  beforeEach(() => setSetting({ site_check: false }));

  it.each([
    ['*.Z', 'login.Z'],
    ['*.Z', 'a.b.Z'],
    ['*.Z', 'Z'],
    ['*.Z', '*.Z'],
    ['*.Z', '*.a.Z'],
    ['www.Z', 'Z'],
    ['www.Z', '*.Z'],
    ['www.Z', 'www.Z'],
    ['a.b.Z', '*.Z'],
    ['Z', 'login.Z'],
    ['*.Z', 'LOGIN.Z.'],
    ['bücher.Z', 'a.xn--bcher-kva.Z'],
    ['*.bücher.Z', 'a.BÜCHER.Z'],
    ['*.Z', 'login。Z'],
  ])('%s and %s overlap: the other waits, and nodes are told of the owner’s alone', async (one, two) => {
    const [ownName, otherName] = [one.replace('Z', zone), two.replace('Z', zone)];
    const owned = await give(owner, ownName);
    const { id } = await claim(other.api, otherName);
    expect(await read(id)).toMatchObject({ status: 'checking', domains_waiting: 1, domains_contested: 1 });
    await expectWaiting(id, (await read(id)).domains[0]!);
    expect(await namesOnNodes(id)).toEqual([]);
    expect(await proofsOf(owned.id)).toEqual({ [(await read(owned.id)).domains[0]!]: 'given' });
  });

  it.each([
    ['a.Z', 'b.Z'],
    ['*.a.Z', 'b.Z'],
    ['*.a.Z', '*.b.Z'],
    ['Z', 'xZ'],
    ['*.Z', '*.xZ'],
  ])('%s and %s do not', async (one, two) => {
    await give(owner, one.replace('Z', zone));
    const { id } = await claim(other.api, two.replace('Z', zone));
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0, domains_contested: 0 });
  });

  it('never wait for each other within one account, where each is used once', async () => {
    await give(owner, `*.${zone}`);
    const { id } = await claim(owner.api, `login.${zone}`);
    expect((await read(id)).status).toBe('online');
    const body = { domains: [`login.${zone}`], origin: '192.0.2.9' };
    expect(await owner.api.call('createSite', { body })).toMatchObject({
      status: 400,
      errors: [{ path: 'domains.0', message: 'Another site already uses this domain' }],
    });
  });

  it('that come at the same moment do not both get in', async () => {
    for (const [one, two] of [
      [`*.r1.${zone}`, `login.r1.${zone}`],
      [`r2.${zone}`, `r2.${zone}`],
      [`r3.${zone}`, `www.r3.${zone}`],
      [`a.r4.${zone}`, `*.r4.${zone}`],
    ] as const) {
      const sites = await Promise.all([claim(owner.api, one), claim(other.api, two)]);
      const statuses = await Promise.all(sites.map(async ({ id }) => (await read(id)).status));
      expect(statuses.sort()).toEqual(['checking', 'online']);
    }
  });

  it('do not keep others below a public suffix from anything but a proof', async () => {
    // Whoever takes `co.uk` has it for nothing: those below it show what is theirs.
    await give(owner, `*.${zone}`, zone);
    const shops = await Promise.all([claim(other.api, `shop.${zone}`), claim(other.api, `book.${zone}`)]);
    for (const { id } of shops) {
      await writeTxt(id);
      expect((await check(id))[0]).toMatchObject({ proof: 'given' });
      expect((await read(id)).status).toBe('online');
    }
  });
});

describe('every road by which a domain comes to a site', () => {
  let domain: string;
  beforeEach(async () => {
    await setSetting({ site_check: false });
    domain = `login.${zone}`;
    await give(owner, `*.${zone}`);
  });
  const own = () => `${unique('own')}.example.com`;
  const fileOf = (id: number) => exportSite(other.api, id);

  it('the domains of a site that serves already', async () => {
    const kept = own();
    const { id } = await claim(other.api, kept);
    await other.api.get('updateSiteDomains', {
      params: { id },
      body: { version: 1, domains: [domain, kept] },
    });
    await expectWaiting(id, domain);
    expect(await namesOnNodes(id)).toEqual([kept]);
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 1, domains_contested: 1 });
  });

  it('a rollback to a version that had it', async () => {
    const late = `late.${unique('zone')}.example.com`;
    const kept = own();
    const { id } = await claim(other.api, kept, late);
    const params = { id };
    const { list } = await other.api.get('listSiteRevisions', { params, query: {} });
    await other.api.get('updateSiteDomains', { params, body: { version: 1, domains: [kept] } });
    await give(owner, `*.${late.replace('late.', '')}`);
    await other.api.get('rollbackSite', { params, body: { version: 2, revision_id: list[0]!.id } });
    await expectWaiting(id, late);
  });

  it('a file, for a site that is there and for a new one', async () => {
    const { id } = await claim(other.api, own());
    const file = { ...(await fileOf(id)), domains: [domain] };
    await other.api.get('importSite', {
      params: { id },
      body: { version: 1, file, parts: ['domains'] },
    });
    await expectWaiting(id, domain);
    const low = `low.${domain}`;
    const made = await other.api.get('importNewSite', { body: { file: { ...file, domains: [low] } } });
    await expectWaiting(made.id, low);
    const twice = await other.api.call('importNewSite', { body: { file: { ...file, domains: [low, low] } } });
    expect(twice).toMatchObject({ status: 400, errors: [{ path: 'file.domains.1' }] });
  });

  it('drafts of another system', async () => {
    const sections = { origin_server_config: { origins: [{ address: '192.0.2.9' }] } };
    const { id } = await other.api.get('importSiteDrafts', {
      body: { drafts: [{ domains: [domain], sections }], online: true },
    });
    await workThrough(world.server.services, id);
    const [row] = (await other.api.get('listSites', { query: { domain_name: domain } })).list;
    expect(row!.status).toBe('checking');
    await expectWaiting(row!.id, domain);
  });

  it('an operator, who adds it for another account', async () => {
    const { id } = await give(other, domain);
    await expectWaiting(id, domain);
    expect((await read(id)).status).toBe('checking');
  });
});

describe('a name that waits beside another customer’s', () => {
  let domain: string;
  let id: number;
  let ownerSite: number;
  beforeEach(async () => {
    domain = `login.${zone}`;
    ownerSite = (await give(owner, `*.${zone}`)).id;
    id = (await claim(other.api, domain)).id;
  });
  const cnameOf = async (site: number) => (await read(site)).cname!;
  const at = inZone;

  it('is not given for an address, nor for the CNAME of the owner', async () => {
    await dns.write([`${at(domain)} IN A 192.0.2.1`]);
    expect((await check(id))[0]).toMatchObject({ verdict: 'address', proof: 'waiting' });
    await dns.write([`${at(domain)} IN CNAME ${await cnameOf(ownerSite)}.`]);
    expect((await check(id))[0]).toMatchObject({ verdict: 'elsewhere', proof: 'waiting' });
  });

  it('is given for its own CNAME, but not for one that a name between leads to', async () => {
    const between = `partner.${unique('zone')}`;
    await dns.write([
      `${at(domain)} IN CNAME ${between}.example.com.`,
      `${between} IN CNAME ${await cnameOf(id)}.`,
    ]);
    expect((await check(id))[0]).toMatchObject({ verdict: 'cname', proof: 'waiting' });
    await dns.write([`${at(domain)} IN CNAME ${await cnameOf(id)}.`]);
    expect((await check(id))[0]).toMatchObject({ verdict: 'cname', proof: 'given', contested: false });
    expect(await namesOnNodes(id)).toEqual([domain]);
    expect(await read(id)).toMatchObject({ status: 'online', domains_contested: 0 });
  });

  it('is given for its own token alone: not that of another name, of another site, or of an earlier claim', async () => {
    const params = { id };
    const kept = `${unique('own')}.example.com`;
    const before = (await checksOf(id))[0]!;
    await other.api.get('updateSiteDomains', { params, body: { version: 1, domains: [kept] } });
    await other.api.get('updateSiteDomains', { params, body: { version: 2, domains: [kept, domain] } });
    const foreign = (await checksOf((await claim(owner.api, `${unique('x')}.example.com`)).id))[0]!;
    const tokens = [before.txt_value, (await checksOf(id))[0]!.txt_value, foreign.txt_value];
    await dns.write(tokens.map((token) => `_breakwater.${at(domain)} IN TXT "${token}"`));
    expect((await check(id))[1]).toMatchObject({ domain, proof: 'waiting' });
    expect(new Set([...tokens, (await checksOf(id))[1]!.txt_value]).size).toBe(4);
    await writeTxt(id);
    expect((await check(id))[1]).toMatchObject({ domain, proof: 'given' });
  });

  it('fails when its time is over', async () => {
    await world.server.services.db
      .update(siteDomain)
      .set({ nextCheckAt: new Date(0), checkUntil: new Date(0) })
      .where(eq(siteDomain.siteId, id));
    await runDueChecks(world.server.services);
    expect((await checksOf(id))[0]).toMatchObject({ proof: 'failed', contested: true, next_check_at: null });
    expect((await read(id)).status).toBe('check_failed');
    expect(await namesOnNodes(id)).toEqual([]);
  });

  it('needs what every name needs once the owner’s is gone: nothing, where the platform asks for nothing', async () => {
    await world.admin.get('removeSiteForced', { params: { id: ownerSite } });
    await runDueChecks(world.server.services);
    expect((await checksOf(id))[0]).toMatchObject({ proof: 'waiting', contested: false });
    expect(await namesOnNodes(id)).toEqual([domain]);
    await setSetting({ site_check: false });
    await runDueChecks(world.server.services);
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0 });
  });

  it('stays as it is when the platform stops asking for proof', async () => {
    await setSetting({ site_check: false });
    await runDueChecks(world.server.services);
    await expectWaiting(id, domain);
  });

  it('tells whose the other names are to operators only', async () => {
    const overlaps = [{ domain: `*.${zone}`, site_id: ownerSite, client_id: owner.id }];
    expect((await checksOf(id))[0]!.overlaps).toMatchObject(overlaps);
    expect((await checksOf(id, other.api))[0]!.overlaps).toEqual([]);
    const { list } = await other.api.get('listSiteDomains', { query: { domain } });
    expect(list).toMatchObject([{ domain, contested: true, site_id: id }]);
  });
});

describe('a name that two customers can prove', () => {
  it('goes to the one who proves it last; the other needs a new token', async () => {
    const first = (await claim(owner.api, zone)).id;
    await writeTxt(first);
    expect((await check(first, owner.api))[0]).toMatchObject({ proof: 'given' });
    const [former] = await checksOf(first);
    const second = (await claim(other.api, zone)).id;
    await expectWaiting(second, zone);
    const [latter] = await checksOf(second);
    const both = [former!, latter!].map(
      ({ txt_name, txt_value }) => `${inZone(txt_name)} IN TXT "${txt_value}"`,
    );
    await dns.write(both);
    expect((await check(second))[0]).toMatchObject({ proof: 'given' });
    expect(await namesOnNodes(first)).toEqual([]);
    expect(await checksOf(first)).toMatchObject([{ proof: 'failed', contested: true }]);
    expect((await read(first)).status).toBe('check_failed');

    await runDueChecks(world.server.services);
    expect(await checksOf(first)).toMatchObject([{ proof: 'failed', next_check_at: null }]);
    expect((await check(first, owner.api))[0]).toMatchObject({ proof: 'waiting' });
    expect((await checksOf(first))[0]!.txt_value).not.toBe(former!.txt_value);
    expect(await proofsOf(second)).toEqual({ [zone]: 'given' });
  });

  it('is kept from nobody by whoever cannot prove it', async () => {
    const squatter = (await claim(other.api, zone)).id;
    const { id } = await claim(owner.api, zone);
    await writeTxt(id);
    expect((await check(id, owner.api))[0]).toMatchObject({ proof: 'given' });
    expect((await read(id)).status).toBe('online');
    expect(await namesOnNodes(id)).toEqual([zone]);
    await runDueChecks(world.server.services);
    await expectWaiting(squatter, zone);
  });
});

describe('a name below the customer’s own wildcard', () => {
  it('needs no other proof than that', async () => {
    await give(owner, `*.${zone}`);
    expect((await read((await claim(owner.api, `login.${zone}`)).id)).status).toBe('online');
    expect((await read((await claim(owner.api, zone)).id)).status).toBe('checking');
  });
});

describe('an operator', () => {
  let domain: string;
  let id: number;
  beforeEach(async () => {
    domain = `login.${zone}`;
    await give(owner, `*.${zone}`, domain);
    id = (await claim(other.api, domain)).id;
  });
  const grant = (by: Api, site = id, name = domain) =>
    by.call('grantDomain', { params: { id: site }, body: { domain: name } });

  it('gives nothing of another customer’s away by putting a site online', async () => {
    const body = { version: 1, status: 'online' as const };
    const answer = await world.admin.call('updateSiteStatus', { params: { id }, body });
    expect(answer).toMatchObject({ status: 409, code: 40_914 });
    await expectWaiting(id, domain);
  });

  it('decides whose a name is; who had the very name loses it', async () => {
    const former = (await world.admin.get('listSiteDomains', { query: { domain, client_id: owner.id } }))
      .list[0]!;
    expect(await grant(world.admin)).toMatchObject({
      status: 200,
      data: { domains: [{ proof: 'given', contested: false }] },
    });
    expect(await read(id)).toMatchObject({ status: 'online', domains_waiting: 0 });
    expect(await namesOnNodes(id)).toEqual([domain]);
    expect(await proofsOf(former.site_id)).toEqual({ [`*.${zone}`]: 'given', [domain]: 'failed' });
    expect(await namesOnNodes(former.site_id)).toEqual([`*.${zone}`]);
    const { list } = await world.admin.get('listSiteRevisions', { params: { id }, query: {} });
    expect(list[0]).toMatchObject({ section: 'status', author_type: 'admin' });
  });

  it('is the only one who does', async () => {
    for (const api of [other.api, owner.api]) expect(await grant(api)).toMatchObject({ status: 404 });
    expect(await grant(world.anonymous)).toMatchObject({ status: 401 });
    expect(await grant(world.admin, id, `none.${zone}`)).toMatchObject({ status: 404 });
    await expectWaiting(id, domain);
  });
});
