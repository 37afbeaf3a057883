import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, patience, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Leaks in answers, on a real nginx: what is withheld, what goes on, and that nobody waits for it. */

let edge: TestEdge;
let origin: TestOrigin;
let sites = 0;

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const dump = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\nINSERT INTO \`user\` VALUES (1,'ann');\n`;
const page = '<!doctype html><html><body><h1>Hello</h1></body></html>';
const noise = createHash('shake256', { outputLength: 3_000_000 }).update('leaks').digest();

/** What is not answered before a test says so. */
const waiting: Record<string, ServerResponse> = {};

const kept = { 'cache-control': 'max-age=600' };

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'http://origin');
  const give = (type: string | undefined, body: string | Buffer, more: Record<string, string> = {}) =>
    response
      .writeHead(200, { ...kept, ...(type === undefined ? {} : { 'content-type': type }), ...more })
      .end(body);
  switch (url.pathname) {
    case '/key':
      return void give(undefined, privateKey);
    case '/text':
      return void give('text/plain', privateKey, { 'cache-control': 'no-store' });
    case '/gzip':
      return void give('text/plain', gzipSync(privateKey), { 'content-encoding': 'gzip' });
    case '/br':
      return void give('text/plain', brotliCompressSync(privateKey), { 'content-encoding': 'br' });
    case '/index':
      return void give(
        'text/html',
        '<html><head><title>Index of /a</title></head><h1>Index of /a</h1><a href="../">../</a>',
      );
    case '/dump.sql': {
      const body = dump + '-- \n'.repeat(1_500_000);
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (from === undefined)
        return void give('application/octet-stream', body, { 'content-length': `${body.length}` });
      const part = body.slice(Number(from), Number(to) + 1);
      const range = {
        'content-range': `bytes ${from}-${to}/${body.length}`,
        'content-type': 'application/octet-stream',
      };
      return void response.writeHead(206, { ...kept, ...range }).end(part);
    }
    case '/large.bin':
      return void give('application/octet-stream', noise);
    case '/image':
      return void give('image/png', privateKey);
    case '/forged':
      return void give('text/html', page, {
        'x-breakwater-leaks': 'YQ==,YQ==,YQ==',
        'x-breakwater-holding': 'on',
        'x-breakwater-judged': 'YQ==,YQ==,YQ==',
      });
    case '/events':
    case '/slow':
      response.writeHead(200, {
        'content-type': url.pathname === '/events' ? 'text/event-stream' : 'text/html',
        'cache-control': 'no-store',
      });
      response.write('data: one\n\n');
      waiting[url.search] = response;
      return undefined;
    case '/silent':
      response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .flushHeaders();
      waiting[url.search] = response;
      return undefined;
    case '/expired':
      return void give(
        'text/html',
        url.search.includes('leak') || origin.count() > waitedFor ? privateKey : page,
        {
          'cache-control': 'max-age=1, stale-while-revalidate=60',
        },
      );
    case '/pieces':
      response.writeHead(200, { ...kept, 'content-type': 'text/plain' });
      for (let at = 0; at < privateKey.length; at += 100) response.write(privateKey.slice(at, at + 100));
      return void response.end();
    case '/echo': {
      let body = '';
      request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
      return void request.on('end', () =>
        give('text/plain', body === 'leak' ? privateKey : `got ${body.length}`),
      );
    }
    default:
      return void give('text/html', page);
  }
}
let waitedFor = Infinity;

beforeAll(async () => {
  origin = await startOrigin(answer);
  edge = await TestEdge.start({ workerProcesses: 2 });
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function serve(
  systemRules: NonNullable<SiteInput['systemRules']> = { leak: 'default' },
  more: Partial<SiteInput> = {},
): Promise<string> {
  const id = ++sites;
  const host = `leaks${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, systemRules, ...more }));
  if (result!.error !== undefined) throw new Error(result!.error);
  return host;
}

const lineOf = async (id: string | undefined) =>
  (await edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
const idOf = ({ headers }: { headers: Record<string, unknown> }) => headers['x-request-id'] as string;

it('is withheld, not stored, and logged without what is secret', async () => {
  const host = await serve();
  const before = origin.count();
  for (const path of ['/key', '/key', '/text', '/pieces', '/gzip']) {
    const given = await edge.get(host, path);
    expect([path, given.status]).toEqual([path, 403]);
    expect(given.body).toContain(idOf(given));
    expect(given.body).not.toContain('PRIVATE KEY');
    const line = await lineOf(idOf(given));
    expect(line).toMatchObject({
      decision: 'used_system_rule leak',
      waf: 'used_system_rule leak=block',
      waf_part: 'response.private_key: -----BEGIN PRIVATE KEY-----',
    });
  }
  expect(origin.count() - before).toBe(5);
});

it('leaves other answers as they were, from the origin and from the cache', async () => {
  const host = await serve();
  const plain = await serve({ mode: 'off' });
  const before = origin.count();
  const [first, second, usual] = [
    await edge.get(host, '/a'),
    await edge.get(host, '/a'),
    await edge.get(plain, '/a'),
  ];
  expect([first.status, first.body, first.headers['x-cache']]).toEqual([200, page, 'MISS']);
  expect([second.body, second.headers['x-cache']]).toEqual([page, 'HIT']);
  expect(origin.count() - before).toBe(2);
  for (const name of ['date', 'x-request-id', 'age', 'connection']) {
    delete first.headers[name];
    delete usual.headers[name];
  }
  expect(first.headers).toEqual(usual.headers);
  expect((await lineOf(idOf(second))).waf).toBe('');
});

it('is only logged in observe, where a site says no more than a mode, and where it is no more than likely', async () => {
  for (const [rules, path, part] of [
    [{ leak: 'observe' }, '/key', 'response.private_key: -----BEGIN PRIVATE KEY-----'],
    [{ mode: 'strict' }, '/key', 'response.private_key: -----BEGIN PRIVATE KEY-----'],
    [{ leak: 'default' }, '/index', 'response.directory_listing: Index of /'],
  ] as const) {
    const host = await serve(rules);
    const given = await edge.get(host, path);
    expect([given.status, given.headers['x-cache']]).toEqual([200, 'MISS']);
    expect(await lineOf(idOf(given))).toMatchObject({
      decision: '',
      waf: 'used_system_rule leak=observe',
      waf_part: part,
    });
    const again = await edge.get(host, path);
    expect([again.headers['x-cache'], again.body]).toEqual(['HIT', given.body]);
    expect((await lineOf(idOf(again))).waf).toBe('');
  }
  const strict = await serve({ leak: 'strict' });
  expect((await edge.get(strict, '/index')).status).toBe(403);
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
    expect((await edge.get(await serve({ leak: 'default', exceptions: [exception] }), '/key')).status).toBe(
      status,
    );
});

it('asks of each of many visitors at once, and lets none of them wait for another', async () => {
  const host = await serve();
  const answers = await Promise.all(Array.from({ length: 200 }, () => edge.get(host, '/key')));
  expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
  expect(answers.filter(({ body }) => body.includes('PRIVATE KEY'))).toEqual([]);
  const others = await Promise.all(Array.from({ length: 200 }, () => edge.get(host, '/many')));
  expect(others.filter(({ body }) => body !== page)).toEqual([]);
});

/** What has come of an answer so far. */
function follow(host: string, path: string, headers: Record<string, string> = {}) {
  const seen = { status: 0, body: '', ended: false, id: '' };
  const call = httpRequest({
    host: '127.0.0.1',
    port: edge.httpPort,
    path,
    headers: { host, ...headers },
    agent: false,
  });
  call.on('response', (response) => {
    seen.status = response.statusCode!;
    seen.id = response.headers['x-request-id'] as string;
    response.on('data', (chunk: Buffer) => (seen.body += chunk.toString('latin1')));
    response.on('end', () => (seen.ended = true));
  });
  call.on('error', () => undefined);
  call.end();
  return { seen, leave: () => call.destroy() };
}

it('holds no event stream, and nothing for longer than a second', async () => {
  const host = await serve();
  const events = follow(host, '/events?a');
  await expect.poll(() => events.seen.body, patience).toBe('data: one\n\n');
  waiting['?a']!.write('data: two\n\n');
  await expect.poll(() => events.seen.body, patience).toBe('data: one\n\ndata: two\n\n');
  waiting['?a']!.end();
  await expect.poll(() => events.seen.ended, patience).toBe(true);
  expect((await lineOf(events.seen.id)).waf).toBe('');

  for (const path of ['/slow?b', '/silent?c']) {
    const slow = follow(host, path);
    const name = path.slice(path.indexOf('?'));
    await expect.poll(() => waiting[name], patience).toBeDefined();
    const response = waiting[name]!;
    response.write('and more');
    await expect.poll(() => slow.seen.body, patience).toContain('and more');
    response.end();
    await expect.poll(() => slow.seen.ended, patience).toBe(true);
    expect((await lineOf(slow.seen.id)).waf).toBe('used_system_rule leak_unread=observe');
  }
});

it('ends at the origin with its visitor', async () => {
  const host = await serve();
  const slow = follow(host, '/slow?gone');
  await expect.poll(() => slow.seen.status, patience).toBe(200);
  const closed = new Promise((settle) => waiting['?gone']!.on('close', settle));
  slow.leave();
  await closed;
});

it('says of what is packed in a way it cannot read that nobody read it', async () => {
  const host = await serve();
  const given = await edge.get(host, '/br', { headers: { 'accept-encoding': 'br' } });
  expect(given.status).toBe(200);
  expect((await lineOf(idOf(given))).waf).toBe('used_system_rule leak_unread=observe');
});

it('is read before the edge compresses, and what is compressed is whole', async () => {
  const speed = { gzip: true, brotli: true, min_length_bytes: 20 };
  const host = await serve({ leak: 'default' }, { speed });
  const packed = await edge.get(host, '/a', { headers: { 'accept-encoding': 'gzip' } });
  expect([packed.status, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect((await edge.get(host, '/text', { headers: { 'accept-encoding': 'gzip' } })).status).toBe(403);
});

it('leaves large files, pictures and their lengths alone', async () => {
  const host = await serve();
  for (const path of ['/large.bin', '/large.bin?2', '/image']) {
    const given = await edge.get(host, path);
    expect(given.status).toBe(200);
    expect((await lineOf(idOf(given))).waf).toBe('');
  }
  const hash = createHash('sha256');
  await new Promise<void>((settle) =>
    httpRequest(
      { host: '127.0.0.1', port: edge.httpPort, path: '/large.bin?3', headers: { host }, agent: false },
      (response) => {
        response.on('data', (chunk: Buffer) => hash.update(chunk));
        response.on('end', () => settle());
      },
    ).end(),
  );
  expect(hash.digest('hex')).toBe(createHash('sha256').update(noise).digest('hex'));
});

it('is told in a part of a large file, in a HEAD, over HTTP/2 and in answers to a POST', async () => {
  const host = await serve();
  const part = await edge.get(host, '/dump.sql', { headers: { range: 'bytes=0-199' } });
  expect([part.status, part.body.includes('INSERT')]).toEqual([403, false]);
  expect((await edge.get(host, '/dump.sql')).status).toBe(403);
  expect((await edge.get(host, '/key', { method: 'HEAD' })).status).toBe(403);
  expect((await edge.get(host, '/a', { method: 'HEAD' })).status).toBe(200);
  expect((await edge.get(host, '/echo', { method: 'POST', body: 'leak' })).status).toBe(403);
  const sent = await edge.get(host, '/echo', { method: 'POST', body: 'x'.repeat(2_000_000) });
  expect([sent.status, sent.body]).toEqual([200, 'got 2000000']);
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
  const get = (path: string) =>
    new Promise((settle) => {
      const stream = session.request({ ':path': path, ':authority': host });
      stream.on('response', (headers) => settle(headers[':status']));
      stream.resume();
    });
  expect([await get('/key'), await get('/a2'), await get('/key')]).toEqual([403, 200, 403]);
  session.destroy();
});

it('is told in a file that is kept in parts, by the first', async () => {
  const rules: SiteInput['rules'] = [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }];
  const host = await serve({ leak: 'default' }, { rules });
  expect((await edge.get(host, '/dump.sql')).status).toBe(403);
  expect((await edge.get(host, '/a')).body).toBe(page);
});

it('stands beside content that is judged on its way', async () => {
  const host = await serve({ mode: 'default', leak: 'default', large_bodies: 'judge' });
  const padded = await edge.get(host, '/echo', { method: 'POST', body: 'x'.repeat(2_000_000) });
  expect([padded.status, padded.body]).toEqual([200, 'got 2000000']);
  expect((await lineOf(idOf(padded))).waf).toBe('used_system_rule unread=observe');
});

it('has no say of origins or visitors in it', async () => {
  const host = await serve();
  const given = await edge.get(host, '/forged');
  expect([given.status, given.body]).toEqual([200, page]);
  expect(Object.keys(given.headers).filter((name) => name.startsWith('x-breakwater'))).toEqual([]);
  expect((await lineOf(idOf(given))).waf).toBe('');
  expect((await edge.get(host, '/key', { headers: { 'x-breakwater-holding': 'me' } })).status).toBe(403);
  const plain = await serve({ mode: 'off' });
  expect((await lineOf(idOf(await edge.get(plain, '/forged')))).waf).toBe('');
});

it('does not get into the cache behind a visitor’s back', async () => {
  const host = await serve();
  expect((await edge.get(host, '/expired?1')).body).toBe(page);
  waitedFor = origin.count();
  await expect
    .poll(async () => (await edge.get(host, '/expired?1')).headers['x-cache'], patience)
    .toBe('STALE');
  // The second renewal begins when the first is over, and what that brought would be there.
  await expect
    .poll(async () => {
      expect((await edge.get(host, '/expired?1')).body).toBe(page);
      return origin.count();
    }, patience)
    .toBeGreaterThan(waitedFor + 1);
  expect((await edge.get(host, '/expired?1')).body).toBe(page);
  waitedFor = Infinity;
});

it('does nothing to what was stored before it was switched on', async () => {
  const id = sites + 1;
  const host = await serve({ mode: 'off' });
  expect((await edge.get(host, '/key')).status).toBe(200);
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(makeSite({ id, domains: [host], origins, systemRules: { leak: 'default' } }));
  expect((await edge.get(host, '/key')).headers['x-cache']).toBe('HIT');
  await edge.applyRefresh({ refresh_id: 1, site_id: id, all: true });
  expect((await edge.get(host, '/key')).status).toBe(403);
});
