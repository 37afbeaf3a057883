import { makeCustomer, makeSite, startWorld, type Customer, type World } from '@breakwater/test-world';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { event, siteViolation } from '../../db/schema.ts';
import type { Found } from './find-violations.ts';
import { storeViolations } from './found-violations.ts';

/** What was found in what visitors sent, beside what was found in pages. */

let world: World;
let customer: Customer;
let other: Customer;
let site: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  other = await makeCustomer(world);
});
beforeEach(async () => {
  site = await makeSite(customer.api);
});
afterAll(() => world.close());

const found = (path: string, word = 'casino', more: Partial<Found> = {}): Found => ({
  url: `http://${site.domain}${path}`,
  kind: 'word',
  category: 'gambling',
  word,
  excerpt: `about ${word} here`,
  hash: 'ab'.repeat(32),
  action: 'offline',
  ...more,
});
const store = (all: Found[], source: 'delivered' | 'submitted' = 'submitted') =>
  storeViolations(world.server.services, site.id, all, source);
const list = async (query: object = {}, api: Customer['api'] = world.admin) =>
  (await api.get('listSiteViolations', { query: { site_id: site.id, page_size: 200, ...query } })).list;
const told = () =>
  world.server.services.db
    .select()
    .from(event)
    .where(and(eq(event.kind, 'violation_found'), eq(event.subjectId, site.id)));
const decide = async (id: number, decision: 'confirm' | 'dismiss' | 'offline' | 'lift') => {
  const { version } = (await list({ ids: String(id) }))[0]!;
  return world.admin.call('decideSiteViolation', { params: { id }, body: { version, decision, note: '' } });
};
const versionOf = async () => (await world.admin.get('getSite', { params: { id: site.id } })).delivery;

describe('what visitors submitted', () => {
  it('takes no page offline though the category says so, and is told as an event once', async () => {
    const before = await versionOf();
    await store([found('/post')]);
    await store([found('/post')]);
    expect(await list()).toMatchObject([
      {
        source: 'submitted',
        action: 'recorded',
        state: 'open',
        request_uri: '/post',
        excerpt: 'about casino here',
      },
    ]);
    expect(await told()).toMatchObject([{ data: { facts: { word: 'casino', source: 'submitted' } } }]);
    expect(await versionOf()).toEqual(before);
    await store([found('/quiet', 'casino', { action: 'watch' })]);
    expect(await told()).toHaveLength(1);
  });

  it('is another row than the same in the page, which alone is offline', async () => {
    await store([found('/post')]);
    await store([found('/post')], 'delivered');
    expect((await list()).map(({ source, action }) => `${source} ${action}`).toSorted()).toEqual([
      'delivered blocked',
      'submitted recorded',
    ]);
  });

  it('is listed and counted apart, for its customer alone', async () => {
    await store([found('/post'), found('/post', 'poker')]);
    await store([found('/page', 'casino', { action: 'watch' })], 'delivered');
    const sources = async (query: object, api = world.admin) =>
      (await list(query, api)).map(({ source }) => source);
    expect(await sources({ source: 'submitted' })).toEqual(['submitted', 'submitted']);
    expect(await sources({ source: 'delivered' }, customer.api)).toEqual(['delivered']);
    expect(await sources({ source: 'submitted' }, customer.api)).toHaveLength(2);
    expect(await sources({ source: 'submitted' }, other.api)).toEqual([]);
    const stats = (query: object, api: Customer['api']) =>
      api.get('getSiteViolationStats', { query: { site_id: site.id, ...query } });
    expect(await stats({}, customer.api)).toMatchObject({ total: 3, blocked: 0, submitted: 2 });
    expect(await stats({ source: 'delivered' }, customer.api)).toMatchObject({ total: 1, submitted: 0 });
    expect(await stats({}, other.api)).toMatchObject({ total: 0, submitted: 0 });
    const query = { source: 'visit' as never };
    expect(await world.admin.call('listSiteViolations', { query })).toMatchObject({
      status: 400,
      errors: [{ path: 'source' }],
    });
    expect((await world.anonymous.call('listSiteViolations', { query: {} })).status).toBe(401);
  });

  it('is decided about, but for the page, which it leaves as it is', async () => {
    await store([found('/post')]);
    await store([found('/post')], 'delivered');
    const [submitted] = await list({ source: 'submitted' });
    for (const decision of ['offline', 'lift'] as const)
      expect(await decide(submitted!.id, decision)).toMatchObject({
        status: 400,
        errors: [{ path: 'decision' }],
      });
    expect((await decide(submitted!.id, 'dismiss')).status).toBe(200);
    const [page] = await list({ source: 'delivered' });
    expect(page).toMatchObject({ action: 'blocked', state: 'open' });
    await store([found('/post')]);
    expect(await list({ source: 'submitted' })).toMatchObject([{ id: submitted!.id, state: 'dismissed' }]);
    expect((await decide(page!.id, 'lift')).status).toBe(200);
    expect((await decide(page!.id, 'offline')).status).toBe(200);
    expect((await list()).map(({ source, action }) => `${source} ${action}`).toSorted()).toEqual([
      'delivered blocked',
      'submitted recorded',
    ]);
  });

  it('fills no table, whoever sends it to however many paths: of a word 20 wait, of a site 200', async () => {
    for (const round of [1, 2, 3]) await store(Array.from({ length: 60 }, (_, n) => found(`/${round}/${n}`)));
    expect(await list()).toHaveLength(20);
    // One word does not take the room of another.
    await store([found('/real', 'poker')]);
    expect(await list({ word: 'poker' })).toHaveLength(1);
    for (let word = 0; word < 20; word++)
      await store(Array.from({ length: 30 }, (_, n) => found(`/${n}`, `word${word}`)));
    const rows = await list();
    expect(rows).toHaveLength(200);
    expect(await told()).toHaveLength(200);
    // What is there is found again, and pages are not kept out.
    await store([found('/real', 'poker', { excerpt: 'seen again' }), found('/new', 'other')]);
    expect(await list({ word: 'poker' })).toMatchObject([{ excerpt: 'seen again' }]);
    expect(await list({ word: 'other' })).toEqual([]);
    await store([found('/page', 'other', { action: 'watch' })], 'delivered');
    expect(await list({ word: 'other' })).toHaveLength(1);
    // Once one is decided there is room.
    await decide(rows[0]!.id, 'confirm');
    await store([found('/new', 'other'), found('/newer', 'other')]);
    expect(await list({ word: 'other', source: 'submitted' })).toHaveLength(1);
  });

  it('is bounded as well when many servers write at once', async () => {
    const many = Array.from({ length: 8 }, (_, round) =>
      store(Array.from({ length: 10 }, (_each, n) => found(`/${round}/${n}`))),
    );
    await Promise.all(many);
    expect(await list()).toHaveLength(20);
  });
});

it('rows from before say that they were delivered', async () => {
  const { db } = world.server.services;
  await db.insert(siteViolation).values({
    siteId: site.id,
    host: site.domain,
    requestUri: '/x',
    word: 'w',
    excerpt: '',
    action: 'recorded',
  });
  expect(await list()).toMatchObject([{ source: 'delivered' }]);
});
