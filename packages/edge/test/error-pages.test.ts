import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeSite, TestEdge, patience } from './support.ts';

let edge: TestEdge;
let origin: ScriptedOrigin;
let endless: Server;
const gone: (() => void)[] = [];

/** Answers 404 with content that never ends; says when it is let go of. */
async function startEndless(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => gone.splice(0).forEach((tell) => tell()));
    socket.once('data', () => {
      socket.write('HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n');
      socket.write('4\r\nevil\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
  endless = await startEndless();
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const dead = [{ address: '127.0.0.1', http_port: 9 }];
  const page = { statuses: ['404'], body: '<h1>{{status}} at {{host}}</h1>' };
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['own.test'],
      origins,
      rules: [{ type: 'folder', content: ['/p0/'], ttl_seconds: 600 }],
      advanced: {
        error_pages: [
          {
            ...page,
            except_paths: ['/api/'],
            body: '{"path":"{{status}}"}',
            content_type: 'application/json',
            only_paths: ['/json/'],
          },
          { ...page, except_paths: ['/api/'] },
          { statuses: ['410'], source: 'redirect', redirect_url: '/moved?a=b' },
          { statuses: ['403'], body: '{{request_id}} {{client_ip}} {{host}}' },
          { statuses: ['405'], body: 'soft', new_status: 200, content_type: 'text/plain' },
          { statuses: ['5xx'], body: 'sorry, {{status}}', enabled: true },
        ],
      },
    }),
    makeSite({ id: 2, domains: ['plain.test'], origins }),
    makeSite({
      id: 3,
      domains: ['dead.test'],
      origins: dead,
      advanced: {
        error_pages: [{ statuses: ['502'], body: 'own {{status}} <{{request_id}}>', new_status: 503 }],
      },
    }),
    makeSite({
      id: 4,
      domains: ['offline.test'],
      origins,
      status: 'offline',
      advanced: {
        error_pages: [{ statuses: ['503'], source: 'redirect', redirect_url: 'https://status.example.com/' }],
      },
    }),
    makeSite({
      id: 5,
      domains: ['endless.test'],
      origins: [{ address: '127.0.0.1', http_port: (endless.address() as AddressInfo).port }],
      advanced: { error_pages: [page] },
    }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
  endless.close();
});

const failing = (status: number, headers: Record<string, string> = {}, body = 'from the origin') =>
  origin.serve(() => ({ status, headers, body }));

describe("a site's own page in place of the origin's", () => {
  it('has the status, and nothing that belonged to the content it replaces', async () => {
    const path = failing(
      404,
      {
        etag: '"x"',
        'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
        'content-encoding': 'gzip',
        'content-disposition': 'attachment',
        'x-kept': 'yes',
      },
      gzipSync('compressed').toString('latin1'),
    );
    const answer = await edge.get('own.test', path, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.status).toBe(404);
    expect(answer.body).toBe('<h1>404 at own.test</h1>');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '24',
      'x-kept': 'yes',
    });
    for (const name of ['etag', 'last-modified', 'content-encoding', 'content-disposition'])
      expect(answer.headers[name]).toBeUndefined();
  });

  it('answers HEAD with the length of the page, and a condition with the page', async () => {
    const path = failing(404, { etag: '"x"' });
    const head = await edge.get('own.test', path, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body]).toEqual([404, '24', '']);
    const conditional = await edge.get('own.test', path, { headers: { 'if-none-match': '"x"' } });
    expect([conditional.status, conditional.body]).toEqual([404, '<h1>404 at own.test</h1>']);
    const part = await edge.get('own.test', path, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.body]).toEqual([404, '<h1>404 at own.test</h1>']);
  });

  it('is taken by path, in order, and leaves other paths and sites alone', async () => {
    expect((await edge.get('own.test', '/api/none')).body).not.toContain('<h1>');
    const json = await edge.get('own.test', '/json/none');
    expect([json.body, json.headers['content-type']]).toEqual(['{"path":"404"}', 'application/json']);
    expect((await edge.get('own.test', '//%61pi/none')).body).not.toContain('<h1>');
    const path = failing(404);
    expect((await edge.get('plain.test', path)).body).toBe('from the origin');
    const fine = origin.serve({});
    expect((await edge.get('own.test', fine)).body).toMatch(/^answer /);
  });

  it('redirects, and changes the status', async () => {
    const moved = await edge.get('own.test', failing(410));
    expect([moved.status, moved.headers.location, moved.body]).toEqual([302, '/moved?a=b', '']);
    const soft = await edge.get('own.test', failing(405));
    expect([soft.status, soft.body]).toEqual([200, 'soft']);
  });

  it('is kept as long as the error would be, unless it names the request', async () => {
    const path = failing(404, { 'cache-control': 'max-age=60' });
    await edge.get('own.test', path);
    const again = await edge.get('own.test', path);
    expect([again.headers['x-cache'], again.body]).toEqual(['HIT', '<h1>404 at own.test</h1>']);
    const personal = failing(403, { 'cache-control': 'max-age=60' });
    const first = await edge.get('own.test', personal);
    const second = await edge.get('own.test', personal);
    expect(first.body).toBe(`${String(first.headers['x-request-id'])} 127.0.0.1 own.test`);
    expect(second.body).toBe(`${String(second.headers['x-request-id'])} 127.0.0.1 own.test`);
  });

  it('does not wait for content that never ends, and holds up nobody behind it', async () => {
    const left = new Promise<void>((settle) => gone.push(settle));
    const answers = await Promise.all([1, 2, 3].map(() => edge.get('endless.test', '/x')));
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, '<h1>404 at endless.test</h1>']);
    await left;
    expect((await edge.get('plain.test', origin.serve({}))).status).toBe(200);
  });
});

describe("a site's own page in place of the edge's", () => {
  it('stands in for an origin that cannot be reached', async () => {
    const answer = await edge.get('dead.test');
    expect(answer.status).toBe(503);
    expect(answer.body).toBe(`own 502 <${String(answer.headers['x-request-id'])}>`);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('stands in for the page of a site that is offline', async () => {
    const answer = await edge.get('offline.test');
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://status.example.com/']);
  });

  it('fills in what a visitor sends as HTML', async () => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: dead.test\r\nX-Request-Id: <script>\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).not.toContain('<script>');
    expect(text).toMatch(/own 502 <[0-9a-f]{32}>/);
  });
});

describe('answers that are not buffered', () => {
  it('reach the visitor before the origin has finished, where buffered ones wait for it', async () => {
    const finish: (() => void)[] = [];
    const slow = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nfirst');
        finish.push(() => socket.end('last'));
      });
      socket.on('error', () => undefined);
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const origins = [{ address: '127.0.0.1', http_port: (slow.address() as AddressInfo).port }];
    await edge.applySites(
      makeSite({ id: 6, domains: ['stream.test'], origins, advanced: { response_buffering: false } }),
      makeSite({ id: 7, domains: ['buffered.test'], origins }),
    );
    const firstOf = async (host: string) => {
      const call = httpRequest({ host: '127.0.0.1', port: edge.httpPort, headers: { host }, agent: false });
      call.end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      const [first] = (await once(response, 'data')) as [Buffer];
      return { first: first.toString(), response };
    };
    const buffered = firstOf('buffered.test');
    await vi.waitFor(() => expect(finish).toHaveLength(1), patience);
    const streamed = await firstOf('stream.test');
    expect(streamed.first).toBe('first');
    for (const each of finish) each();
    let rest = '';
    for await (const chunk of streamed.response) rest += String(chunk);
    expect(rest).toBe('last');
    expect((await buffered).first).toBe('firstlast');
    slow.close();
  });
});
