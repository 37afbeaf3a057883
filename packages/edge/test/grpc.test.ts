import {
  connect,
  createSecureServer,
  createServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Real HTTP/2 from visitor to origin; messages are framed as gRPC frames them. */
let edge: TestEdge;
let plain: Server;
let secure: Server;
let silent: Server;
let ordinary: TestOrigin;
let deadPort: number;
let ids = 100;
const sessions: ClientHttp2Session[] = [];
const seen: IncomingHttpHeaders[] = [];

function frame(text: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** `/echo` gives each message back as it comes, with the trailers; `/refuse` answers with trailers only. */
function serveCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  seen.push(headers);
  stream.on('error', () => {});
  if (headers[':path'] === '/refuse') {
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '7' }, { endStream: true });
    return;
  }
  // Node's types do not know of the one that leaves `Date` out.
  const options = { waitForTrailers: true, sendDate: false };
  stream.respond({ 'content-type': 'application/grpc', 'x-accel-redirect': '/x' }, options);
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'well' }));
  stream.on('data', (chunk: Buffer) => stream.write(chunk));
  stream.on('end', () => stream.end());
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) =>
  new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()));

beforeAll(async () => {
  edge = await TestEdge.start();
  const { certificate, key } = makeSelfSigned('origin.test');
  plain = createServer().on('stream', serveCall);
  secure = createSecureServer({ cert: certificate, key }).on('stream', serveCall) as unknown as Server;
  silent = createNetServer(() => {});
  for (const server of [plain, secure, silent]) await listen(server);
  ordinary = await startOrigin((request, response) => response.end(`HTTP/${request.httpVersion}`));
  [deadPort] = (await freePorts(1)) as [number];
});

afterAll(async () => {
  for (const session of sessions) session.destroy();
  await edge.close();
  await ordinary.close();
  for (const server of [plain, secure, silent]) server.close();
});

type Config = NonNullable<SiteInput['config']>;
type Ports = { http_port?: number; https_port?: number; max_fails?: number }[];

async function serve(ports: Ports, config: Config = {}, more: Partial<SiteInput> = {}): Promise<string> {
  const id = (ids += 1);
  const host = `call${id}.test`;
  const origins = ports.map((each) => ({ address: '127.0.0.1', max_fails: 0, ...each }));
  const site = makeSite({ id, domains: [host], origins, config: { grpc: true, ...config }, ...more });
  const [result] = await edge.applySites(site);
  expect(result!.error).toBeUndefined();
  return host;
}

interface Call {
  send(text: string): void;
  end(): void;
  /** What has come until it is this. */
  received(text: string): Promise<void>;
  done: Promise<{ headers: IncomingHttpHeaders; trailers: IncomingHttpHeaders; messages: string }>;
}

function call(host: string, path = '/echo', own: Record<string, string> = {}): Call {
  const session = connect(`https://${host}`, {
    host: '127.0.0.1',
    port: edge.httpsPort,
    servername: host,
    rejectUnauthorized: false,
  } as Parameters<typeof connect>[1]);
  sessions.push(session);
  const stream = session.request(
    { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...own },
    { endStream: false },
  );
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  let messages = '';
  stream.on('response', (given) => (headers = given));
  stream.on('trailers', (given) => (trailers = given));
  stream.on('data', (chunk: Buffer) => (messages += chunk.toString('latin1')));
  const done = new Promise<Awaited<Call['done']>>((settle, refuse) => {
    stream.on('error', refuse);
    session.on('error', refuse);
    stream.on('end', () => settle({ headers, trailers, messages }));
  });
  const received = (wanted: string) =>
    new Promise<void>((settle) => {
      const look = () => messages === wanted && settle();
      stream.on('data', look);
      look();
    });
  return { send: (text) => void stream.write(frame(text)), end: () => void stream.end(), received, done };
}

async function unary(host: string, path?: string, own?: Record<string, string>) {
  const one = call(host, path, own);
  one.send('hello');
  one.end();
  return one.done;
}

const text = (...messages: string[]) => messages.map((each) => frame(each).toString('latin1')).join('');

describe('a call', () => {
  it.each(['http', 'https', 'follow'] as const)('over %s comes back with its trailers', async (protocol) => {
    const host = await serve([{ http_port: portOf(plain), https_port: portOf(secure) }], { protocol });
    const { headers, trailers, messages } = await unary(host);
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
    expect(trailers).toMatchObject({ 'grpc-status': '0', 'grpc-message': 'well' });
    expect(messages).toBe(text('hello'));
    expect(Date.now() - Date.parse(headers.date!)).toBeLessThan(60_000);
    expect(seen.at(-1)).toMatchObject({
      ':authority': host,
      ':scheme': protocol === 'http' ? 'http' : 'https',
      te: 'trailers',
      via: '2.0 Breakwater',
      'x-forwarded-proto': 'https',
    });
    const port = protocol === 'http' ? portOf(plain) : portOf(secure);
    const [line] = await edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({
      status: 200,
      cache_status: 'BYPASS',
      origin_addr: `127.0.0.1:${port}`,
      origin_status: 200,
    });
  });

  it('streams both ways: a message arrives before the next is sent', async () => {
    const one = call(await serve([{ http_port: portOf(plain) }]));
    one.send('a');
    await one.received(text('a'));
    one.send('b');
    await one.received(text('a', 'b'));
    one.end();
    expect((await one.done).trailers['grpc-status']).toBe('0');
  });

  it('that the origin refuses with trailers only says so, and is not tried elsewhere', async () => {
    const host = await serve([{ http_port: portOf(plain) }, { http_port: portOf(plain) }]);
    const before = seen.length;
    const { headers } = await unary(host, '/refuse');
    expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '7' });
    expect(seen.length).toBe(before + 1);
  });

  it('tells the origin who asks, and no more of what a visitor makes up', async () => {
    const host = await serve([{ http_port: portOf(plain) }], { host: 'inner.test' });
    await unary(host, '/echo', { 'x-real-ip': '9.9.9.9', 'x-original-url': '/x', 'x-breakwater-port': '1' });
    const headers = seen.at(-1)!;
    expect(headers).toMatchObject({ ':authority': 'inner.test', 'x-real-ip': '127.0.0.1' });
    expect(headers).not.toHaveProperty('x-original-url');
    expect(headers).not.toHaveProperty('x-breakwater-port');
  });

  it('brings the origin what the site lets through, and nothing else of the kind', async () => {
    const realIp = { pass_headers: ['remote-user'] };
    const host = await serve([{ http_port: portOf(plain) }], {}, { realIp });
    await unary(host, '/echo', {
      'remote-user': 'anna',
      'x-remote-user': 'anna',
      'x-forwarded-for': '9.9.9.9',
    });
    const headers = seen.at(-1)!;
    expect(headers).toMatchObject({ 'remote-user': 'anna', 'x-forwarded-for': '127.0.0.1' });
    expect(headers).not.toHaveProperty('x-remote-user');
  });
});

describe('origins', () => {
  it('that cannot be reached: the next is asked', async () => {
    const host = await serve([{ http_port: deadPort }, { http_port: portOf(plain) }]);
    for (let time = 0; time < 3; time++) expect((await unary(host)).trailers['grpc-status']).toBe('0');
  });

  it('all down: the call fails at once, is logged, and takes the origin out', async () => {
    const host = await serve([{ http_port: deadPort, max_fails: 1 }]);
    const { headers, messages } = await unary(host);
    expect(headers).toMatchObject({
      ':status': 502,
      'content-type': 'application/grpc',
      'grpc-status': '14',
    });
    expect(messages).toBe('');
    const [line] = await edge.logLines(1, (each) => each.host === host);
    expect(line).toMatchObject({ status: 502, origin_addr: `127.0.0.1:${deadPort}` });
    const { origins } = await edge.control<{ origins: { address: string; down_until: number }[] }>(
      'GET',
      '/state',
    );
    expect(origins.find(({ address }) => address === `127.0.0.1:${deadPort}`)!.down_until).toBeGreaterThan(0);
  });

  it('silent: the call ends when the site says', async () => {
    const host = await serve([{ http_port: portOf(silent) }], { read_timeout_seconds: 1 });
    expect((await unary(host)).headers).toMatchObject({ ':status': 504, 'grpc-status': '14' });
  });

  it('with a certificate that is not valid are left alone where the site wants it verified', async () => {
    const host = await serve([{ https_port: portOf(secure) }], { protocol: 'https', verify_tls: true });
    const before = seen.length;
    expect((await unary(host)).headers).toMatchObject({ ':status': 502, 'grpc-status': '14' });
    expect(seen.length).toBe(before);
  });
});

describe('what a site says besides holds for calls', () => {
  it.each([true, false])('a rate (of hits too: %s)', async (rate_counts_hits) => {
    const security = { rate_per_address: { requests: 1, period_seconds: 60, burst: 0 }, rate_counts_hits };
    const host = await serve([{ http_port: portOf(plain) }], {}, { security });
    expect((await unary(host)).trailers['grpc-status']).toBe('0');
    const { headers } = await unary(host);
    expect(headers).toMatchObject({ ':status': 429, 'grpc-status': '14' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('connections are counted, and given back', async () => {
    const security = { connections: 1 };
    const host = await serve([{ http_port: portOf(plain), max_fails: 0 }], {}, { security });
    const first = call(host);
    first.send('a');
    await first.received(text('a'));
    expect((await unary(host)).headers[':status']).toBe(429);
    first.end();
    await first.done;
    await edge.logLines(2, (each) => each.host === host);
    expect((await unary(host)).headers[':status']).toBe(200);
  });

  it('a limit of content refuses what does not state its length', async () => {
    const host = await serve([{ http_port: portOf(plain) }], {}, { security: { body_bytes_max: 1000 } });
    expect((await unary(host)).headers).toMatchObject({ ':status': 413, 'grpc-status': '8' });
    const stated = { 'content-length': `${frame('hello').length}` };
    expect((await unary(host, '/echo', stated)).trailers['grpc-status']).toBe('0');
  });

  it('a site that is offline takes none', async () => {
    const host = await serve([{ http_port: portOf(plain) }], {}, { status: 'offline' });
    expect((await unary(host)).headers).toMatchObject({ ':status': 503, 'grpc-status': '14' });
  });
});

describe('no call', () => {
  it.each([
    ['the switch is off', { grpc: false }, 'application/grpc'],
    ['gRPC-Web', {}, 'application/grpc-web+proto'],
    ['other content', {}, 'application/json'],
  ])('%s: it goes the way of other requests', async (_name, config, type) => {
    const host = await serve([{ http_port: ordinary.port }], config);
    const { messages, trailers } = await unary(host, '/echo', { 'content-type': type });
    expect(messages).toBe('HTTP/1.1');
    expect(trailers).toEqual({});
  });

  it('over HTTP/1.1', async () => {
    const host = await serve([{ http_port: ordinary.port }]);
    const options = { method: 'POST', body: 'x', headers: { 'content-type': 'application/grpc' } };
    for (const where of [{}, { servername: host }])
      expect((await edge.get(host, '/', { ...options, ...where })).body).toBe('HTTP/1.1');
  });
});

it('whose answer a rule on answers blocks is told that it is refused', async () => {
  const host = await serve(
    [{ http_port: portOf(plain) }],
    {},
    {
      matchers: [
        {
          action: 'block',
          condition: {
            items: [
              { field: 'response_content_type', operator: 'starts_with', values: ['application/grpc'] },
            ],
          },
        },
      ],
    },
  );
  const { send, end, done } = call(host);
  send('secret');
  end();
  const { headers, messages } = await done;
  expect(headers).toMatchObject({ ':status': 403, 'grpc-status': '7' });
  expect(messages).toBe('');
});
