import { connect as connectHttp2 } from 'node:http2';
import { toByteString } from '@breakwater/policy';
import { parseSnippet, renderSnippet } from '@breakwater/policy/site/nginx-snippet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idOf, LeakWorld, page } from './leaks-support.ts';
import type { SiteInput } from './support.ts';

/** Leaks in answers, on a real nginx: what is withheld, and what goes on. */

let world: LeakWorld;
beforeAll(async () => {
  world = await LeakWorld.start();
});
afterAll(() => world.close());

it('is withheld, not stored, and logged without what is secret', async () => {
  const host = await world.serve();
  const before = world.origin.count();
  for (const path of ['/key', '/key', '/text', '/pieces', '/gzip']) {
    const given = await world.edge.get(host, path);
    expect([path, given.status]).toEqual([path, 403]);
    expect(given.body).toContain(idOf(given));
    expect(given.body).not.toContain('PRIVATE KEY');
    const line = await world.lineOf(idOf(given));
    expect(line).toMatchObject({
      decision: 'used_system_rule leak',
      waf: 'used_system_rule leak=block',
      waf_part: 'response.private_key: -----BEGIN PRIVATE KEY-----',
    });
  }
  expect(world.origin.count() - before).toBe(5);
});

it('leaves other answers as they were, from the origin and from the cache', async () => {
  const host = await world.serve();
  const plain = await world.serve({ mode: 'off' });
  const before = world.origin.count();
  const [first, second, usual] = [
    await world.edge.get(host, '/a'),
    await world.edge.get(host, '/a'),
    await world.edge.get(plain, '/a'),
  ];
  expect([first.status, first.body, first.headers['x-cache']]).toEqual([200, page, 'MISS']);
  expect([second.body, second.headers['x-cache']]).toEqual([page, 'HIT']);
  expect(world.origin.count() - before).toBe(2);
  for (const name of ['date', 'x-request-id', 'age', 'connection']) {
    delete first.headers[name];
    delete usual.headers[name];
  }
  expect(first.headers).toEqual(usual.headers);
  expect((await world.lineOf(idOf(second))).waf).toBe('');
});

it('is only logged in observe, whatever is done about attacks, and where it is no more than likely', async () => {
  for (const [rules, path, part] of [
    [{ leak: 'observe' }, '/key', 'response.private_key: -----BEGIN PRIVATE KEY-----'],
    [{ mode: 'strict', leak: 'observe' }, '/key', 'response.private_key: -----BEGIN PRIVATE KEY-----'],
    [{ leak: 'default' }, '/index', 'response.directory_listing: Index of /'],
  ] as const) {
    const host = await world.serve(rules);
    const given = await world.edge.get(host, path);
    expect([given.status, given.headers['x-cache']]).toEqual([200, 'MISS']);
    expect(await world.lineOf(idOf(given))).toMatchObject({
      decision: '',
      waf: 'used_system_rule leak=observe',
      waf_part: part,
    });
    const again = await world.edge.get(host, path);
    expect([again.headers['x-cache'], again.body]).toEqual(['HIT', given.body]);
    expect((await world.lineOf(idOf(again))).waf).toBe('');
  }
  const strict = await world.serve({ leak: 'strict' });
  expect((await world.edge.get(strict, '/index')).status).toBe(403);
});

it('is excepted by path, by kind, and until a time', async () => {
  const future = Math.floor(Date.now() / 1000) + 600;
  const past = future - 1200;
  for (const [exception, status] of [
    [{ path: '/key' }, 200],
    [{ parameter: 'private_key', detector: 'leak' }, 200],
    [{ detector: 'leak', until: future }, 200],
    [{ detector: 'leak', until: past }, 403],
    [{ parameter: 'stack_trace' }, 403],
    [{ path: '/other', detector: 'leak' }, 403],
  ] as const)
    expect(
      (await world.edge.get(await world.serve({ leak: 'default', exceptions: [exception] }), '/key')).status,
    ).toBe(status);
});

it('is excepted, and logged, by the path that the origin was asked for', async () => {
  const more: Partial<SiteInput> = {
    rewrite: { url_rewrites: [{ type: 'path', from: '/public', to: '/key' }] },
  };
  const part = 'response.private_key: -----BEGIN PRIVATE KEY-----';
  const host = await world.serve({ leak: 'default' }, more);
  for (const [path, shown] of [
    ['/public', `${part}; asked: /key`],
    ['/key', part],
    ['/key?a=/public', part],
  ] as const) {
    const given = await world.edge.get(host, path);
    expect([path, given.status]).toEqual([path, 403]);
    expect([path, (await world.lineOf(idOf(given))).waf_part]).toEqual([path, shown]);
  }
  const excepted = await world.serve(
    { leak: 'default', exceptions: [{ path: '/key', detector: 'leak' }] },
    more,
  );
  expect((await world.edge.get(excepted, '/public')).status).toBe(200);
});

it('asks for no packing that it cannot read, and says of one that comes unasked that nobody read it', async () => {
  const host = await world.serve();
  for (const wish of ['br', 'br, gzip', 'gzip, deflate, br, zstd'])
    expect((await world.edge.get(host, '/wished', { headers: { 'accept-encoding': wish } })).status).toBe(
      403,
    );
  const given = await world.edge.get(host, '/br', { headers: { 'accept-encoding': 'br' } });
  expect(given.status).toBe(200);
  expect((await world.lineOf(idOf(given))).waf).toBe('used_system_rule leak_unread=observe');
});

it('is read before the edge compresses, and what is compressed is whole', async () => {
  const speed = { gzip: true, brotli: true, min_length_bytes: 20 };
  const host = await world.serve({ leak: 'default' }, { speed });
  const packed = await world.edge.get(host, '/a', { headers: { 'accept-encoding': 'gzip' } });
  expect([packed.status, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect((await world.edge.get(host, '/text', { headers: { 'accept-encoding': 'gzip' } })).status).toBe(403);
});

it('is told in a part of a large file, in a HEAD, over HTTP/2 and in answers to a POST', async () => {
  const host = await world.serve();
  const part = await world.edge.get(host, '/dump.sql', { headers: { range: 'bytes=0-199' } });
  expect([part.status, part.body.includes('INSERT')]).toEqual([403, false]);
  expect((await world.edge.get(host, '/dump.sql')).status).toBe(403);
  expect((await world.edge.get(host, '/key', { method: 'HEAD' })).status).toBe(403);
  expect((await world.edge.get(host, '/a', { method: 'HEAD' })).status).toBe(200);
  expect((await world.edge.get(host, '/echo', { method: 'POST', body: 'leak' })).status).toBe(403);
  const sent = await world.edge.get(host, '/echo', { method: 'POST', body: 'x'.repeat(2_000_000) });
  expect([sent.status, sent.body]).toEqual([200, 'got 2000000']);
  const session = connectHttp2(`https://127.0.0.1:${world.edge.httpsPort}`, { rejectUnauthorized: false });
  const get = (path: string) =>
    new Promise((settle) => {
      const stream = session.request({ ':path': path, ':authority': host });
      stream.on('response', (headers) => settle(headers[':status']));
      stream.resume();
    });
  expect([await get('/key'), await get('/a2'), await get('/key')]).toEqual([403, 200, 403]);
  session.destroy();
});

it('is told at a site with nginx directives of its own', async () => {
  const text = renderSnippet(parseSnippet(toByteString('add_header X-Own yes;')).directives);
  await world.edge.edge.direct([{ siteId: 2000, text, places: ['plain', 'cached'] }]);
  await world.put(2000, { leak: 'default' }, { advanced: { snippet: 'add_header X-Own yes;' } });
  const given = await world.get('leaks2000.test', '/a');
  expect([given.status, given.headers['x-own']]).toEqual([200, 'yes']);
  expect((await world.get('leaks2000.test', '/key')).status).toBe(403);
});

it('is told in a file that is kept in parts, by the first', async () => {
  const rules: SiteInput['rules'] = [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }];
  const host = await world.serve({ leak: 'default' }, { rules });
  expect((await world.edge.get(host, '/dump.sql')).status).toBe(403);
  expect((await world.edge.get(host, '/a')).body).toBe(page);
});

it('has no say of origins or visitors in it', async () => {
  const host = await world.serve();
  const given = await world.edge.get(host, '/forged');
  expect([given.status, given.body]).toEqual([200, page]);
  expect(Object.keys(given.headers).filter((name) => name.startsWith('x-breakwater'))).toEqual([]);
  expect((await world.lineOf(idOf(given))).waf).toBe('');
  expect((await world.edge.get(host, '/key', { headers: { 'x-breakwater-holding': 'me' } })).status).toBe(
    403,
  );
  const plain = await world.serve({ mode: 'off' });
  expect((await world.lineOf(idOf(await world.edge.get(plain, '/forged')))).waf).toBe('');
});

it('does nothing to what was stored before it was switched on', async () => {
  const id = 1000;
  const host = `leaks${id}.test`;
  await world.put(id, { mode: 'off' });
  expect((await world.get(host, '/key')).status).toBe(200);
  await world.put(id, { leak: 'default' });
  expect((await world.get(host, '/key')).headers['x-cache']).toBe('HIT');
  await world.edge.applyRefresh({ refresh_id: 1, site_id: id, all: true });
  expect((await world.get(host, '/key')).status).toBe(403);
});
