import type { InheritedSection, LevelName } from '@breakwater/contract';
import {
  exportSite,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { and, count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { edgeDocument, order as orderTable, site as siteTable, siteLevel } from '../../db/schema.ts';

let world: World;
let customer: Customer;
let productId: number;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  productId = (await world.admin.get('listProducts', { query: {} })).list[0]!.id;
});
afterAll(() => world.close());

interface Level {
  level: LevelName;
  target_id: number;
}
const platform: Level = { level: 'global', target_id: 0 };
const ofProduct = (): Level => ({ level: 'product', target_id: productId });
const ofCustomer = (): Level => ({ level: 'client', target_id: customer.id });

/** Sets these fields of a section of a level, and no others. */
async function set(level: Level, section: InheritedSection, value: object) {
  const query = { ...level, section };
  const now = await world.admin.get('getSiteLevelSection', { query });
  const body = { version: now.version, value: { ...now.value, ...value }, own: Object.keys(value) };
  return world.admin.get('updateSiteLevelSection', { query, body });
}

beforeEach(async () => {
  for (const level of [platform, ofProduct(), ofCustomer()])
    for (const section of ['speed_optimize', 'security', 'cache_rule'] as const)
      await set(level, section, {});
});

const speedOf = (siteId: number) => customer.api.get('getSpeedOptimize', { query: { site_id: siteId } });

async function saveSpeed(siteId: number, change: object, own?: string[]) {
  const { version, value } = await speedOf(siteId);
  const body = { version, value: { ...value, ...change }, ...(own ? { own } : {}) };
  return customer.api.get('updateSpeedOptimize', { query: { site_id: siteId }, body });
}

async function documentOf(kind: string, key: string | number) {
  const [row] = await world.server.services.db
    .select()
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, String(key))));
  return row && (JSON.parse(row.body) as Record<string, unknown>);
}

const newestRevision = async () => {
  const { rows } = await world.server.services.db.execute(sql`SELECT revision FROM delivery_counter`);
  return Number(rows[0]!['revision']);
};

describe('a value of a site', () => {
  it('comes from the nearest level that sets it, and the site is told which', async () => {
    const site = await makeSite(customer.api);
    expect(await speedOf(site.id)).toMatchObject({
      value: { gzip: false },
      own: [],
      inherited_from: { gzip: 'built_in' },
    });
    await set(platform, 'speed_optimize', { gzip: true, level: 'best' });
    await set(ofProduct(), 'speed_optimize', { level: 'fast' });
    expect(await speedOf(site.id)).toMatchObject({
      value: { gzip: true, level: 'fast' },
      own: [],
      inherited_from: { gzip: 'global', level: 'product', brotli: 'built_in' },
    });
    await set(ofCustomer(), 'speed_optimize', { gzip: false });
    expect(await speedOf(site.id)).toMatchObject({
      value: { gzip: false, level: 'fast' },
      inherited_from: { gzip: 'client', level: 'product' },
    });
  });

  it('is the site’s own once it is changed there, and returns to what is inherited', async () => {
    const site = await makeSite(customer.api);
    await set(platform, 'speed_optimize', { gzip: true });
    await saveSpeed(site.id, { gzip: false });
    expect(await speedOf(site.id)).toMatchObject({
      value: { gzip: false },
      own: ['gzip'],
      inherited: { gzip: true },
      inherited_from: { gzip: 'global' },
    });
    expect(await documentOf('site', site.id)).toMatchObject({ speed_optimize: { gzip: false } });
    await saveSpeed(site.id, {}, []);
    expect(await speedOf(site.id)).toMatchObject({ value: { gzip: true }, own: [] });
    expect(await documentOf('site', site.id)).not.toHaveProperty('speed_optimize');
  });

  it('stays inherited when a save sends it as it is in effect', async () => {
    const site = await makeSite(customer.api);
    await set(platform, 'speed_optimize', { gzip: true });
    await saveSpeed(site.id, { level: 'best' });
    expect((await speedOf(site.id)).own).toEqual(['level']);
    await set(platform, 'speed_optimize', { gzip: false });
    expect(await speedOf(site.id)).toMatchObject({ value: { gzip: false, level: 'best' } });
  });

  it('can be held as it is, whatever comes from above later', async () => {
    const site = await makeSite(customer.api);
    await saveSpeed(site.id, {}, ['gzip']);
    await set(platform, 'speed_optimize', { gzip: true });
    expect(await speedOf(site.id)).toMatchObject({ value: { gzip: false }, own: ['gzip'] });
  });

  it('can be nothing where a level sets something', async () => {
    const site = await makeSite(customer.api);
    await set(platform, 'security', { body_bytes_max: 10 });
    const query = { site_id: site.id };
    const { version, value } = await customer.api.get('getSiteSecurity', { query });
    expect(value.body_bytes_max).toBe(10);
    const { body_bytes_max: _, ...without } = value;
    await customer.api.get('updateSiteSecurity', { query, body: { version, value: without } });
    const after = await customer.api.get('getSiteSecurity', { query });
    expect(after.own).toEqual(['body_bytes_max']);
    expect(after.value).not.toHaveProperty('body_bytes_max');
    expect(await documentOf('site', site.id)).toMatchObject({ unset: ['security.body_bytes_max'] });
  });

  it('goes through history, files and copies as what the site sets itself', async () => {
    const [site, other] = [await makeSite(customer.api), await makeSite(customer.api)];
    await set(platform, 'speed_optimize', { gzip: true });
    await saveSpeed(site.id, { gzip: false });
    const params = { id: site.id };
    const { list } = await customer.api.get('listSiteRevisions', { params, query: {} });
    expect(list[0]!.diff).toEqual([{ path: 'speed_optimize.gzip', after: false }]);
    const file = await exportSite(customer.api, params.id);
    expect(file.sections['speed_optimize']).toEqual({ gzip: false });
    await customer.api.get('importSite', {
      params: { id: other.id },
      body: { version: 1, file, parts: ['speed_optimize'] },
    });
    expect(await speedOf(other.id)).toMatchObject({ value: { gzip: false }, own: ['gzip'] });
    const first = list.at(-1)!.id;
    await customer.api.get('rollbackSite', { params, body: { version: 2, revision_id: first } });
    expect(await speedOf(site.id)).toMatchObject({ value: { gzip: true }, own: [] });
  });

  it('takes nothing from what only a site has, which is read and saved as it is', async () => {
    const { id } = await makeSite(customer.api);
    const query = { site_id: id };
    const read = () => customer.api.get('getAdvancedConfig', { query });
    const first = await read();
    const maintenance = { ...first.value.maintenance, retry_after_seconds: 90 };
    const body = { version: first.version, value: { ...first.value, maintenance } };
    await customer.api.get('updateAdvancedConfig', { query, body });
    const second = await read();
    expect(second.own).toEqual([]);
    expect(second.value.maintenance).toEqual(maintenance);
    const buffering = { ...second.value, response_buffering: !second.value.response_buffering };
    await customer.api.get('updateAdvancedConfig', {
      query,
      body: { version: second.version, value: buffering },
    });
    expect((await read()).value).toEqual(buffering);
  });

  it('is refused as own where there is no such field', async () => {
    const site = await makeSite(customer.api);
    const { version, value } = await speedOf(site.id);
    const answer = await customer.api.call('updateSpeedOptimize', {
      query: { site_id: site.id },
      body: { version, value, own: ['gzip', 'nothing'] },
    });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'own.1' }] });
  });
});

describe('a change of a level', () => {
  it('is one document, however many sites there are', async () => {
    const { db } = world.server.services;
    const template = await makeSite(customer.api);
    const [row] = await db.select().from(siteTable).where(eq(siteTable.id, template.id));
    const { id: _, cnameLabel: _label, ...fields } = row!;
    await db.insert(siteTable).values(Array.from({ length: 1000 }, () => fields));
    const [before, documents] = [await newestRevision(), await db.$count(edgeDocument)];
    const query = { ...platform, section: 'speed_optimize' as const };
    const { version, value } = await world.admin.get('getSiteLevelSection', { query });
    const body = { value: { ...value, gzip: true } };
    const preview = await world.admin.get('previewSiteLevelSection', { query, body });
    expect(preview.fields).toEqual(['speed_optimize.gzip']);
    expect(preview.sites).toBeGreaterThan(1000);
    const saved = await world.admin.get('updateSiteLevelSection', { query, body: { version, ...body } });
    expect(await newestRevision()).toBe(before + 1);
    expect(await db.$count(edgeDocument)).toBe(documents);
    expect(await documentOf('level', 'global')).toEqual({ level: 'global', speed_optimize: { gzip: true } });
    const task = await world.admin.get('getTask', { params: { id: saved.task_id! } });
    expect(task).toMatchObject({ type: 'site_level_update', total: 1, status: 'pending' });
    await db.delete(siteTable).where(sql`id NOT IN (SELECT site_id FROM site_domain)`);
  });

  it('says before it is made which sites it touches: not those that set the field, nor those of a nearer level', async () => {
    const own = await makeCustomer(world);
    const sites = [await makeSite(own.api), await makeSite(own.api), await makeSite(own.api)];
    const query = { level: 'client' as const, target_id: own.id, section: 'speed_optimize' as const };
    const touched = async (level: Level, value: Record<string, unknown>) =>
      (
        await world.admin.get('previewSiteLevelSection', {
          query: { ...level, section: 'speed_optimize' },
          body: { value, own: Object.keys(value) },
        })
      ).sites;
    const all = await touched(platform, { min_length_bytes: 9 });
    expect(all).toBe(await world.server.services.db.$count(siteTable));
    expect(await touched(query, { min_length_bytes: 9 })).toBe(3);
    const first = { site_id: sites[0]!.id };
    const { version, value } = await own.api.get('getSpeedOptimize', { query: first });
    await own.api.get('updateSpeedOptimize', {
      query: first,
      body: { version, value: { ...value, min_length_bytes: 9 } },
    });
    expect(await touched(query, { min_length_bytes: 9 })).toBe(2);
    expect(await touched(platform, { min_length_bytes: 9 })).toBe(all - 1);
    // It still has the other field from there.
    expect(await touched(query, { min_length_bytes: 9, types: [] })).toBe(3);
    await set({ level: 'client', target_id: own.id }, 'speed_optimize', { min_length_bytes: 8 });
    expect(await touched(platform, { min_length_bytes: 9 })).toBe(all - 3);
    expect(await touched(platform, { min_length_bytes: 9, types: [] })).toBe(all);
    await set(ofProduct(), 'speed_optimize', { types: [] });
    const ofOthers = await otherProductSites();
    expect(await touched(platform, { types: [] })).toBe(ofOthers);
    expect(await touched(platform, {})).toBe(0);
  });

  async function otherProductSites(): Promise<number> {
    const [row] = await world.server.services.db
      .select({ total: count() })
      .from(siteTable)
      .innerJoin(orderTable, eq(orderTable.id, siteTable.orderId))
      .where(sql`${orderTable.productId} <> ${productId}`);
    return row!.total;
  }

  it('has a history, and can be put back', async () => {
    const level = ofCustomer();
    await set(level, 'speed_optimize', { gzip: true });
    await set(level, 'speed_optimize', { gzip: true, brotli: true });
    const { list } = await world.admin.get('listSiteLevelRevisions', { query: level });
    expect(list[0]).toMatchObject({
      section: 'speed_optimize',
      author_name: 'admin',
      diff: [{ path: 'speed_optimize.brotli', after: true }],
    });
    const { version } = await world.admin.get('getSiteLevel', { query: level });
    const body = { revision_id: list[1]!.id };
    expect(await world.admin.get('previewSiteLevelRollback', { query: level, body })).toMatchObject({
      fields: ['speed_optimize.brotli'],
    });
    await world.admin.get('rollbackSiteLevel', { query: level, body: { ...body, version } });
    expect(await world.admin.get('getSiteLevel', { query: level })).toMatchObject({
      own: ['speed_optimize.gzip'],
      version: version + 1,
    });
    expect(await documentOf('level', `client-${customer.id}`)).toEqual({
      level: 'client',
      target_id: customer.id,
      speed_optimize: { gzip: true },
    });
  });

  it('built on an older version is refused, and one that changes nothing writes nothing', async () => {
    await set(platform, 'speed_optimize', { gzip: true });
    const query = { ...platform, section: 'speed_optimize' as const };
    const { version, value } = await world.admin.get('getSiteLevelSection', { query });
    const stale = { version: version - 1, value };
    expect(await world.admin.call('updateSiteLevelSection', { query, body: stale })).toMatchObject({
      status: 409,
      code: 40901,
    });
    expect(await world.admin.get('updateSiteLevelSection', { query, body: { version, value } })).toEqual({
      version,
      task_id: null,
    });
  });

  it('sets what goes together together, and nothing that is a site’s own', async () => {
    const settings = { ...ofCustomer(), section: 'certificate_settings' as const };
    const { version } = await world.admin.get('getSiteLevel', { query: ofCustomer() });
    const value = { min_version: 'TLSv1.3', certificate_ids: [1] };
    await world.admin.get('updateSiteLevelSection', { query: settings, body: { version, value } });
    const { own } = await world.admin.get('getSiteLevel', { query: ofCustomer() });
    expect(own).toEqual(
      ['cipher_level', 'max_version', 'min_version'].map((field) => `certificate_settings.${field}`),
    );
    expect(await documentOf('level', `client-${customer.id}`)).toMatchObject({
      certificate_settings: { min_version: 'TLSv1.3' },
    });
    expect(JSON.stringify(await documentOf('level', `client-${customer.id}`))).not.toContain(
      'certificate_ids',
    );
    await set(ofCustomer(), 'certificate_settings', {});
  });

  it('is judged like a site’s', async () => {
    const query = { ...platform, section: 'security' as const };
    const { version } = await world.admin.get('getSiteLevel', { query: platform });
    const body = { version, value: { rate: { requests: 0 } } };
    const answer = await world.admin.call('updateSiteLevelSection', { query, body });
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.rate.requests' }] });
    const settings = { ...query, section: 'certificate_settings' as const };
    const ca = '-----BEGIN CERTIFICATE-----\nnothing';
    expect(
      await world.admin.call('updateSiteLevelSection', {
        query: settings,
        body: { version, value: { client_certificate: { mode: 'require', ca } } },
      }),
    ).toMatchObject({ status: 400, errors: [{ path: 'value.client_certificate.ca' }] });
  });

  it('reaches the nodes of a customer with the first site there', async () => {
    const own = await makeCustomer(world);
    const level = { level: 'client' as const, target_id: own.id };
    await set(level, 'speed_optimize', { gzip: true });
    expect(await documentOf('level', `client-${own.id}`)).toBeUndefined();
    const { taskId } = await makeSite(own.api);
    expect(await documentOf('level', `client-${own.id}`)).toMatchObject({ speed_optimize: { gzip: true } });
    // One task for both, so it is done when the node has both.
    expect(await world.admin.get('getTask', { params: { id: taskId } })).toMatchObject({ total: 2 });
  });

  it('goes with the customer or the product', async () => {
    const { db } = world.server.services;
    const body = {
      name: unique('Customer'),
      email: `${unique('c')}@example.com`,
      password: 'a long password',
    };
    const { id } = await world.admin.get('createClient', { body });
    await set({ level: 'client', target_id: id }, 'speed_optimize', { gzip: true });
    await world.admin.get('removeClient', { params: { id } });
    expect(await db.$count(siteLevel, and(eq(siteLevel.level, 'client'), eq(siteLevel.targetId, id)))).toBe(
      0,
    );
  });
});

describe('levels', () => {
  const query = { level: 'client' as const, target_id: 1, section: 'speed_optimize' as const };

  it('are read and changed by nobody without a session', async () => {
    expect((await world.anonymous.call('getSiteLevelSection', { query })).status).toBe(401);
  });

  it('are not a customer’s, not even their own', async () => {
    const { id: target_id } = customer;
    const own = { ...query, target_id };
    const body = { version: 0, value: { gzip: true } };
    expect((await customer.api.call('getSiteLevelSection', { query: own })).status).toBe(404);
    expect((await customer.api.call('updateSiteLevelSection', { query: own, body })).status).toBe(404);
  });

  it('are those of products and customers that there are', async () => {
    for (const level of ['client', 'product'] as const)
      expect(
        (await world.admin.call('getSiteLevel', { query: { level, target_id: 2_000_000 } })).status,
      ).toBe(404);
    expect(
      (await world.admin.call('getSiteLevel', { query: { level: 'global', target_id: 1 } })).status,
    ).toBe(404);
  });
});
