import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSite, TestEdge, type Answer, type SiteInput, patience } from './support.ts';

let edge: TestEdge;
let origin: Server;
const seen: string[] = [];
/** Answers that wait for their test. */
let waiting: ServerResponse[] = [];
const upgraded: Socket[] = [];
let nextId = 1;
const megabyte = Buffer.alloc(1_000_000, 'x');

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 2 });
  origin = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    if (request.url!.startsWith('/wait')) waiting.push(response);
    else response.end(request.url!.startsWith('/big') ? megabyte : 'fine');
  });
  origin.on('upgrade', (_request, socket: Socket) => {
    upgraded.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => socket.write(chunk));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  await new Promise<void>((settle) => origin.listen(0, '127.0.0.1', settle));
});
beforeEach(() => {
  for (const response of waiting) response.destroy();
  waiting = [];
});
afterAll(async () => {
  await edge.close();
  for (const socket of upgraded) socket.destroy();
  origin.closeAllConnections();
  await new Promise((settle) => origin.close(settle));
});

/** A site of its own with these limits; visitors have the addresses that they write into `X-Real-IP`. */
async function limited(
  security: SiteInput['security'],
  more: Partial<SiteInput> = {},
): Promise<(path?: string, visitor?: string, method?: string, body?: string) => Promise<Answer>> {
  const id = nextId++;
  const host = `limited${id}.test`;
  await edge.applySites(
    makeSite({
      id,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }],
      realIp: { mode: 'header', headers: ['X-Real-IP'], trusted: ['127.0.0.0/8'] },
      security: security!,
      ...more,
    }),
  );
  return (path = '/', visitor = '198.51.100.1', method = 'GET', body) =>
    edge.get(host, path, {
      method,
      headers: { 'x-real-ip': visitor },
      ...(body === undefined ? {} : { body }),
    });
}
const hostNow = () => `limited${nextId - 1}.test`;
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

async function several(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call()).status);
  return found;
}

describe('request rates', () => {
  it('of one address leave others alone, and say when to come again', async () => {
    const call = await limited({ rate_per_address: { requests: 1, period_seconds: 60, burst: 2 } });
    expect(await several(4, () => call())).toEqual([200, 200, 200, 429]);
    const refused = await call();
    expect(refused.headers['retry-after']).toMatch(/^(?:[1-5]\d|60)$/);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.body).toContain('Too many requests.');
    expect(refused.body).toContain('请求过于频繁');
    expect((await call('/', '198.51.100.2')).status).toBe(200);
  });

  it('let a visitor in again who waits as told', async () => {
    const call = await limited({ rate_per_address: { requests: 1, period_seconds: 1, burst: 0 } });
    expect(await several(2, () => call())).toEqual([200, 429]);
    const from = performance.now();
    await vi.waitFor(async () => expect((await call()).status).toBe(200), patience);
    expect(performance.now() - from).toBeLessThan(3000);
  });

  it('take the /64 of IPv6 for one visitor', async () => {
    const call = await limited({ rate_per_address: { requests: 1, period_seconds: 60, burst: 0 } });
    expect((await call('/', '2001:db8::1')).status).toBe(200);
    expect((await call('/', '2001:DB8:0:0:ffff::9')).status).toBe(429);
    expect((await call('/', '2001:db8:0:1::1')).status).toBe(200);
  });

  it('of a site count all visitors, in all workers, exactly', async () => {
    const call = await limited({ rate: { requests: 1, period_seconds: 600, burst: 19 } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => call('/', `198.51.100.${index}`)),
    );
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(20);
  });

  it('count hits, or leave them out', async () => {
    const rules = [{ type: 'all' as const, ttl_seconds: 600 }];
    const rate = { requests: 1, period_seconds: 600, burst: 1 };
    const all = await limited({ rate_per_address: rate }, { rules });
    expect(await several(3, () => all('/same'))).toEqual([200, 200, 429]);
    const misses = await limited({ rate_per_address: rate, rate_counts_hits: false }, { rules });
    expect(await several(10, () => misses('/same'))).toEqual(Array(10).fill(200));
    expect(await several(3, () => misses(`/new${Math.random()}`))).toEqual([200, 429, 429]);
    const refused = await misses('/refused');
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await misses('/same')).headers['x-cache']).toBe('HIT');
    // What was refused was not stored for the next visitor.
    expect((await misses('/refused', '198.51.100.9')).body).toBe('fine');
    expect(seen.filter((line) => line === 'GET /refused')).toHaveLength(1);
  });

  it('start anew with another setting, and end with none', async () => {
    const call = await limited({ rate: { requests: 1, period_seconds: 3600, burst: 0 } });
    expect(await several(2, () => call())).toEqual([200, 429]);
    const site = (security?: SiteInput['security']) =>
      makeSite({
        id: nextId - 1,
        domains: [hostNow()],
        origins: [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }],
        ...(security === undefined ? {} : { security }),
      });
    await edge.applySites(site({ rate: { requests: 2, period_seconds: 3600, burst: 0 } }));
    expect(await several(2, () => call())).toEqual([200, 429]);
    await edge.applySites(site());
    expect(await several(3, () => call())).toEqual([200, 200, 200]);
  });
});

describe('connections', () => {
  const held = async (count: number) =>
    vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(count), patience);
  const finish = () => {
    for (const response of waiting) response.end('late');
    waiting = [];
  };
  const free = (call: () => Promise<Answer>) =>
    vi.waitFor(async () => expect((await call()).status).toBe(200), patience);

  /** A request counts until just after its answer: where one is refused for the one before, it is made again. */
  async function occupy(count: number, call: (path: string) => Promise<Answer>): Promise<Promise<Answer>[]> {
    const calls: Promise<Answer>[] = [];
    while (calls.length < count) {
      const before = waiting.length;
      const made = call(`/wait/${calls.length}`);
      const arrived = vi.waitFor(() => expect(waiting.length).toBeGreaterThan(before), patience);
      if (await Promise.race([arrived.then(() => true), made.then(() => false)])) calls.push(made);
    }
    return calls;
  }

  it('of one address are limited while they last', async () => {
    const call = await limited({ connections_per_address: 2 });
    const first = [call('/wait/1'), call('/wait/2')];
    await held(2);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toContain('Too many concurrent requests');
    expect((await call('/', '198.51.100.2')).status).toBe(200);
    finish();
    expect(statuses(await Promise.all(first))).toEqual([200, 200]);
    await free(() => call());
  });

  it('of a site are limited whoever asks', async () => {
    const call = await limited({ connections: 2 });
    const first = [call('/wait/1', '198.51.100.1'), call('/wait/2', '198.51.100.2')];
    await held(2);
    expect(await several(3, () => call('/', '198.51.100.3'))).toEqual([429, 429, 429]);
    finish();
    await Promise.all(first);
    await free(() => call());
    expect(await several(5, () => call())).toEqual([200, 200, 200, 200, 200]);
  });

  it('can be for some requests, which alone count', async () => {
    const marks = [{ field: 'path' as const, operator: 'contains' as const, values: ['marked'] }];
    const call = await limited({ connections: 1, connections_condition: { items: marks } });
    const [marked] = await occupy(1, (path) => call(`${path}/marked`));
    const others = await occupy(2, (path) => call(`${path}/other`));
    expect((await call('/marked')).status).toBe(429);
    finish();
    expect(statuses(await Promise.all([marked!, ...others]))).toEqual([200, 200, 200]);
    await free(() => call('/marked'));
  });

  it('end with visitors who go away', async () => {
    // What may be kept is fetched to its end for the next visitor, and counts until then.
    const call = await limited({ connections: 2 }, { rules: [{ type: 'all', action: 'bypass' }] });
    const sockets = [1, 2].map((index) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.write(`GET /wait/${index} HTTP/1.1\r\nHost: ${hostNow()}\r\n\r\n`);
      return socket;
    });
    await held(2);
    expect((await call()).status).toBe(429);
    for (const socket of sockets) socket.destroy();
    await free(() => call());
    waiting = [];
    // Neither is any freed twice.
    const again = await occupy(2, call);
    expect((await call()).status).toBe(429);
    finish();
    await Promise.all(again);
  });

  it('last as long as a WebSocket does', async () => {
    const call = await limited({ connections: 1 });
    const socket = connect(edge.httpPort, '127.0.0.1');
    const opened = new Promise<string>((settle) => socket.once('data', (chunk) => settle(chunk.toString())));
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: ${hostNow()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    expect(await opened).toContain('101 Switching Protocols');
    const echoed = new Promise<string>((settle) => socket.once('data', (chunk) => settle(chunk.toString())));
    socket.write('ping');
    expect(await echoed).toBe('ping');
    expect((await call()).status).toBe(429);
    socket.destroy();
    await free(() => call());
  });

  it('end with a page of the edge, too', async () => {
    const origins = [{ address: '127.0.0.1', http_port: 9, max_fails: 0 }];
    const call = await limited({ connections: 2, connections_per_address: 2 }, { origins });
    expect(await several(8, () => call())).toEqual(Array(8).fill(502));
  });

  it('are one for each request over HTTP/2', async () => {
    await limited({ connections: 2 });
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
    const ask = (path: string) =>
      new Promise<number>((settle, refuse) => {
        const stream = session.request({ ':path': path, ':authority': hostNow() });
        stream.on('response', (headers) => settle(headers[':status']!));
        stream.on('error', refuse);
        stream.resume();
        stream.end();
      });
    const first = [ask('/wait/1'), ask('/wait/2')];
    await held(2);
    expect(await ask('/')).toBe(429);
    finish();
    expect(await Promise.all(first)).toEqual([200, 200]);
    await vi.waitFor(async () => expect(await ask('/')).toBe(200), patience);
    session.close();
  });

  it('of a worker that is killed count no more', async () => {
    const own = await TestEdge.start({ workerProcesses: 1 });
    try {
      await own.applySites(
        makeSite({
          id: 1,
          domains: ['killed.test'],
          origins: [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }],
          security: { connections: 2 },
        }),
      );
      const first = [1, 2].map((index) => own.get('killed.test', `/wait/${index}`).catch(() => undefined));
      await held(2);
      expect((await own.get('killed.test')).status).toBe(429);
      process.kill(await workerOf(own.edge.pid), 'SIGKILL');
      await Promise.all(first);
      await vi.waitFor(async () => expect((await own.get('killed.test')).status).toBe(200), patience);
      finish();
      // The new worker counts as the old one did.
      const again = await occupy(2, (path) => own.get('killed.test', path));
      expect((await own.get('killed.test')).status).toBe(429);
      finish();
      await Promise.all(again);
    } finally {
      await own.close();
    }
  });
});

describe('bandwidth', () => {
  it('holds each answer to its rate, from the origin and from the cache', async () => {
    const call = await limited(
      { bandwidth_per_connection: 500_000 },
      { rules: [{ type: 'all', ttl_seconds: 600 }] },
    );
    for (const cache of ['MISS', 'HIT']) {
      const from = performance.now();
      const answer = await call('/big');
      const seconds = (performance.now() - from) / 1000;
      expect([answer.headers['x-cache'], answer.body.length]).toEqual([cache, 1_000_000]);
      // nginx sends the first second's share at once.
      expect(seconds).toBeGreaterThan(0.8);
      expect(seconds).toBeLessThan(6);
    }
  });
});

describe('content', () => {
  it('that is too large is refused before it is read', async () => {
    const call = await limited({ body_bytes_max: 10 });
    expect((await call('/up', undefined, 'POST', '0123456789')).status).toBe(200);
    const refused = await call('/large', undefined, 'POST', '0123456789a');
    expect(refused.status).toBe(413);
    expect(refused.body).toContain('exceeds the size that this site allows');
    expect(seen).toContain('POST /up');
    expect(seen).not.toContain('POST /large');
  });

  it('of unknown length is refused', async () => {
    await limited({ body_bytes_max: 1_000_000 });
    const answer = await raw(
      `POST /chunked HTTP/1.1\r\nHost: ${hostNow()}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 411 /);
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
    const status = await new Promise((settle, refuse) => {
      const stream = session.request({ ':path': '/h2', ':authority': hostNow(), ':method': 'POST' });
      stream.on('response', (headers) => settle(headers[':status']));
      stream.on('error', refuse);
      stream.resume();
      stream.end('much more than nothing');
    });
    expect(status).toBe(413);
    session.close();
    expect(seen).not.toContain('POST /chunked');
  });

  it('that is not read is not taken for the next request', async () => {
    await limited({ body_bytes_max: 1 });
    const hidden = `GET /hidden HTTP/1.1\r\nHost: ${hostNow()}\r\n\r\n`;
    const answer = await raw(
      `POST /outer HTTP/1.1\r\nHost: ${hostNow()}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1.1 413 [^]*Connection: close/);
    const limits = await limited({ rate: { requests: 1, period_seconds: 600, burst: 0 } });
    await limits();
    // Here the connection goes on, and the content is passed over.
    const next = `GET /next HTTP/1.1\r\nHost: ${hostNow()}\r\nConnection: close\r\n\r\n`;
    const both = await raw(
      `POST /outer HTTP/1.1\r\nHost: ${hostNow()}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}${next}`,
    );
    expect(both.match(/HTTP\/1.1 429 /g)).toHaveLength(2);
    expect(seen).not.toContain('GET /hidden');
  });
});

it('logs what was refused, under the visitor’s address', async () => {
  const call = await limited({ rate: { requests: 1, period_seconds: 600, burst: 0 } });
  await call('/logged', '203.0.113.5');
  await call('/logged', '203.0.113.5');
  const lines = await edge.logLines(2, ({ request_uri }) => request_uri === '/logged');
  // A line is written when its request is over, which may be after its visitor asked again.
  const told = lines.map(({ status, remote_addr, raw_remote_addr }) => [
    status,
    remote_addr,
    raw_remote_addr,
  ]);
  expect(told.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
    [200, '203.0.113.5', '127.0.0.1'],
    [429, '203.0.113.5', '127.0.0.1'],
  ]);
});

/** What the edge says on one connection until it closes it. */
function raw(request: string): Promise<string> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(5000, () => socket.destroy(new Error('The connection stays open.')));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', refuse);
    socket.on('close', () => settle(text));
  });
}

async function workerOf(master: number): Promise<number> {
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8');
  for (const pid of children.trim().split(' ').map(Number))
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith('nginx: worker')) return pid;
  throw new Error('There is no worker.');
}
