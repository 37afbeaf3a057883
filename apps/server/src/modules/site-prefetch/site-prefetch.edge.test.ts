import { gzipSync } from 'node:zlib';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type Origin,
  type World,
} from '@breakwater/test-world';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { order } from '../../db/schema.ts';

let world: World;
let origin: Origin;
let customer: Customer;
let site: { id: number; domain: string };
let foreign: { id: number; domain: string };
/** Requests by path, with what was accepted; and what the origin does at certain paths. */
const asked: { path: string; encoding: string; language: string }[] = [];
let isDown = false;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true, worker: true });
  customer = await makeCustomer(world);
  origin = await world.startOrigin((request, response) => {
    const { host, 'accept-encoding': encoding = '', 'accept-language': language = '' } = request.headers;
    asked.push({ path: request.url!, encoding, language });
    if (isDown && request.url!.startsWith('/down')) return void response.writeHead(503).end();
    response.setHeader('cache-control', 'max-age=3600');
    response.setHeader('vary', 'Accept-Encoding, Accept-Language');
    const body = bodies[request.url!]?.(`http://${host}`) ?? `${request.url} ${'x'.repeat(100)}`;
    response.end(body);
  });
  site = await makeSite(world.admin, { port: origin.port, orderId: customer.orderId });
  foreign = await makeSite(world.admin, { port: origin.port, orderId: (await makeCustomer(world)).orderId });
  for (const { domain } of [site, foreign])
    await waitFor('the site', async () => (await world.fetchEdge(domain, '/')).status === 200);
});
afterAll(() => world.close());

const bodies: Record<string, (host: string) => string | Buffer> = {
  '/sitemap.xml': (host) => `<sitemapindex><sitemap><loc>${host}/pages.xml.gz</loc></sitemap></sitemapindex>`,
  '/pages.xml.gz': (host) =>
    gzipSync(
      `<urlset><url><loc>${host}/page-1</loc></url><url><loc>${host}/list.m3u8</loc></url><url><loc>${host}/film.mpd</loc></url><url><loc>http://${foreign.domain}/not-mine</loc></url></urlset>`,
    ),
  '/list.m3u8': () => '#EXTM3U\n#EXTINF:4,\none.ts\n#EXTINF:4,\ntwo.ts\nother.m3u8\n',
  '/film.mpd': () =>
    '<MPD mediaPresentationDuration="PT4S"><Period><AdaptationSet><Representation id="v"><SegmentTemplate media="$RepresentationID$-$Number$.m4s" duration="2"/></Representation></AdaptationSet></Period></MPD>',
  '/other.m3u8': () => '#EXTM3U\n#EXTINF:4,\nnot-read.ts\n',
};
const url = (path: string) => `http://${site.domain}${path}`;
const state = async (path: string, headers: Record<string, string> = {}) =>
  (await world.fetchEdge(site.domain, path, { headers })).headers['x-cache'];
const create = (body: object, api = customer.api) => api.call('createSitePrefetch', { body });
const read = (id: number) => customer.api.get('getSitePrefetch', { params: { id } });
const ended = (id: number) =>
  waitFor('its end', async () => !['pending', 'running'].includes((await read(id)).status));
const resultsOf = async (id: number, query = {}) =>
  (await customer.api.get('listPrefetchResults', { params: { id }, query })).list;

describe('a prefetch', () => {
  it('has nodes fetch each variant once, and visitors get what was stored', async () => {
    const { data } = await create({
      urls: [url('/a'), url('/b')],
      encodings: ['br, gzip', 'identity'],
      languages: ['de', 'fr'],
    });
    await ended(data.ids[0]!);
    expect(await read(data.ids[0]!)).toMatchObject({ status: 'done', urls: 2, total: 8, done: 8, failed: 0 });
    expect(
      asked.filter(({ path }) => path === '/a').map(({ encoding, language }) => [encoding, language]),
    ).toHaveLength(4);
    expect(await state('/a', { 'accept-encoding': 'gzip, br', 'accept-language': 'de' })).toBe('HIT');
    expect(await state('/b', { 'accept-language': 'fr' })).toBe('HIT');
    expect(await state('/b', { 'accept-language': 'it' })).toBe('MISS');
    const results = await resultsOf(data.ids[0]!);
    expect(results).toHaveLength(8);
    expect(results[0]).toMatchObject({ status: 200, cache: 'MISS', bytes: 103, error: null });
    const again = await create({ urls: [url('/a')], languages: ['de'] });
    await ended(again.data.ids[0]!);
    expect((await resultsOf(again.data.ids[0]!)).map(({ cache }) => cache)).toEqual(['HIT']);
  });

  it('follows a sitemap with its index, and playlists one level, within the site', async () => {
    const { data } = await create({ sitemap: url('/sitemap.xml'), playlists: true });
    const id = data.ids[0]!;
    await ended(id);
    expect((await resultsOf(id)).map(({ url: each }) => new URL(each).pathname).toSorted()).toEqual([
      '/film.mpd',
      '/list.m3u8',
      '/one.ts',
      '/other.m3u8',
      '/page-1',
      '/pages.xml.gz',
      '/sitemap.xml',
      '/two.ts',
      '/v-1.m4s',
      '/v-2.m4s',
    ]);
    expect(await read(id)).toMatchObject({ urls: 10, total: 10, done: 10, failed: 0, truncated: false });
    expect(await state('/two.ts', { 'accept-encoding': 'br, gzip' })).toBe('HIT');
    expect(asked.map(({ path }) => path)).not.toContain('/not-read.ts');
  });

  it('says what failed, and fetches that alone again', async () => {
    isDown = true;
    const { data } = await create({ urls: [url('/down'), url('/up')] });
    const id = data.ids[0]!;
    await ended(id);
    expect(await read(id)).toMatchObject({ done: 2, failed: 1 });
    const [failed] = await resultsOf(id, { outcome: 'failed' });
    expect(failed).toMatchObject({ url: url('/down'), status: 503 });
    isDown = false;
    const before = asked.length;
    expect(await customer.api.get('retrySitePrefetch', { params: { id } })).toEqual({ requests: 1 });
    await ended(id);
    expect(await read(id)).toMatchObject({ status: 'done', done: 2, failed: 0 });
    expect(asked.slice(before).map(({ path }) => path)).toEqual(['/down']);
  });

  it('asks the origin no faster than it may, is stopped, and goes on where it was', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => url(`/slow/${index}`));
    const { data } = await create({ urls, rate: 5, concurrency: 4 });
    const id = data.ids[0]!;
    await waitFor('a first result', async () => (await read(id)).done > 0);
    await customer.api.get('stopSitePrefetch', { params: { id } });
    await ended(id);
    const { status, done } = await read(id);
    expect(status).toBe('cancelled');
    expect(done).toBeLessThan(30);
    const began = performance.now();
    const { requests } = await customer.api.get('retrySitePrefetch', { params: { id } });
    await ended(id);
    expect(await read(id)).toMatchObject({ status: 'done', done: 30, failed: 0 });
    // The last of each step is followed at once by the first of the next.
    expect((performance.now() - began) / 1000).toBeGreaterThan((requests - 2) / 5 - 1);
    expect(asked.filter(({ path }) => path.startsWith('/slow/')).length).toBeLessThanOrEqual(30 + 10);
  });

  it('gives up a node that does not answer', async () => {
    await world.stopAgent();
    await world.server.services.db.execute(sql`UPDATE node SET status_time = now() - interval '1 hour'`);
    const { data } = await create({ urls: [url('/away')] });
    const id = data.ids[0]!;
    await world.server.services.db.execute(
      sql`UPDATE site_prefetch_node SET misses = 5 WHERE prefetch_id = ${id}`,
    );
    await ended(id);
    expect(await resultsOf(id)).toMatchObject([{ status: null, error: 'node_away' }]);
    await world.startAgent();
  });
});

describe('it is refused', () => {
  it('at the line, the sitemap and the node that are not the caller’s', async () => {
    const paths = async (body: object) => (await create(body)).errors?.map(({ path }) => path);
    const elsewhere = `http://${foreign.domain}/`;
    expect(await paths({ urls: [url('/'), elsewhere] })).toEqual(['urls.1']);
    expect(await paths({ sitemap: elsewhere })).toEqual(['sitemap']);
    expect(await paths({})).toEqual(['urls']);
    expect(await paths({ urls: [url('/')], node_ids: [1_000_000] })).toEqual(['node_ids.0']);
    expect(await paths({ urls: [url('/')], languages: ['a\nb'] })).toEqual(['languages.0']);
    const { data } = await create({ urls: [elsewhere] }, world.admin);
    for (const name of [
      'getSitePrefetch',
      'listPrefetchResults',
      'stopSitePrefetch',
      'retrySitePrefetch',
    ] as const)
      expect(
        (await customer.api.call(name, { params: { id: data.ids[0]! }, query: {} } as never)).status,
      ).toBe(404);
  });

  it('beyond the quota, which what is found counts against as well', async () => {
    const { db } = world.server.services;
    const { list } = await world.admin.get('listProducts', { query: {} });
    const { id: productId } = await world.admin.get('createProduct', {
      body: {
        name: unique('limited'),
        line_group_id: list[0]!.line_group_id,
        prices: list[0]!.prices,
        limits: { ...list[0]!.limits, prefetch_urls_per_day: 3 },
      },
    });
    await db.execute(sql`DELETE FROM refresh_use`);
    await db.update(order).set({ productId }).where(eq(order.id, customer.orderId));
    expect((await create({ urls: ['/1', '/2', '/3', '/4'].map(url) })).errors?.[0]?.path).toBe('urls');
    const { data } = await create({ sitemap: url('/sitemap.xml') });
    await ended(data.ids[0]!);
    expect(await read(data.ids[0]!)).toMatchObject({ urls: 3, truncated: true });
    expect((await customer.api.get('getRefreshQuotas', {})).prefetch_urls_per_day).toEqual({
      limit: 3,
      used: 3,
    });
  });
});
