import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, startOrigin, TestEdge, type Answer, type CallOptions } from './support.ts';

/** What RFC 9110 asks of whoever answers in an origin's place, and RFC 9111 and 9211 beside it; see `docs/caching.md`. */

let edge: TestEdge;
let origin: ScriptedOrigin;
const serve: ScriptedOrigin['serve'] = (script) => origin.serve(script);

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const cache = { cache_status_header: true };
  await edge.applySites(makeSite({ id: 1, domains: ['c.test'], origins, cache }));
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const get = (path: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
  edge.get('c.test', path, { headers, ...options });
const state = ({ headers }: Answer) => headers['x-cache'];
const fresh = { 'Cache-Control': 'max-age=600' };
const date = 'Sun, 01 Feb 2026 00:00:00 GMT';
const later = 'Mon, 02 Feb 2026 00:00:00 GMT';
const earlier = 'Sat, 31 Jan 2026 00:00:00 GMT';

/** All of an answer to what is written. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.write([...lines, 'Host: c.test', 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('an answer without Date', () => {
  it('has the time at which it came, on the way out and as long as it is stored', async () => {
    const own = await startOrigin((_, response) => {
      response.sendDate = false;
      response.setHeader('Cache-Control', 'max-age=600').end('undated');
    });
    const origins = [{ address: '127.0.0.1', http_port: own.port }];
    await edge.applySites(makeSite({ id: 2, domains: ['undated.test'], origins }));
    const before = Math.floor(Date.now() / 1000) * 1000;
    const first = (await edge.get('undated.test')).headers.date!;
    expect(Date.parse(first)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first)).toBeLessThanOrEqual(Date.now());
    await expect.poll(async () => Number((await edge.get('undated.test')).headers.age)).toBeGreaterThan(0);
    const stored = await edge.get('undated.test');
    expect([state(stored), stored.headers.date]).toEqual(['HIT', first]);
    await own.close();
  });
});

describe('what is stored', () => {
  /** What a 304 and a 206 have to say again (§15.4.5, §15.3.7). */
  const said = {
    'content-location': '/elsewhere',
    etag: '"v1"',
    vary: 'X-Kind',
    'cache-control': 'max-age=600',
    expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
    date: new Date(Date.now() - 5000).toUTCString(),
  };
  let path: string;
  let weak: string;
  beforeAll(async () => {
    path = serve(() => ({ headers: { ...said, 'last-modified': date }, body: '0123456789' }));
    weak = serve(() => ({ headers: { ...fresh, ETag: 'W/"v1"' }, body: '0123456789' }));
    for (const each of [path, weak]) await get(each);
  });

  it('says again in a 304 and in a 206 what caches live by', async () => {
    const same = await get(path, { 'if-none-match': '"v1"' });
    expect([same.status, state(same), same.body]).toEqual([304, 'HIT', '']);
    expect(same.headers).toMatchObject(said);
    expect(same.headers['content-length']).toBeUndefined();
    const part = await get(path, { range: 'bytes=2-3' });
    expect([part.status, part.body]).toEqual([206, '23']);
    expect(part.headers).toMatchObject({ ...said, 'content-range': 'bytes 2-3/10', 'content-length': '2' });
  });

  it('is given in several parts, each with its place', async () => {
    const parts = await get(path, { range: 'bytes=0-1,8-' });
    expect(parts.status).toBe(206);
    expect(parts.headers['content-type']).toMatch(/^multipart\/byteranges; boundary=/);
    expect(parts.headers['content-range']).toBeUndefined();
    expect(parts.body).toMatch(/Content-Range: bytes 0-1\/10\r\n\r\n01\r\n[^]*bytes 8-9\/10\r\n\r\n89\r\n/);
  });

  it('says how long it is to whoever wants what is behind its end', async () => {
    const beyond = await get(path, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
  });

  it('has no parts for HEAD', async () => {
    const { status, headers } = await get(path, { range: 'bytes=0-1' }, { method: 'HEAD' });
    expect([status, headers['content-length'], headers['content-range']]).toEqual([200, '10', undefined]);
  });

  it.each([
    ['a strong tag that matches', { 'if-match': '"v1"' }, 200],
    ['any that must be there', { 'if-match': '*' }, 200],
    ['a weak tag, which never must match', { 'if-match': 'W/"v1"' }, 412],
    ['If-Match before a date', { 'if-match': '"v1"', 'if-unmodified-since': earlier }, 200],
    ['If-Match that fails, whatever the date', { 'if-match': '"v0"', 'if-unmodified-since': later }, 412],
    ['If-Match before If-None-Match', { 'if-match': '"v0"', 'if-none-match': '"v1"' }, 412],
    ['If-None-Match behind If-Match', { 'if-match': '"v1"', 'if-none-match': '"v1"' }, 304],
    ['If-None-Match before a range', { 'if-none-match': '"v1"', range: 'bytes=0-1' }, 304],
    ['a range behind If-None-Match', { 'if-none-match': '"v0"', range: 'bytes=0-1' }, 206],
    ['If-Match that fails before a range', { 'if-match': '"v0"', range: 'bytes=0-1' }, 412],
    ['a range of the same date', { 'if-range': date, range: 'bytes=0-1' }, 206],
    ['a range of another date', { 'if-range': later, range: 'bytes=0-1' }, 200],
    ['a range of a weak tag', { 'if-range': 'W/"v1"', range: 'bytes=0-1' }, 200],
    ['If-Range without a range', { 'if-range': '"v1"' }, 200],
  ] as [string, Record<string, string>, number][])(
    'is held against conditions in their order: %s',
    async (_name, headers, status) => {
      const answer = await get(path, headers);
      expect([answer.status, state(answer)]).toEqual([status, 'HIT']);
    },
  );

  it('gives no part by a weak tag, were it its own', async () => {
    const headers = { 'if-range': 'W/"v1"', range: 'bytes=0-1' };
    const answer = await get(weak, headers);
    expect([answer.status, state(answer), answer.body]).toEqual([200, 'HIT', '0123456789']);
    expect((await get(weak, { range: 'bytes=0-1' })).status).toBe(206);
  });

  it('as an error is that error, whatever the conditions', async () => {
    const gone = serve(() => ({ status: 404, headers: { ...fresh, ETag: '"v1"' } }));
    await get(gone);
    for (const headers of [{ 'if-none-match': '*' }, { 'if-match': '"v0"' }, { range: 'bytes=0-1' }]) {
      const answer = await get(gone, headers as Record<string, string>);
      expect([answer.status, state(answer)]).toEqual([404, 'HIT']);
    }
  });

  it('and suits beside another gives way to the newer of the two', async () => {
    const kinds = serve(({ headers }) =>
      headers['x-kind'] === 'a'
        ? { headers: { ...fresh, Vary: 'X-Kind' }, body: 'older, for a' }
        : { headers: fresh, body: 'newer, for all' },
    );
    expect((await get(kinds, { 'x-kind': 'a' })).body).toBe('older, for a');
    expect((await get(kinds, { 'x-kind': 'b' })).body).toBe('newer, for all');
    const suited = await get(kinds, { 'x-kind': 'a' });
    expect([suited.body, state(suited)]).toEqual(['newer, for all', 'HIT']);
  });
});

describe('what is for others', () => {
  it('reaches the origin: directives, signs of who asks, and fields that nobody knows', async () => {
    let seen: Record<string, unknown> = {};
    const path = serve((asked) => ((seen = asked.headers), {}));
    const headers = {
      'cache-control': 'no-cache, max-age=0, x-own="a, b"',
      pragma: 'no-cache',
      authorization: 'Digest username="a, b", uri="/"',
      'x-unknown': 'y',
    };
    await get(path, headers);
    expect(seen).toMatchObject(headers);
    const change = { 'if-match': 'W/"v1"', 'if-unmodified-since': date, range: 'bytes=0-1' };
    await get(path, change, { method: 'PUT', body: 'x' });
    expect(seen).toMatchObject({ 'if-match': 'W/"v1"', range: 'bytes=0-1' });
  });

  it('reaches the visitor: who may ask, and fields that nobody knows', async () => {
    const sent = {
      'WWW-Authenticate': 'Basic realm="a", Digest realm="b"',
      'Authentication-Info': 'x',
      'X-Unknown': 'y',
      'Surrogate-Control': 'max-age=600',
      'Other-CDN-Cache-Control': 'max-age=600',
    };
    const answer = await get(serve(() => ({ status: 401, headers: sent })));
    for (const [name, value] of Object.entries(sent)) expect(answer.headers[name.toLowerCase()]).toBe(value);
    expect(state(answer)).toBe('MISS');
    const others = serve({ 'Surrogate-Control': 'max-age=600', 'Other-CDN-Cache-Control': 'max-age=600' });
    for (let time = 0; time < 2; time++) expect(state(await get(others))).toBe('MISS');
  });

  it('keeps the order of its lines both ways', async () => {
    let seen: string[] = [];
    const path = serve((asked) => {
      seen = asked.rawHeaders.filter((_, index) => asked.rawHeaders[index - 1] === 'X-List');
      return { headers: { ...fresh, Link: ['<a>', '<b>, <c>', '<d>'] } };
    });
    for (let time = 0; time < 2; time++) {
      const answer = await raw(
        `GET ${path} HTTP/1.1`,
        'X-List: 1',
        'X-Other: x',
        'X-List: 2, 3',
        'X-List: 4',
      );
      expect(answer.match(/^Link: .*$/gm)).toEqual(['Link: <a>', 'Link: <b>, <c>', 'Link: <d>']);
    }
    expect(seen).toEqual(['1', '2, 3', '4']);
  });
});

describe('Expect', () => {
  it('is met here, so that no visitor waits for an origin that does not know it', async () => {
    const path = serve((asked) => ({ body: String(asked.headers.expect) }));
    const headers = { host: 'c.test', expect: '100-continue', 'content-length': '4' };
    const call = request({ host: '127.0.0.1', port: edge.httpPort, path, method: 'POST', headers });
    call.flushHeaders();
    await once(call, 'continue');
    call.end('body');
    const [answer] = (await once(call, 'response')) as [NodeJS.ReadableStream];
    expect(await text(answer)).toBe('undefined');
  });

  it('of HTTP/1.0 means nothing', async () => {
    const path = serve({});
    const answer = await raw(`POST ${path} HTTP/1.0`, 'Expect: 100-continue', 'Content-Length: 0');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('Cache-Status', () => {
  it('is on what is made of a stored answer, and on no page of the edge', async () => {
    const path = serve({ ...fresh, ETag: '"v1"' });
    await get(path);
    const same = await get(path, { 'if-none-match': '"v1"' });
    expect([same.status, same.headers['cache-status']]).toEqual([304, 'Breakwater; hit']);
    const page = await get(serve(fresh), { 'cache-control': 'only-if-cached' });
    expect([page.status, page.headers['cache-status']]).toEqual([504, undefined]);
  });
});
