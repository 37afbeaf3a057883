import type { RefreshDocument } from '@breakwater/contract';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeSite,
  makeEdgeDir,
  makeEnvelope,
  startOrigin,
  TestEdge,
  type SiteInput,
  type TestOrigin,
} from './support.ts';

/** Refreshes by URL, folder and site (`docs/caching.md`, Refresh). */

let edge: TestEdge;
let origin: TestOrigin;
let isDown = false;
/** What the origin tags its answers with, by path; and an answer that waits. */
const tags = new Map<string, Record<string, string>>();
let slowAnswer: Promise<void> | undefined;
const site = (id: number, domains: string[], more: Partial<SiteInput> = {}) =>
  makeSite({
    id,
    domains,
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules: [
      {
        type: 'suffix',
        content: ['css'],
        action: 'cache',
        ttl_seconds: 600,
        query_policy: 'none',
        match_content_type: false,
      },
      { type: 'all', action: 'cache', ttl_seconds: 600, stale_if_error_seconds: 600 },
    ],
    ...more,
  });
let refreshes = 0;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (isDown) return void request.socket.destroy();
    response.setHeader('cache-control', 'max-age=600');
    for (const [name, value] of Object.entries(tags.get(request.url!) ?? {})) response.setHeader(name, value);
    const answer = () => response.end(`${request.url} ${Math.random()}`);
    if (request.url === '/held') void slowAnswer!.then(answer);
    else answer();
  });
  edge = await TestEdge.start({ workerProcesses: 2 });
  await edge.applySites(
    site(1, ['a.test', '*.a.test']),
    site(2, ['b.test']),
    site(3, ['rewritten.test'], {
      rewrite: { url_rewrites: [{ type: 'prefix', from: '/old/', to: '/new/' }] },
    }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const refresh = (siteId: number, what: Omit<RefreshDocument, 'refresh_id' | 'site_id'>, on = edge) =>
  on.applyRefresh({ refresh_id: ++refreshes, site_id: siteId, ...what });
const state = async (host: string, path: string) => (await edge.get(host, path)).headers['x-cache'];
/** In the cache, which says nothing of whether it was there before. */
async function store(host: string, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    // Twice: so often what is new is asked for under a tag that was refreshed before.
    for (let time = 0; time < 2; time++) await edge.get(host, path);
    if ((await state(host, path)) !== 'HIT') throw new Error(`${host}${path} is not stored`);
  }
}
async function states(host: string, ...paths: string[]): Promise<unknown> {
  const seen: Record<string, unknown> = {};
  for (const path of paths) seen[path] = await state(host, path);
  return seen;
}

describe('a refresh', () => {
  it('of URLs takes these alone, with all queries that their rule ignores, by either scheme', async () => {
    await store('a.test', '/one', '/one?q', '/two', '/x.css?v=1');
    await edge.get('a.test', '/one', { servername: 'a.test' });
    await refresh(1, { urls: { 'a.test': ['/one', '/x.css?v=2'] } });
    expect(await states('a.test', '/one', '/one?q', '/two', '/x.css?v=1')).toEqual({
      '/one': 'MISS',
      '/one?q': 'HIT',
      '/two': 'HIT',
      '/x.css?v=1': 'MISS',
    });
    const secure = await edge.get('a.test', '/one', { servername: 'a.test' });
    expect(secure.headers['x-cache']).toBe('MISS');
    for (let time = 0; time < 8; time++) expect(await state('a.test', '/one')).toBe('HIT');
  });

  it('of a folder takes what is below it, at its host, and nothing beside it', async () => {
    const paths = ['/dir/', '/dir/a', '/dir/deep/er/b?x=1', '/dir', '/dirt/a', '/other/dir/a'];
    await store('a.test', ...paths);
    await store('www.a.test', '/dir/a');
    await refresh(1, { folders: { 'a.test': ['/dir/'] } });
    expect(await states('a.test', ...paths)).toEqual({
      '/dir/': 'MISS',
      '/dir/a': 'MISS',
      '/dir/deep/er/b?x=1': 'MISS',
      '/dir': 'HIT',
      '/dirt/a': 'HIT',
      '/other/dir/a': 'HIT',
    });
    expect(await state('www.a.test', '/dir/a')).toBe('HIT');
    await refresh(1, { folders: { 'a.test': ['/'] } });
    expect(await states('a.test', '/dirt/a', '/two')).toEqual({ '/dirt/a': 'MISS', '/two': 'MISS' });
    expect(await state('www.a.test', '/dir/a')).toBe('HIT');
  });

  it('of a site takes all its hosts, and no other site', async () => {
    await store('a.test', '/s');
    await store('www.a.test', '/s');
    await store('b.test', '/s');
    await refresh(1, { all: true });
    expect([
      await state('a.test', '/s'),
      await state('www.a.test', '/s'),
      await state('b.test', '/s'),
    ]).toEqual(['MISS', 'MISS', 'HIT']);
  });

  it('of tags takes what the origin gave them to, at all hosts of the site, and visitors see none', async () => {
    tags.set('/shoes', { 'Cache-Tag': 'Products, shoe-1,shoe-2 ' });
    tags.set('/shoes?page=2', { 'Cache-Tag': 'products,shoe-3' });
    tags.set('/hat', { 'Surrogate-Key': 'products hat-1' });
    const paths = ['/shoes', '/shoes?page=2', '/hat', '/untagged'];
    await store('a.test', ...paths);
    await store('www.a.test', '/shoes');
    await store('b.test', '/shoes');
    const { headers } = await edge.get('a.test', '/shoes');
    expect([headers['x-cache'], headers['cache-tag'], headers['surrogate-key']]).toEqual([
      'HIT',
      undefined,
      undefined,
    ]);
    await refresh(1, { tags: ['shoe-1', 'hat-1', 'of-nobody'] });
    expect(await states('a.test', ...paths)).toEqual({
      '/shoes': 'MISS',
      '/shoes?page=2': 'HIT',
      '/hat': 'MISS',
      '/untagged': 'HIT',
    });
    expect(await state('www.a.test', '/shoes')).toBe('MISS');
    await store('a.test', ...paths);
    await refresh(1, { tags: ['products'] });
    expect(await states('a.test', ...paths)).toEqual({
      '/shoes': 'MISS',
      '/shoes?page=2': 'MISS',
      '/hat': 'MISS',
      '/untagged': 'HIT',
    });
    expect(await state('b.test', '/shoes')).toBe('HIT');
  });

  it('of a tag never brings back what was stored under others', async () => {
    const seen = new Set<string>();
    let before = 'one';
    for (const given of ['one', 'two', 'one', 'three,one', 'two', 'one']) {
      tags.set('/changing', { 'Cache-Tag': given });
      await refresh(1, { tags: [before] });
      const { body } = await edge.get('a.test', '/changing');
      expect(seen).not.toContain(body);
      await store('a.test', '/changing');
      seen.add(body).add((await edge.get('a.test', '/changing')).body);
      before = given.split(',')[0]!;
    }
  });

  it('of a tag takes an answer that was under way', async () => {
    tags.set('/held', { 'Cache-Tag': 'slow' });
    let release = () => {};
    slowAnswer = new Promise((resolve) => (release = resolve));
    const before = origin.count();
    const asked = edge.get('a.test', '/held');
    await expect.poll(() => origin.count()).toBe(before + 1);
    await refresh(1, { tags: ['slow'] });
    release();
    const { body } = await asked;
    const next = await edge.get('a.test', '/held');
    expect(next.body).not.toBe(body);
  });

  it('of any tag takes what has more tags than a node remembers', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    tags.set('/many-tags', { 'Cache-Tag': many.join(',') });
    await store('a.test', '/many-tags');
    await refresh(1, { tags: ['many-39'] });
    expect(await state('a.test', '/many-tags')).toBe('MISS');
    await refresh(1, { tags: ['of-nobody-else'] });
    expect(await state('a.test', '/many-tags')).toBe('MISS');
    await refresh(2, { tags: ['many-1'] });
    expect(await state('a.test', '/many-tags')).toBe('HIT');
  });

  it('leaves what a host that is another site’s has', async () => {
    await store('b.test', '/mine', '/dir/mine');
    await refresh(1, { urls: { 'b.test': ['/mine'] }, folders: { 'b.test': ['/dir/'] } });
    expect(await states('b.test', '/mine', '/dir/mine')).toEqual({ '/mine': 'HIT', '/dir/mine': 'HIT' });
  });

  it('finds what is stored under another path than it is asked for', async () => {
    await store('rewritten.test', '/old/a', '/old/b', '/else');
    await refresh(3, { urls: { 'rewritten.test': ['/old/a'] } });
    expect(await states('rewritten.test', '/old/a', '/old/b')).toEqual({ '/old/a': 'MISS', '/old/b': 'HIT' });
    await refresh(3, { folders: { 'rewritten.test': ['/old/'] } });
    expect(await state('rewritten.test', '/old/b')).toBe('MISS');
  });

  it('leaves nothing that could be served when the origin fails', async () => {
    await store('a.test', '/fails');
    await refresh(1, { urls: { 'a.test': ['/fails'] } });
    isDown = true;
    expect((await edge.get('a.test', '/fails')).status).toBe(502);
    isDown = false;
    expect(await state('a.test', '/fails')).toBe('MISS');
  });

  it('is refused where it is none, and is gone without a trace when it is withdrawn', async () => {
    const bad = makeEnvelope('refresh', '1', edge.nextRevision(), { refresh_id: 1 });
    expect((await edge.control<{ error: string }[]>('POST', '/documents', [bad]))[0]!.error).toMatch(
      /site_id/,
    );
    const { key } = await refresh(2, { urls: { 'b.test': ['/s'] } });
    const held = () => edge.control<{ kind: string; key: string }[]>('GET', '/documents');
    expect(await held()).toContainEqual(expect.objectContaining({ kind: 'refresh', key }));
    const tombstone = { kind: 'refresh', key, revision: edge.nextRevision(), deleted: true };
    await edge.control('POST', '/documents', [tombstone]);
    expect((await held()).filter((one) => one.kind === 'refresh' && one.key === key)).toEqual([]);
  });

  it('takes a site that was taken from the node and is given back', async () => {
    await edge.applySites(site(9, ['moved.test']));
    await store('moved.test', '/x');
    await edge.control('POST', '/documents', [
      { kind: 'site', key: '9', revision: edge.nextRevision(), deleted: true },
    ]);
    await edge.applySites(site(9, ['moved.test']));
    expect(await state('moved.test', '/x')).toBe('MISS');
  });

  it('of ten thousand URLs is done in one message', async () => {
    const urls = Array.from({ length: 10_000 }, (_, index) => `/many/${index}`);
    await store('a.test', '/many/9999');
    const bytes = async () => (await stat(join(edge.dir, 'cache-generations'))).size;
    const before = await bytes();
    await refresh(1, { urls: { 'a.test': urls } });
    expect(await state('a.test', '/many/9999')).toBe('MISS');
    // Every counter has its place from the start.
    expect(await bytes()).toBe(before);
  });
});

it('a refresh holds over a restart of nginx, and is not done again by it', async () => {
  const dir = await makeEdgeDir();
  for (const kind of ['site', 'refresh']) await mkdir(join(dir, 'documents', kind), { recursive: true });
  const write = (name: string, value: unknown) =>
    writeFile(join(dir, 'documents', name), JSON.stringify(value));
  await write('site/1.json', makeEnvelope('site', '1', 1, site(1, ['kept.test'])));
  const first = await TestEdge.start({ edgeDir: dir });
  const old = (await first.get('kept.test', '/a')).body;
  const envelope = await refresh(1, { urls: { 'kept.test': ['/a'] } }, first);
  await write(`refresh/${envelope.key}.json`, envelope);
  const now = (await first.get('kept.test', '/a')).body;
  expect(now).not.toBe(old);
  await first.edge.stop();
  const second = await TestEdge.start({ edgeDir: dir });
  const after = await second.get('kept.test', '/a');
  expect([after.headers['x-cache'], after.body]).toEqual(['HIT', now]);
  await second.close();
  await rm(dir, { recursive: true, force: true });
});
