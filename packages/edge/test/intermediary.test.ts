import { once } from 'node:events';
import { connect as http2Connect } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { giveRanged } from './ranged-content.ts';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, patience, startOrigin, TestEdge } from './support.ts';

/** What RFC 9110 §7.6 asks of who stands between a visitor and an origin. */

let edge: TestEdge;
let origin: ScriptedOrigin;

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const rewrite = { request_headers: [{ action: 'remove' as const, name: 'Via' }] };
  await edge.applySites(
    makeSite({ id: 101, domains: ['via.test'], origins }),
    makeSite({ id: 102, domains: ['without.test'], origins, rewrite }),
  );
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** A path whose answers are what the origin saw of a field. */
const echo = (field: string, headers: Record<string, string> = {}) =>
  origin.serve((request) => ({ headers, body: `${request.method} ${String(request.headers[field])}` }));

/** The content of the answer to these lines, sent as they are. */
async function ask(path: string, protocol: string, ...lines: string[]): Promise<string> {
  const socket = connect(edge.httpPort, '127.0.0.1');
  await once(socket, 'connect');
  const head = [`GET ${path} HTTP/${protocol}`, 'Host: via.test', ...lines, 'Connection: close', '', ''];
  socket.write(head.join('\r\n'));
  const answer = await text(socket);
  return /\r\n\r\n(?:[0-9a-f]+\r\n)?(.*)/.exec(answer)?.[1] ?? '';
}

async function askByHttp2(path: string, headers: Record<string, string> = {}): Promise<string> {
  const session = http2Connect(`https://127.0.0.1:${edge.httpsPort}`, {
    rejectUnauthorized: false,
    servername: 'via.test',
  });
  const body = await text(session.request({ ':path': path, ':authority': 'via.test', ...headers }));
  session.close();
  return body;
}

describe('Via', () => {
  it('has the protocol that the visitor spoke, and a name that says nothing of the node', async () => {
    const path = echo('via');
    expect(await ask(path, '1.1')).toBe('GET 1.1 Breakwater');
    expect(await ask(path, '1.0')).toBe('GET 1.0 Breakwater');
    expect(await askByHttp2(path)).toBe('GET 2.0 Breakwater');
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
      expect((await edge.get('via.test', path, { method, body: '' })).body).toBe(`${method} 1.1 Breakwater`);
  });

  it('stands behind what others said before, in their order, in one line or several', async () => {
    const path = echo('via');
    expect(await ask(path, '1.1', 'Via: 1.0 fred, 1.1 p.example.com (x)')).toBe(
      'GET 1.0 fred, 1.1 p.example.com (x), 1.1 Breakwater',
    );
    const lines = ['Via: 1.0 fred', 'X-Other: x', 'Via: 1.1 p.example.com, 2 q', 'Via: 1.1 r'];
    expect(await ask(path, '1.1', ...lines)).toBe(
      'GET 1.0 fred, 1.1 p.example.com, 2 q, 1.1 r, 1.1 Breakwater',
    );
    expect(await askByHttp2(path, { via: '1.0 fred' })).toBe('GET 1.0 fred, 2.0 Breakwater');
    expect(await ask(path, '1.1', 'Via: 1.0 fred', 'Connection: Via')).toBe('GET 1.0 fred, 1.1 Breakwater');
  });

  it('of one visitor is in nobody else’s answer where the origin says that it varies', async () => {
    const headers = { 'Cache-Control': 'max-age=600' };
    const plain = origin.serve({ ...headers });
    const first = await edge.get('via.test', plain, { headers: { via: '1.1 a' } });
    const second = await edge.get('via.test', plain, { headers: { via: '1.1 b' } });
    expect([first.headers['x-cache'], second.headers['x-cache']]).toEqual(['MISS', 'HIT']);
    const varied = echo('via', { ...headers, Vary: 'Via' });
    for (const state of ['MISS', 'HIT'])
      for (const via of ['1.1 a', '1.1 b']) {
        const answer = await edge.get('via.test', varied, { headers: { via } });
        expect([answer.body, answer.headers['x-cache']]).toEqual([`GET ${via}, 1.1 Breakwater`, state]);
      }
  });

  it('is said to origins alone', async () => {
    const own = await edge.get('via.test', origin.serve({}));
    expect(own.headers.via).toBeUndefined();
    const others = await edge.get('via.test', origin.serve({ Via: '1.1 behind' }));
    expect(others.headers.via).toBe('1.1 behind');
  });

  it('is left out where the site has it removed, for origins that do not compress for proxies', async () => {
    const { body } = await edge.get('without.test', echo('via'), { headers: { via: '1.1 a' } });
    expect(body).toBe('GET undefined');
  });

  it('is in what the cache asks for by itself: parts, and what it renews', async () => {
    const seen: string[] = [];
    const large = Buffer.alloc(2_500_000, 'x');
    const own = await startOrigin((request, response) => {
      seen.push(`${request.url} ${String(request.headers.range)} ${String(request.headers.via)}`);
      response.setHeader('ETag', '"v1"');
      response.setHeader('Cache-Control', 'max-age=1, stale-while-revalidate=600');
      if (request.url === '/large') giveRanged(request, response, large);
      else response.end('small');
    });
    const rules = [{ type: 'full_path' as const, content: ['/large'], slice_bytes: 1_048_576 as const }];
    const origins = [{ address: '127.0.0.1', http_port: own.port }];
    await edge.applySites(makeSite({ id: 103, domains: ['parts.test'], origins, rules }));
    expect((await edge.get('parts.test', '/large')).body.length).toBe(large.length);
    const parts = seen.filter((each) => each.startsWith('/large'));
    expect(parts.length).toBe(3);
    for (const each of parts) expect(each).toMatch(/ bytes=\d+-\d+ 1\.1 Breakwater$/);
    await edge.get('parts.test', '/small');
    await vi.waitFor(async () => {
      await edge.get('parts.test', '/small');
      expect(seen.filter((each) => each === '/small undefined 1.1 Breakwater').length).toBeGreaterThan(1);
    }, patience);
    await own.close();
  });
});

describe('Max-Forwards', () => {
  const forwards = (method: string, value: string, more: Record<string, string> = {}) =>
    edge.get('via.test', path, { method, headers: { 'max-forwards': value, ...more } });
  let path: string;
  beforeAll(() => (path = echo('max-forwards')));

  it('of OPTIONS is one less with each that hands it on', async () => {
    expect((await forwards('OPTIONS', '10')).body).toBe('OPTIONS 9');
    expect((await forwards('OPTIONS', '1')).body).toBe('OPTIONS 0');
    expect((await forwards('OPTIONS', 'many')).body).toBe('OPTIONS many');
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'x']));
    expect((await forwards('OPTIONS', '3', many)).body).toBe('OPTIONS 2');
  });

  it('of OPTIONS that is used up ends it here', async () => {
    const before = origin.count();
    const answer = await forwards('OPTIONS', '0');
    expect([answer.status, answer.body, origin.count()]).toEqual([204, '', before]);
  });

  it('means nothing for other methods', async () => {
    for (const method of ['GET', 'POST']) expect((await forwards(method, '0')).body).toBe(`${method} 0`);
  });

  it('of TRACE is never asked: it goes no further', async () => {
    const before = origin.count();
    expect([(await forwards('TRACE', '5')).status, origin.count()]).toEqual([405, before]);
  });
});
