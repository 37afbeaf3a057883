import type { RefreshDocument } from '@breakwater/contract';
import { mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEdgeDir, makeEnvelope, makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';
import { asked, pages, put, startValidatingOrigin } from './validating-origin.ts';

/** Refreshes after which what is stored may be served again, once its origin has said that it is still good (`docs/caching.md`). */

const hour = { 'Cache-Control': 'max-age=3600' };
let edge: TestEdge;
let origin: TestOrigin;
/** It ends in the course of a test. */
let ending: TestOrigin;
let refreshes = 0;

const siteOf = (id: number, domains: string[], port: number, more: object = {}) =>
  makeSite({ id, domains, origins: [{ address: '127.0.0.1', http_port: port }], ...more });

beforeAll(async () => {
  [edge, origin] = await Promise.all([TestEdge.start({ workerProcesses: 2 }), startValidatingOrigin()]);
  ending = await startOrigin((request, response) => {
    const stale = request.url === '/none' ? '' : ', stale-if-error=600';
    response.writeHead(200, { 'cache-control': `max-age=600${stale}`, etag: '"v1"' }).end('content');
  });
  const sliced = { rules: [{ type: 'all' as const, ttl_seconds: 600, slice_bytes: 1_048_576 }] };
  await edge.applySites(
    siteOf(1, ['re.test'], origin.port),
    siteOf(2, ['parts.test'], origin.port, sliced),
    siteOf(3, ['down.test'], ending.port),
    siteOf(4, ['small.test'], origin.port, { speed: { gzip: true, min_length_bytes: 1 } }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const refresh = (
  what: Omit<RefreshDocument, 'refresh_id' | 'site_id'>,
  { siteId = 1, on = edge, mode = 'revalidate' as 'revalidate' | 'delete' } = {},
) =>
  on.applyRefresh({
    refresh_id: ++refreshes,
    site_id: siteId,
    ...(mode === 'revalidate' ? { mode } : {}),
    ...what,
  });
const url = (path: string, host = 're.test') => ({ urls: { [host]: [path] } });
const get = (path: string, headers: Record<string, string> = {}, host = 're.test') =>
  edge.get(host, path, { headers });
const statuses = (path: string) => asked[path]!.map(({ status }) => status);
/** In the cache, under each of these. */
async function store(path: string, ...each: Record<string, string>[]): Promise<void> {
  for (const headers of each.length === 0 ? [{}] : each) {
    await expect.poll(async () => (await get(path, headers)).headers['x-cache']).toBe('HIT');
  }
  asked[path]!.length = 0;
}

describe('a refresh in mode revalidate', () => {
  it.each([
    ['a URL', (path: string) => url(path)],
    ['a folder', () => ({ folders: { 're.test': ['/'] } })],
    ['a tag', () => ({ tags: ['thing'] })],
    ['the site', () => ({ all: true }) as const],
  ])('of %s has the origin asked, and a 304 keeps the content', async (_, what) => {
    const headers = { ...hour, ETag: '"v1"', 'Cache-Tag': 'thing', 'X-Own': 'one' };
    const path = put({ body: 'content', headers });
    await store(path);
    await refresh(what(path));
    const answer = await get(path);
    expect([answer.status, answer.body, answer.headers['x-own'], answer.headers['x-cache']]).toEqual([
      200,
      'content',
      'one',
      'MISS',
    ]);
    expect(statuses(path)).toEqual([304]);
    expect(asked[path]![0]!.headers['if-none-match']).toBe('"v1"');
    // The cache may still be putting it in its place: who asks in that moment has the origin asked once more.
    await expect.poll(async () => (await get(path)).headers['x-cache']).toBe('HIT');
    expect([...new Set(statuses(path))]).toEqual([304]);
    expect(statuses(path).length).toBeLessThanOrEqual(2);
  });

  it('serves what is new, and what has no validators or is too large is fetched anew', async () => {
    const path = put({ body: 'old', headers: { ...hour, ETag: '"v1"' } });
    const bare = put({ body: 'bare', headers: hour });
    const large = put({ body: 'x'.repeat(1_100_000), headers: { ...hour, ETag: '"v1"' } });
    for (const each of [path, bare, large]) await store(each);
    pages[path] = { body: 'new', headers: { ...hour, ETag: '"v2"' } };
    await refresh({ all: true });
    expect((await get(path)).body).toBe('new');
    expect((await get(bare)).body).toBe('bare');
    expect((await get(large)).body).toHaveLength(1_100_000);
    expect([path, bare, large].map(statuses)).toEqual([[200], [200], [200]]);
    expect(asked[large]![0]!.headers['if-none-match']).toBeUndefined();
  });

  it('asks about each variant by itself', async () => {
    const path = put({ body: 'content', headers: { ...hour, ETag: '"v1"', Vary: 'X-Device' } });
    const [phone, desk] = [{ 'X-Device': 'phone' }, { 'X-Device': 'desk' }];
    await store(path, phone, desk);
    await refresh(url(path));
    expect((await get(path, phone)).body).toBe('content');
    expect((await get(path, desk)).body).toBe('content');
    // This one was never stored.
    expect((await get(path, { 'X-Device': 'watch' })).body).toBe('content');
    expect(statuses(path)).toEqual([304, 304, 200]);
  });

  it('keeps what was compressed here', async () => {
    const path = put({
      body: 'text '.repeat(100),
      headers: { ...hour, ETag: '"v1"', 'Content-Type': 'text/css' },
    });
    const accept = { 'Accept-Encoding': 'gzip' };
    await get(path, accept, 'small.test');
    asked[path]!.length = 0;
    await refresh(url(path, 'small.test'), { siteId: 4 });
    const answer = await get(path, accept, 'small.test');
    expect([answer.headers['content-encoding'], answer.status]).toEqual(['gzip', 200]);
    expect(statuses(path)).toEqual([304]);
  });

  it('has what is kept in parts fetched anew', async () => {
    const path = put({ body: 'x'.repeat(2_000_000), headers: { ...hour, ETag: '"v1"' } });
    const read = async () => (await get(path, {}, 'parts.test')).body.length;
    await read();
    const parts = asked[path]!.length;
    await refresh(url(path, 'parts.test'), { siteId: 2 });
    expect(await read()).toBe(2_000_000);
    expect(asked[path]!.length).toBe(2 * parts);
    expect(asked[path]!.every(({ headers }) => headers['if-none-match'] === undefined)).toBe(true);
  });

  it('asks about nothing that was deleted before or after it', async () => {
    const path = put({ body: 'content', headers: { ...hour, ETag: '"v1"' } });
    await store(path);
    await refresh(url(path));
    await refresh({ all: true });
    await get(path);
    expect(statuses(path)).toEqual([304]);
    for (const modes of [
      ['revalidate', 'delete'],
      ['delete', 'revalidate'],
    ] as const) {
      await store(path);
      for (const mode of modes) await refresh(url(path), { mode });
      expect((await get(path)).body).toBe('content');
      expect(statuses(path)).toEqual([200]);
    }
  });

  it('lets what its origin allows stand for an error, by status or by silence, and nothing else', async () => {
    const path = put({
      body: 'content',
      headers: { 'Cache-Control': 'max-age=600, stale-if-error=600', ETag: '"v1"' },
    });
    const plain = put({ body: 'content', headers: { ...hour, ETag: '"v1"' } });
    for (const each of [path, plain]) await store(each);
    await refresh({ all: true });
    for (const each of [path, plain]) pages[each]!.status = 503;
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([200, 'content']);
    expect((await get(plain)).status).toBe(503);
    pages[path] = { body: 'new', headers: { ...hour, ETag: '"v2"' } };
    await expect.poll(async () => (await get(path)).body).toBe('new');

    for (const each of ['/kept', '/none', '/gone']) await get(each, {}, 'down.test');
    await ending.close();
    await refresh({ urls: { 'down.test': ['/kept', '/none'] } }, { siteId: 3 });
    await refresh(url('/gone', 'down.test'), { siteId: 3, mode: 'delete' });
    const kept = await get('/kept', {}, 'down.test');
    expect([kept.status, kept.body, kept.headers['etag']]).toEqual([200, 'content', '"v1"']);
    expect((await get('/none', {}, 'down.test')).status).toBe(502);
    expect((await get('/gone', {}, 'down.test')).status).toBe(502);
  });
});

it('what an older release counted holds, and can be asked about from then on', async () => {
  const dir = await makeEdgeDir();
  await mkdir(join(dir, 'documents', 'site'), { recursive: true });
  const document = makeEnvelope('site', '1', 1, siteOf(1, ['kept.test'], origin.port));
  await writeFile(join(dir, 'documents', 'site', '1.json'), JSON.stringify(document));
  const path = put({ body: 'content', headers: { ...hour, ETag: '"v1"' } });
  const first = await TestEdge.start({ edgeDir: dir });
  await refresh(url(path, 'kept.test'), { on: first, mode: 'delete' });
  await first.get('kept.test', path);
  await first.edge.stop();
  const counters = join(dir, 'cache-generations');
  const { size } = await stat(counters);
  await truncate(counters, size - 7 * 2 ** 20 * 4);
  const second = await TestEdge.start({ edgeDir: dir });
  expect((await second.get('kept.test', path)).headers['x-cache']).toBe('HIT');
  await refresh(url(path, 'kept.test'), { on: second });
  expect((await second.get('kept.test', path)).body).toBe('content');
  expect(statuses(path)).toEqual([200, 304]);
  await second.close();
  await rm(dir, { recursive: true, force: true });
});
