import { connect as http2Connect } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, startOrigin, TestEdge, type Answer, type CallOptions } from './support.ts';

/** What of a request the cache heeds, and what it must not be led astray by; see `docs/caching.md`. */

let edge: TestEdge;
let origin: ScriptedOrigin;
const serve: ScriptedOrigin['serve'] = (script) => origin.serve(script);

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const rules = [{ type: 'all' as const, ttl_seconds: 600, ignore_cache_control: true }];
  await edge.applySites(
    makeSite({ id: 1, domains: ['c.test'], origins }),
    makeSite({ id: 2, domains: ['forced.test'], origins, rules }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

const get = (path: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
  edge.get('c.test', path, { headers, ...options });
const state = ({ headers }: Answer) => headers['x-cache'];
const fresh = { 'Cache-Control': 'max-age=600' };

async function isStored(path: string): Promise<boolean> {
  await get(path);
  return state(await get(path)) === 'HIT';
}

/** The status of each answer to what is written, until the connection ends or is idle. */
function raw(text: string): Promise<{ statuses: number[]; text: string }> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(text, 'latin1'));
    let seen = '';
    socket.setTimeout(400, () => socket.destroy());
    socket.on('data', (data) => (seen += data.toString('latin1')));
    socket.on('error', refuse);
    socket.on('close', () => {
      const statuses = [...seen.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      settle({ statuses, text: seen });
    });
  });
}

describe('request directives', () => {
  it('answers only-if-cached from the cache, or 504', async () => {
    const path = serve(fresh);
    const only = { 'cache-control': 'only-if-cached' };
    const before = origin.count();
    const none = await get(path, only);
    expect([none.status, none.body.includes('not in the cache of this node'), origin.count()]).toEqual([
      504,
      true,
      before,
    ]);
    await get(path);
    const stored = await get(path, only);
    expect([stored.status, state(stored)]).toEqual([200, 'HIT']);
  });

  it('lets no visitor around the cache', async () => {
    const path = serve(fresh);
    await get(path);
    for (const headers of [
      { 'cache-control': 'no-cache' },
      { 'cache-control': 'max-age=0' },
      { 'cache-control': 'no-store' },
      { pragma: 'no-cache' },
    ] as Record<string, string>[])
      expect(state(await get(path, headers))).toBe('HIT');
  });

  it('stores nothing for a request that says no-store, and keeps storing for others', async () => {
    const path = serve(fresh);
    await get(path, { 'cache-control': 'no-store' });
    expect([state(await get(path)), state(await get(path))]).toEqual(['MISS', 'HIT']);
  });

  it('stores nothing for a GET with content, nor answers one from the cache', async () => {
    const path = serve((request) => ({ headers: fresh, body: String(request.headers['content-length']) }));
    expect((await get(path, {}, { body: 'evil' })).body).toBe('4');
    const clean = await get(path);
    expect([clean.body, state(clean)]).toEqual(['undefined', 'MISS']);
    expect(state(await get(path))).toBe('HIT');
    expect((await get(path, {}, { body: 'evil' })).body).toBe('4');
  });
});

describe('HTTP/2', () => {
  it('stores nothing for a GET with content of no stated length', async () => {
    const path = serve((request) => ({
      headers: fresh,
      body: String(request.headers['transfer-encoding'] ?? request.headers['content-length']),
    }));
    const session = http2Connect(`https://127.0.0.1:${edge.httpsPort}`, {
      rejectUnauthorized: false,
      servername: 'c.test',
    });
    const body = await new Promise<string>((settle, refuse) => {
      let text = '';
      const call = session.request({ ':path': path, ':authority': 'c.test' }, { endStream: false });
      call.on('data', (chunk: Buffer) => (text += chunk.toString()));
      call.on('end', () => settle(text));
      call.on('error', refuse);
      call.end('evil');
    });
    session.close();
    // Framed by what nginx knew when it asked.
    expect(['4', 'chunked']).toContain(body);
    const secure = { servername: 'c.test' };
    const clean = await get(path, {}, secure);
    expect([clean.body, state(clean)]).toEqual(['undefined', 'MISS']);
    expect(state(await get(path, {}, secure))).toBe('HIT');
  });
});

describe('conditions and parts', () => {
  const date = 'Sun, 01 Feb 2026 00:00:00 GMT';
  const later = 'Mon, 02 Feb 2026 00:00:00 GMT';
  const earlier = 'Sat, 31 Jan 2026 00:00:00 GMT';
  let path: string;
  beforeAll(async () => {
    path = serve(() => ({ headers: { ...fresh, ETag: '"v1"', 'Last-Modified': date }, body: '0123456789' }));
    await get(path);
  });

  it.each([
    ['the same tag', { 'if-none-match': '"v1"' }, 304],
    ['a weak one', { 'if-none-match': 'W/"v1"' }, 304],
    ['one of a list', { 'if-none-match': '"v0", W/"v1", "v2"' }, 304],
    ['any', { 'if-none-match': '*' }, 304],
    ['another', { 'if-none-match': '"v0"' }, 200],
    ['the same date', { 'if-modified-since': date }, 304],
    ['a later date', { 'if-modified-since': later }, 304],
    ['an earlier date', { 'if-modified-since': earlier }, 200],
    ['a date that is none', { 'if-modified-since': 'yesterday' }, 200],
    ['the tag before a date', { 'if-none-match': '"v1"', 'if-modified-since': earlier }, 304],
    ['another tag before a date', { 'if-none-match': '"v0"', 'if-modified-since': later }, 200],
    ['a tag that must match', { 'if-match': '"v0"' }, 412],
    ['a date it must not have changed since', { 'if-unmodified-since': earlier }, 412],
  ] as [string, Record<string, string>, number][])(
    'answers %s from the cache',
    async (_name, headers, status) => {
      const answer = await get(path, headers);
      expect([answer.status, state(answer)]).toEqual([status, 'HIT']);
      if (status === 304)
        expect(answer.headers).toMatchObject({ etag: '"v1"', 'cache-control': 'max-age=600' });
    },
  );

  it.each([
    ['a first part', { range: 'bytes=0-3' }, 206, '0123'],
    ['a last part', { range: 'bytes=-2' }, 206, '89'],
    ['a part of this version', { range: 'bytes=2-', 'if-range': '"v1"' }, 206, '23456789'],
    ['a part of another version', { range: 'bytes=2-', 'if-range': '"v0"' }, 200, '0123456789'],
    ['a part beyond the end', { range: 'bytes=10-' }, 416, undefined],
    ['a unit nobody knows', { range: 'lines=1-2' }, 200, '0123456789'],
  ] as [string, Record<string, string>, number, string?][])(
    'answers %s from the whole',
    async (_name, headers, status, body) => {
      const answer = await get(path, headers);
      expect(answer.status).toBe(status);
      if (body !== undefined) expect([answer.body, state(answer)]).toEqual([body, 'HIT']);
    },
  );

  it('asks for the whole when a part is asked for first', async () => {
    const seen: unknown[] = [];
    const whole = serve((request) => {
      seen.push(request.headers.range, request.headers['if-none-match']);
      return { headers: fresh, body: '0123456789' };
    });
    const part = await get(whole, { range: 'bytes=1-2', 'if-none-match': '"x"' });
    expect([part.status, part.body, seen]).toEqual([206, '12', [undefined, undefined]]);
    expect((await get(whole)).body).toBe('0123456789');
  });

  it('never stores a part that comes unasked', async () => {
    const partial = serve(() => ({
      status: 206,
      headers: { ...fresh, 'Content-Range': 'bytes 0-1/10' },
      body: '01',
    }));
    expect(await isStored(partial)).toBe(false);
  });

  it('asks for a GET when HEAD comes first, and never stores the answer of a HEAD', async () => {
    const methods: unknown[] = [];
    const head = serve((request) => (methods.push(request.method), { headers: fresh, body: 'whole' }));
    const first = await get(head, {}, { method: 'HEAD' });
    expect([first.status, first.body, first.headers['content-length']]).toEqual([200, '', '5']);
    const whole = await get(head);
    expect([whole.body, state(whole), methods]).toEqual(['whole', 'HIT', ['GET']]);
    expect((await get(head, {}, { method: 'HEAD' })).headers['x-cache']).toBe('HIT');
  });
});

describe('an answer that breaks off', () => {
  it.each([
    ['before the length it stated', { 'Content-Length': '100' }],
    ['in the middle of its chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('%s is not stored', async (_name, framing) => {
    let isBroken = true;
    const own = await startOrigin((_request, response) => {
      response.writeHead(200, isBroken ? { ...fresh, ...framing } : fresh);
      if (!isBroken) response.end('all of it');
      else response.write('a part', () => response.destroy());
    });
    const id = 'Content-Length' in framing ? 90 : 91;
    const host = `broken-${id}.test`;
    const origins = [{ address: '127.0.0.1', http_port: own.port }];
    await edge.applySites(makeSite({ id, domains: [host], origins }));
    await expect(edge.get(host)).rejects.toThrow(/aborted|hang up|reset/i);
    isBroken = false;
    const whole = await edge.get(host);
    expect([state(whole), whole.body]).toEqual(['MISS', 'all of it']);
    await own.close();
  });
});

describe('errors', () => {
  it.each([
    [403, 'HIT'],
    [500, 'HIT'],
    [503, 'HIT'],
    [303, 'HIT'],
    [416, 'MISS'],
  ])('%i that states a lifetime: %s', async (status, expected) => {
    const path = serve(() => ({ status, headers: fresh }));
    expect((await get(path)).status).toBe(status);
    const again = await get(path);
    expect([again.status, state(again)]).toEqual([status, expected]);
    const unstated = serve(() => ({ status }));
    expect([state(await get(unstated)), state(await get(unstated))]).toEqual(['MISS', 'MISS']);
  });
});

describe('Vary', () => {
  it('keeps one answer for the encodings of all browsers', async () => {
    const path = serve((request) => ({
      headers: { ...fresh, Vary: 'Accept-Encoding' },
      body: String(request.headers['accept-encoding']),
    }));
    const ask = async (encoding: string) => {
      const answer = await get(path, { 'accept-encoding': encoding });
      return [answer.body, state(answer)];
    };
    expect(await ask('gzip, deflate, br, zstd')).toEqual(['br, gzip', 'MISS']);
    expect(await ask('gzip, deflate, br')).toEqual(['br, gzip', 'HIT']);
    expect(await ask('br;q=1.0,gzip;q=0.8')).toEqual(['br, gzip', 'HIT']);
    expect(await ask('gzip')).toEqual(['gzip', 'MISS']);
    expect(await ask('gzip, br;q=0')).toEqual(['gzip', 'HIT']);
    expect(await ask('deflate')).toEqual(['identity', 'MISS']);
  });

  it('counts every name of several lines', async () => {
    const path = serve({ ...fresh, Vary: ['X-One', 'X-Two'] });
    const ask = async (one: string, two: string) => state(await get(path, { 'x-one': one, 'x-two': two }));
    expect([await ask('1', '1'), await ask('2', '1'), await ask('1', '2')]).toEqual(['MISS', 'MISS', 'MISS']);
    expect(await ask('1', '2')).toBe('HIT');
  });

  it('stores nothing that varies by what is not in a request', async () => {
    for (const vary of ['*', 'Accept, *'] as const)
      expect(await isStored(serve({ ...fresh, Vary: vary }))).toBe(false);
    expect(await isStored(serve({ ...fresh, Vary: ['Accept', '*'] }))).toBe(false);
  });
});

describe('fields', () => {
  it('of one hop do not reach the origin', async () => {
    let seen: Record<string, unknown> = {};
    const path = serve((request) => ((seen = request.headers), { headers: fresh }));
    const text = [
      `GET ${path} HTTP/1.1`,
      'Host: c.test',
      'Connection: close, X-Private, X-Forwarded-For, X-Real-IP',
      ...['X-Private', 'TE', 'Trailer', 'Keep-Alive', 'Proxy-Connection', 'Proxy-Authorization'].map(
        (name) => `${name}: x`,
      ),
      'Upgrade: h2c',
      'X-Other: y',
      '',
      '',
    ].join('\r\n');
    expect((await raw(text)).statuses).toEqual([200]);
    expect(seen).toMatchObject({ 'x-other': 'y', 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '127.0.0.1' });
    const names = Object.keys(seen);
    for (const name of [
      'x-private',
      'te',
      'trailer',
      'keep-alive',
      'proxy-connection',
      'proxy-authorization',
    ])
      expect(names).not.toContain(name);
    expect(names).not.toContain('upgrade');
  });

  it('of one hop do not reach the visitor and are not stored', async () => {
    const path = serve({
      ...fresh,
      Connection: 'keep-alive, X-Private',
      'X-Private': 'secret',
      'Keep-Alive': 'timeout=77',
      'Proxy-Authenticate': 'Basic',
      Upgrade: 'h2c',
      'X-Other': 'y',
    });
    for (const expected of ['MISS', 'HIT']) {
      const answer = await get(path);
      expect([state(answer), answer.headers['x-other']]).toEqual([expected, 'y']);
      for (const name of ['x-private', 'keep-alive', 'proxy-authenticate', 'upgrade'])
        expect(answer.headers[name]).toBeUndefined();
    }
  });

  it("keep the origin's Date, and Age counts from it", async () => {
    const date = new Date(Date.now() - 100_000).toUTCString();
    const path = serve({ ...fresh, Date: date });
    for (const expected of ['MISS', 'HIT']) {
      const answer = await get(path);
      expect([state(answer), answer.headers.date]).toEqual([expected, date]);
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(100);
      expect(Number(answer.headers.age)).toBeLessThan(105);
    }
  });

  it('reach the visitor as the origin wrote them, whatever the cache was told', async () => {
    for (const cacheControl of [
      'no-cache, no-store, max-age=0',
      'private="x"',
      'max-age=60, stale-if-error=9',
    ]) {
      const path = serve({ 'Cache-Control': cacheControl });
      for (const expected of ['MISS', 'HIT']) {
        const answer = await edge.get('forced.test', path);
        expect([state(answer), answer.headers['cache-control']]).toEqual([expected, cacheControl]);
      }
    }
    const targeted = serve({ 'CDN-Cache-Control': 'max-age=60, stale-if-error=9' });
    for (const expected of ['MISS', 'HIT']) {
      const answer = await get(targeted);
      expect([state(answer), answer.headers['cache-control']]).toEqual([expected, undefined]);
      expect(answer.headers['cdn-cache-control']).toBe('max-age=60, stale-if-error=9');
    }
  });

  it('take the safe reading where they contradict each other', async () => {
    const headers: Record<string, string | string[]>[] = [
      { 'Cache-Control': ['max-age=600', 'no-store'] },
      { 'Cache-Control': 'public, private, max-age=600' },
      { 'Cache-Control': 'no-cache="x-one", max-age=600' },
      { Expires: '0' },
      { Expires: 'tomorrow' },
      { Expires: ['Fri, 01 Jan 2100 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'] },
    ];
    for (const each of headers) expect(await isStored(serve(each))).toBe(false);
    expect(await isStored(serve({ 'Cache-Control': 'foo="no-store", bar, max-age=600' }))).toBe(true);
    expect(await isStored(serve({ Expires: 'Fri, 01 Jan 2100 00:00:00 GMT' }))).toBe(true);
  });
});
