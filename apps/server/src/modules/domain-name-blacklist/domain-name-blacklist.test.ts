import {
  exportSite,
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { errors } from '@breakwater/contract';
import { siteDomain } from '../../db/schema.ts';
import type { ItemWork } from '../../jobs/define-job.ts';
import { blacklistScanJob } from './blacklist-scan.job.ts';
import { blacklistedOf } from '../site-claim/site-claim.service.ts';

let world: World;
let customer: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
});
afterAll(() => world.close());

const db = () => world.server.services.db;
type Kind = 'exact' | 'subdomains' | 'pattern';
const add = async (name: string, kind: Kind = 'exact', enabled = true) =>
  (
    await world.admin.get('createDomainNameBlacklistEntry', {
      body: { name, kind, enabled, reason: 'gambling' },
    })
  ).id;
const scanned = (id: number) =>
  waitFor('the scan', async () => {
    const { list } = await world.admin.get('listTasks', { query: { type: 'blacklist_scan', object_id: id } });
    return list.length > 0 && list.every(({ status }) => status === 'done') && list;
  });
const hitsOf = async (blacklist_id: number, api = world.admin) =>
  (await api.get('listBlacklistHits', { query: { blacklist_id, page_size: 200 } })).list;
const refused = {
  status: 400,
  errors: [expect.objectContaining({ message: expect.stringContaining('blacklist') })],
};

describe('an entry', () => {
  it('is exact, with subdomains, or a pattern; a wildcard is on it that would serve such a name', async () => {
    const word = unique('bl');
    await add(`exact.${word}.com`);
    await add(`below.${word}.com`, 'subdomains');
    await add(`*casino-${word}*.net`, 'pattern');
    const found = async (domain: string) => (await blacklistedOf(db(), [domain])).length > 0;
    const on = [
      `exact.${word}.com`,
      `below.${word}.com`,
      `a.b.below.${word}.com`,
      `*.below.${word}.com`,
      `*.${word}.com`,
      `my-casino-${word}.net`,
      `www.casino-${word}-1.net`,
      `*.casino-${word}.net`,
    ];
    const off = [
      `${word}.com`,
      `a.exact.${word}.com`,
      `*.exact.${word}.com`,
      `notbelow.${word}.com`,
      `casino-${word}.com`,
      `casino_${word}.net`,
    ];
    for (const domain of on) expect([domain, await found(domain)]).toEqual([domain, true]);
    for (const domain of off) expect([domain, await found(domain)]).toEqual([domain, false]);
  });

  it('that is off is on nothing, and one that is no domain is refused', async () => {
    const domain = `${unique('off')}.example.com`;
    await add(domain, 'exact', false);
    expect(await blacklistedOf(db(), [domain])).toEqual([]);
    for (const [name, kind] of [
      ['*', 'pattern'],
      ['*.*', 'pattern'],
      ['a*', 'pattern'],
      ['*a*b*c*d*e*', 'pattern'],
      ['plain.com', 'pattern'],
      ['*.example.com', 'exact'],
      ['x', 'subdomains'],
      ['a b.com', 'exact'],
      ['赌场*.com', 'pattern'],
    ] as const)
      expect([
        name,
        await world.admin.call('createDomainNameBlacklistEntry', { body: { name, kind } }),
      ]).toMatchObject([name, { status: 400, errors: [{ path: 'name' }] }]);
  });

  it('is kept as it is served: in punycode and lower case, with its author', async () => {
    const id = await add(`赌场.${unique('IDN')}.COM`);
    const entry = await world.admin.get('getDomainNameBlacklistEntry', { params: { id } });
    expect(entry.name).toMatch(/^xn--[a-z0-9-]+\.idn[a-z0-9-]*\.com$/);
    expect(entry.created_by).not.toBe('');
  });
});

describe('a domain on the list is refused', () => {
  const domain = `bad.${unique('refused')}.com`;
  const at = (path: string) => ({ status: 400, errors: [{ path }] });
  beforeAll(() => add(domain));

  it('of a new site, and of one that is there, at its place, whoever adds it', async () => {
    const site = await makeSite(customer.api);
    for (const api of [customer.api, world.admin]) {
      const order = api === world.admin ? { order_id: customer.orderId } : {};
      const body = { domains: [`good.${unique('x')}.com`, domain], origin: '192.0.2.1', ...order };
      expect(await api.call('createSite', { body })).toMatchObject({ ...at('domains.1'), ...refused });
      const domains = [site.domain, domain];
      expect(
        await api.call('updateSiteDomains', { params: { id: site.id }, body: { version: 1, domains } }),
      ).toMatchObject({ ...at('domains.1'), ...refused });
    }
  });

  it('of a line of a batch', async () => {
    const body = { lines: [`${domain}|192.0.2.1`] };
    const { id } = await customer.api.get('createSiteBatch', { body });
    await waitFor(
      'the batch',
      async () => (await customer.api.get('getSiteBatch', { params: { id } })).status === 'done',
    );
    const { list } = await customer.api.get('listSiteBatchLines', { params: { id }, query: {} });
    expect(list).toMatchObject([
      { reason: `${domain}: This domain is on the domain blacklist and cannot be added` },
    ]);
  });

  it('of a file, of drafts, and of a rollback', async () => {
    const own = await makeSite(customer.api);
    const file = await exportSite(customer.api, own.id);
    const named = { ...file, domains: [domain] };
    expect(await customer.api.call('importNewSite', { body: { file: named } })).toMatchObject(refused);
    const { drafts } = await customer.api.get('readSiteDrafts', {
      body: {
        source: 'nginx',
        text: `server { server_name ${domain}; location / { proxy_pass http://192.0.2.1; } }`,
      },
    });
    const { id } = await customer.api.get('importSiteDrafts', {
      body: { drafts: drafts.map(({ domains, sections }) => ({ domains, sections })) },
    });
    await waitFor(
      'the drafts',
      async () => (await customer.api.get('getSiteBatch', { params: { id } })).status === 'done',
    );
    expect((await customer.api.get('listSiteBatchLines', { params: { id }, query: {} })).list).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('blacklist') },
    ]);
    const later = `later.${unique('rollback')}.com`;
    const params = { id: own.id };
    const change = (version: number, domains: string[]) =>
      customer.api.get('updateSiteDomains', { params, body: { version, domains } });
    await change(1, [own.domain, later]);
    await change(2, [own.domain]);
    await add(later);
    const { list } = await customer.api.get('listSiteRevisions', { params, query: {} });
    const revision = list.find(({ version }) => version === 2)!;
    expect(
      await customer.api.call('rollbackSite', { params, body: { version: 3, revision_id: revision.id } }),
    ).toMatchObject(refused);
  });

  it('but not in the way of a site that had it before', async () => {
    const own = await makeSite(customer.api);
    await add(own.domain);
    const domains = [own.domain, `more.${own.domain}`];
    await customer.api.get('updateSiteDomains', { params: { id: own.id }, body: { version: 1, domains } });
  });
});

describe('what sites have already', () => {
  it('is found by a task, shown to its customer without the entry, and gone with the domain', async () => {
    const own = await makeSite(customer.api);
    const id = await add(own.domain);
    await scanned(id);
    expect(await hitsOf(id)).toMatchObject([
      { domain: own.domain, site_id: own.id, site_name: own.domain, state: 'open', entry: own.domain },
    ]);
    expect((await world.admin.get('getDomainNameBlacklistEntry', { params: { id } })).open_count).toBe(1);
    const mine = await customer.api.get('listBlacklistHits', { query: { site_id: own.id } });
    expect(mine.list).toMatchObject([{ domain: own.domain, entry: '', decided_by: '' }]);
    expect((await other.api.get('listBlacklistHits', { query: { site_id: own.id } })).total).toBe(0);
    await customer.api.get('updateSiteDomains', {
      params: { id: own.id },
      body: { version: 1, domains: [`next.${own.domain}`] },
    });
    expect(await hitsOf(id)).toEqual([]);
  });

  it('is decided by an operator: the site suspended with a note, ignored, or open again', async () => {
    const own = await makeSite(customer.api);
    const id = await add(own.domain);
    await scanned(id);
    const [hit] = await hitsOf(id);
    const decide = async (state: 'open' | 'ignored' | 'suspended', note = '') => {
      const { version } = (await hitsOf(id))[0]!;
      await world.admin.get('decideBlacklistHit', {
        params: { id: hit!.id },
        body: { version, state, note },
      });
    };
    await decide('ignored');
    expect(await hitsOf(id)).toMatchObject([{ state: 'ignored', decided_by: expect.stringMatching(/./) }]);
    await decide('suspended', 'not allowed here');
    expect(await hitsOf(id)).toMatchObject([{ state: 'suspended', note: 'not allowed here' }]);
    expect(await customer.api.get('getSite', { params: { id: own.id } })).toMatchObject({
      status: 'suspended',
      status_reason: 'operator',
      status_note: 'not allowed here',
    });
    await decide('open');
    expect(await hitsOf(id)).toMatchObject([{ state: 'open', decided_by: '', decided_at: null }]);
  });

  it('is decided by one of two who saw the same, and nothing follows from the other’s', async () => {
    const own = await makeSite(customer.api);
    const id = await add(own.domain);
    await scanned(id);
    const [hit] = await hitsOf(id);
    const params = { id: hit!.id };
    const { version } = hit!;
    const [ignored, suspended] = await Promise.all([
      world.admin.call('decideBlacklistHit', { params, body: { version, state: 'ignored' } }),
      world.admin.call('decideBlacklistHit', {
        params,
        body: { version, state: 'suspended', note: 'not allowed here' },
      }),
    ]);
    const taken = ignored.status === 200 ? 'ignored' : 'suspended';
    const [done, refusedOne] = taken === 'ignored' ? [ignored, suspended] : [suspended, ignored];
    expect(done.status).toBe(200);
    expect(refusedOne).toMatchObject({ status: 409, code: errors.stale_version.code });
    expect(await hitsOf(id)).toMatchObject([
      { state: taken, note: taken === 'ignored' ? '' : 'not allowed here', version: version + 1 },
    ]);
    const { status } = await customer.api.get('getSite', { params: { id: own.id } });
    expect(status === 'suspended').toBe(taken === 'suspended');
  });

  it('is searched for anew after a change, and no more once the entry is off', async () => {
    const own = await makeSite(customer.api);
    const id = await add(`other.${own.domain}`);
    await scanned(id);
    expect(await hitsOf(id)).toEqual([]);
    const change = (version: number, enabled: boolean) =>
      world.admin.get('updateDomainNameBlacklistEntry', {
        params: { id },
        body: { version, name: own.domain, kind: 'subdomains', reason: '', enabled },
      });
    await change(1, true);
    await scanned(id);
    expect(await hitsOf(id)).toMatchObject([{ domain: own.domain }]);
    await change(2, false);
    expect(await hitsOf(id)).toEqual([]);
  });

  it('is found once, though the scan was killed and done again', async () => {
    const own = await makeSite(customer.api);
    const id = await add(own.domain);
    await scanned(id);
    const progress: number[] = [];
    // As a worker does that takes over what another one began, and had written in part.
    const work = {
      services: world.server.services,
      operation: { subjectId: id },
      signal: new AbortController().signal,
      report: async (done: number) => void progress.push(done),
    } as unknown as ItemWork;
    expect(await blacklistScanJob.run(work)).toEqual({ state: 'done' });
    expect(progress.at(-1)).toBe(await db().$count(siteDomain));
    expect(await blacklistScanJob.run({ ...work, signal: AbortSignal.abort() }).catch(() => 'ended')).toBe(
      'ended',
    );
    expect(await hitsOf(id)).toHaveLength(1);
  });
});

it('an entry and a domain that come at the same moment meet', async () => {
  const word = unique('race');
  const rounds = Array.from({ length: 6 }, (_, n) => `r${n}.${word}.com`);
  for (const domain of rounds) {
    const [id, made] = await Promise.all([
      add(domain),
      customer.api.call('createSite', { body: { domains: [domain], origin: '192.0.2.1' } }),
    ]);
    await scanned(id);
    expect((await hitsOf(id)).length).toBe(made.status === 200 ? 1 : 0);
  }
});

it('are nobody else’s business', async () => {
  const own = await makeSite(customer.api);
  const id = await add(own.domain);
  await scanned(id);
  const [hit] = await hitsOf(id);
  const calls = [
    ['listDomainNameBlacklist', { query: {} }],
    ['getDomainNameBlacklistEntry', { params: { id } }],
    ['createDomainNameBlacklistEntry', { body: { name: 'a.example.com', kind: 'exact' } }],
    [
      'updateDomainNameBlacklistEntry',
      { params: { id }, body: { version: 1, name: 'a.example.com', kind: 'exact' } },
    ],
    ['removeDomainNameBlacklistEntry', { params: { id } }],
    ['decideBlacklistHit', { params: { id: hit!.id }, body: { version: 1, state: 'ignored' } }],
  ] as const;
  const reader = await makeAdministrator(world, ['site_violation.read']);
  for (const [name, input] of calls) {
    expect((await world.anonymous.call(name, input as never)).status).toBe(401);
    expect((await customer.api.call(name, input as never)).status).toBe(errors.not_found.status);
    expect((await reader.api.call(name, input as never)).status).toBe(403);
  }
  expect((await world.anonymousUser.call('listBlacklistHits', { query: {} })).status).toBe(401);
  const { api: without } = await makeAdministrator(world, ['site.read']);
  expect((await without.call('listBlacklistHits', { query: {} })).status).toBe(403);
});
