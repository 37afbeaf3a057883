import {
  exportSite,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { siteSectionNames, type SiteFile } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeDocument, site as siteTable, siteRevision } from '../../db/schema.ts';

let world: World;
let customer: Customer;
let stranger: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
  stranger = await makeCustomer(world);
});
afterAll(() => world.close());

const rule = (ttl_seconds: number) => ({ rules: [{ type: 'all' as const, ttl_seconds }] });
const setRules = (id: number, version: number, ttl: number) =>
  customer.api.get('updateCacheRule', { query: { site_id: id }, body: { version, value: rule(ttl) } });
const rulesOf = async (id: number) =>
  (await world.admin.get('getCacheRule', { query: { site_id: id } })).value.rules.map(
    (one) => one.ttl_seconds,
  );
const setTries = async (id: number, version: number, tries: number) => {
  const query = { site_id: id };
  const { value } = await customer.api.get('getOriginServerConfig', { query });
  await customer.api.get('updateOriginServerConfig', {
    query,
    body: { version, value: { ...value, tries } },
  });
};
const triesOf = async (id: number) =>
  (await world.admin.get('getOriginServerConfig', { query: { site_id: id } })).value.tries;

describe('a rollback of one section', () => {
  it('leaves every other section as it is', async () => {
    const site = await makeSite(customer.api);
    const params = { id: site.id };
    await setRules(site.id, 1, 60);
    await setTries(site.id, 2, 7);
    await setRules(site.id, 3, 120);
    const { list } = await customer.api.get('listSiteRevisions', { params, query: {} });
    const first = list.find((revision) => revision.version === 2)!;
    const preview = (revision_id: number, section?: 'cache_rule') =>
      customer.api.get('previewSiteRollback', { params, query: { revision_id, section } });
    expect(await preview(first.id, 'cache_rule')).toMatchObject({
      version: 4,
      diff: [{ path: 'cache_rule.rules.0.ttl_seconds', before: 120, after: 60 }],
    });
    // Against what is in force now, not against the version before.
    expect((await preview(first.id)).diff.map(({ path }) => path)).toEqual([
      'origin_server_config.tries',
      'cache_rule.rules.0.ttl_seconds',
    ]);
    const body = { version: 4, revision_id: first.id, section: 'cache_rule' as const };
    expect(await customer.api.get('rollbackSite', { params, body })).toMatchObject({ version: 5 });
    expect(await rulesOf(site.id)).toEqual([60]);
    expect(await triesOf(site.id)).toBe(7);
    const after = await customer.api.get('listSiteRevisions', { params, query: {} });
    expect(after.list[0]).toMatchObject({
      section: 'rollback',
      diff: [{ path: 'cache_rule.rules.0.ttl_seconds', before: 120, after: 60 }],
    });
  });
});

describe('the author of a version', () => {
  it('has no name for customers where it is an administrator', async () => {
    const { id } = await makeSite(customer.api);
    const params = { id };
    await world.admin.get('updateCacheRule', {
      query: { site_id: id },
      body: { version: 1, value: rule(60) },
    });
    const authors = async (api: typeof customer.api) => {
      const { list } = await api.get('listSiteRevisions', { params, query: {} });
      return list.map(({ author_type, author_name }) => `${author_type} ${author_name}`);
    };
    const own = expect.stringMatching(/^client Customer/);
    expect(await authors(customer.api)).toEqual(['admin ', own]);
    expect(await authors(world.admin)).toEqual(['admin admin', own]);
    const { to } = await customer.api.get('compareSiteVersions', { params, query: { from: 1, to: 2 } });
    expect(to.author_name).toBe('');
  });
});

describe('a comparison', () => {
  it('shows what differs between any two versions, in either direction', async () => {
    const site = await makeSite(customer.api);
    const params = { id: site.id };
    await setRules(site.id, 1, 60);
    await setTries(site.id, 2, 7);
    const compare = (from: number, to: number) =>
      customer.api.get('compareSiteVersions', { params, query: { from, to } });
    const forward = await compare(2, 3);
    expect(forward).toMatchObject({
      from: { version: 2, section: 'cache_rule', author_type: 'client' },
      to: { version: 3, section: 'origin_server_config' },
      diff: [{ path: 'origin_server_config.tries', before: 3, after: 7 }],
    });
    expect((await compare(3, 1)).diff.map((entry) => entry.path)).toContain('cache_rule.rules');
    const absent = await customer.api.call('compareSiteVersions', { params, query: { from: 1, to: 9 } });
    expect(absent.status).toBe(404);
    const foreign = await stranger.api.call('compareSiteVersions', { params, query: { from: 1, to: 2 } });
    expect(foreign.status).toBe(404);
  });
});

describe('a secret', () => {
  const write = async (id: number, version: number, secret: string) => {
    const query = { site_id: id };
    const { value } = await customer.api.get('getAccessControl', { query });
    const signing = { enabled: true, secret };
    await customer.api.get('updateAccessControl', { query, body: { version, value: { ...value, signing } } });
  };

  it('that was only sealed anew, as after a change of keys, is no difference', async () => {
    const { secrets, database } = world.server.services;
    const site = await makeSite(customer.api);
    await write(site.id, 1, 'first-secret');
    await setTries(site.id, 2, 7);
    await write(site.id, 3, 'other-secret');
    const revision = and(eq(siteRevision.siteId, site.id), eq(siteRevision.version, 2));
    const [row] = await database.db.select().from(siteRevision).where(revision);
    const { signing } = row!.snapshot.access_control;
    signing.secret = secrets.encrypt(secrets.decrypt(signing.secret!));
    await database.db.update(siteRevision).set({ snapshot: row!.snapshot }).where(revision);

    const { list } = await customer.api.get('listSiteRevisions', { params: { id: site.id }, query: {} });
    expect(list.map(({ version, diff }) => [version, diff.map(({ path }) => path)])).toMatchObject([
      [4, ['access_control.signing.secret']],
      [3, ['origin_server_config.tries']],
      [2, ['access_control.signing.enabled', 'access_control.signing.secret']],
      [1, {}],
    ]);
    const query = { from: 2, to: 3 };
    const compared = await customer.api.get('compareSiteVersions', { params: { id: site.id }, query });
    expect(compared.diff.map(({ path }) => path)).toEqual(['origin_server_config.tries']);
  });
});

describe('a copy of a section', () => {
  it('reaches the chosen sites as a batch, and no site of another customer', async () => {
    const word = unique('copy');
    const source = await makeSite(customer.api);
    await setRules(source.id, 1, 77);
    const targets = [];
    for (const part of ['a', 'b'])
      targets.push(await makeSite(customer.api, { domain: `${part}.${word}.example.com` }));
    const foreign = await makeSite(stranger.api, { domain: `c.${word}.example.com` });
    const { id } = await customer.api.get('copySiteSection', {
      params: { id: source.id },
      body: { section: 'cache_rule', sites: { filter: { domain_name: word }, expected_total: 2 } },
    });
    const batch = await waitFor('the batch', async () => {
      const read = await customer.api.get('getSiteBatch', { params: { id } });
      return read.status === 'done' && read;
    });
    const { list } = await customer.api.get('listSiteBatchLines', { params: { id }, query: {} });
    expect(list.map(({ status, reason }) => [status, reason])).toEqual([
      ['done', null],
      ['done', null],
    ]);
    expect(batch).toMatchObject({ kind: 'section', section: 'cache_rule', total: 2, done: 2 });
    for (const target of targets) expect(await rulesOf(target.id)).toEqual([77]);
    expect(await rulesOf(foreign.id)).toEqual([]);
    const body = { section: 'cache_rule' as const, sites: { site_ids: [foreign.id] } };
    const answer = await stranger.api.call('copySiteSection', { params: { id: source.id }, body });
    expect(answer.status).toBe(404);
  });
});

describe('fields that are copied', () => {
  it('and that the site does not set are inherited by the others, which keep their own else', async () => {
    const [source, target] = [await makeSite(customer.api), await makeSite(customer.api)];
    const query = { site_id: target.id };
    const body = { version: 1, value: { connections: 5, url_bytes_max: 500 } };
    await customer.api.get('updateSiteSecurity', { query, body });
    const { id } = await customer.api.get('copySiteSection', {
      params: { id: source.id },
      body: { section: 'security', fields: ['connections'], sites: { site_ids: [target.id] } },
    });
    await waitFor('the batch', async () => {
      return (await customer.api.get('getSiteBatch', { params: { id } })).status === 'done';
    });
    const { own, value } = await customer.api.get('getSiteSecurity', { query });
    expect(own).toEqual(['url_bytes_max']);
    expect([value.connections, value.url_bytes_max]).toEqual([undefined, 500]);
  });
});

describe('a site as a file', () => {
  const fileOf = (id: number) => exportSite(customer.api, id);

  it('holds every section, and makes a site like it that is offline', async () => {
    const source = await makeSite(customer.api);
    await setRules(source.id, 1, 88);
    await setTries(source.id, 2, 5);
    const file = await fileOf(source.id);
    expect(Object.keys(file.sections)).toEqual(siteSectionNames);
    expect(file).toMatchObject({ format: 'breakwater-site', format_version: 1, domains: [source.domain] });

    const domain = `${unique('imported')}.example.com`;
    const made = await stranger.api.get('importNewSite', { body: { file: { ...file, domains: [domain] } } });
    const site = await stranger.api.get('getSite', { params: { id: made.id } });
    expect(site).toMatchObject({ domains: [domain], status: 'offline', client_id: stranger.id });
    const copy = await exportSite(stranger.api, made.id);
    expect(copy.sections).toEqual(file.sections);
    const { db } = world.server.services;
    const [document] = await db
      .select()
      .from(edgeDocument)
      .where(eq(edgeDocument.key, String(made.id)));
    expect(JSON.parse(document!.body)).toMatchObject({ status: 'offline', domains: [domain] });
  });

  it('replaces the parts that are chosen, after showing what would change', async () => {
    const source = await makeSite(customer.api);
    await setRules(source.id, 1, 99);
    await setTries(source.id, 2, 9);
    const file = await fileOf(source.id);
    const target = await makeSite(customer.api);
    const params = { id: target.id };
    const parts = ['cache_rule' as const];
    const preview = await customer.api.get('previewSiteImport', { params, body: { file, parts } });
    expect(preview.diff.map((entry) => entry.path)).toEqual(['cache_rule.rules']);
    expect(await rulesOf(target.id)).toEqual([]);
    await customer.api.get('importSite', { params, body: { version: preview.version, file, parts } });
    expect(await rulesOf(target.id)).toEqual([99]);
    expect(await triesOf(target.id)).toBe(3);
    const late = await customer.api.call('importSite', { params, body: { version: 1, file, parts } });
    expect(late).toMatchObject({ status: 409, code: 40_901 });
  });

  it('keeps the certificates of the site it goes to, and names what it left out', async () => {
    const source = await makeSite(customer.api);
    const { db } = world.server.services;
    const [row] = await db.select().from(siteTable).where(eq(siteTable.id, source.id));
    const config = {
      ...row!.config,
      certificate_settings: { ...row!.config.certificate_settings, certificate_ids: [41] },
    };
    await db.update(siteTable).set({ config }).where(eq(siteTable.id, source.id));
    const file = await fileOf(source.id);
    expect(file.left_out).toEqual(['certificate_settings.certificate_ids']);
    expect(file.sections['certificate_settings']).not.toHaveProperty('certificate_ids');
    const preview = await customer.api.get('previewSiteImport', {
      params: { id: source.id },
      body: { file, parts: ['certificate_settings'] },
    });
    expect(preview.diff).toEqual([]);
  });

  it.each<[string, (file: SiteFile) => unknown, string]>([
    [
      'a wrong type deep inside',
      (file) => set(file, 'cache_rule', { rules: [{ type: 'magic' }] }),
      'file.sections.cache_rule.rules.0.type',
    ],
    [
      'an unknown field',
      (file) => set(file, 'cache_rule', { rules: [], colour: 1 }),
      'file.sections.cache_rule.colour',
    ],
    ['an unknown section', (file) => set(file, 'magic', {}), 'file.sections.magic'],
    ['another version of the format', (file) => ({ ...file, format_version: 2 }), 'file.format_version'],
    ['no format', (file) => without(file, 'format'), 'file.format'],
    ['a domain that is none', (file) => ({ ...file, domains: ['not a domain'] }), 'file.domains.0'],
    [
      'no origins',
      (file) => ({ ...file, sections: without(file.sections, 'origin_server_config') }),
      'file.sections.origin_server_config',
    ],
  ])('with %s is refused at its path, and nothing is stored', async (_, broken, path) => {
    const source = await makeSite(customer.api);
    const file = { ...(await fileOf(source.id)), domains: [`${unique('new')}.example.com`] };
    const { db } = world.server.services;
    const before = await db.$count(siteTable);
    const answer = await customer.api.call('importNewSite', { body: { file: broken(file) as SiteFile } });
    expect(answer).toMatchObject({ status: 400, code: 40_000 });
    expect(answer.errors.map((error) => error.path)).toContain(path);
    expect(await db.$count(siteTable)).toBe(before);
  });

  it('names the section of a field that only the database can judge', async () => {
    const source = await makeSite(customer.api);
    const file = await fileOf(source.id);
    const origins = [{ address: '192.0.2.1' }, { address: source.domain }];
    const looping = set(file, 'origin_server_config', { origins });
    const body = { version: 1, file: looping, parts: ['origin_server_config' as const] };
    const answer = await customer.api.call('importSite', { params: { id: source.id }, body });
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ path: 'file.sections.origin_server_config.origins.1.address' }],
    });
    const other = await makeSite(customer.api);
    const taken = { ...file, domains: [source.domain] };
    const claim = { version: 1, file: taken, parts: ['domains' as const] };
    expect(await customer.api.call('importSite', { params: { id: other.id }, body: claim })).toMatchObject({
      status: 400,
      errors: [{ path: 'file.domains.0' }],
    });
  });

  it('with a domain of another site is refused at that domain', async () => {
    const source = await makeSite(customer.api);
    const answer = await customer.api.call('importNewSite', { body: { file: await fileOf(source.id) } });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'file.domains.0' }] });
  });

  it("is not there for another customer's site", async () => {
    const source = await makeSite(customer.api);
    const params = { id: source.id };
    const file = await fileOf(source.id);
    const parts = ['cache_rule' as const];
    const answers = await Promise.all([
      stranger.api.call('exportSite', { params }),
      stranger.api.call('previewSiteImport', { params, body: { file, parts } }),
      stranger.api.call('importSite', { params, body: { version: 1, file, parts } }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
  });
});

const set = (file: SiteFile, section: string, value: unknown) => ({
  ...file,
  sections: { ...file.sections, [section]: value },
});

const without = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
