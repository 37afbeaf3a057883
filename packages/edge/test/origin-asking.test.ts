import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { startOrigin, TestEdge, type TestOrigin } from './support.ts';

let edge: TestEdge;
let caFolder: string;
const trusted = makeSelfSigned('trusted.test');
const unknown = makeSelfSigned('trusted.test');

/** A folder of authorities as `openssl rehash` leaves it, with one in it. */
async function makeCaFolder(certificate: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-ca-'));
  await writeFile(join(folder, 'ca.pem'), certificate);
  const made = spawnSync('openssl', ['rehash', folder]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  return folder;
}

beforeAll(async () => {
  caFolder = await makeCaFolder(trusted.certificate);
  edge = await TestEdge.start({ caFolder });
});
afterAll(async () => {
  await edge.close();
  await rm(caFolder, { recursive: true });
});

/** A TLS origin that counts handshakes and says who was asked for. */
class TlsOrigin {
  handshakes = 0;
  readonly #server: TlsServer;

  constructor(pair: { certificate: string; key: string }) {
    this.#server = createTlsServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
      const { servername } = request.socket as TLSSocket & { servername?: string };
      response.end(`${request.headers.host} ${servername ?? '-'}`);
    });
    this.#server.keepAliveTimeout = 20_000;
    this.#server.on('secureConnection', (socket: Socket) => {
      this.handshakes += 1;
      socket.on('error', () => {});
    });
  }

  async listen(): Promise<{ address: string; https_port: number }> {
    await new Promise<void>((settle) => this.#server.listen(0, '127.0.0.1', settle));
    return { address: '127.0.0.1', https_port: (this.#server.address() as AddressInfo).port };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function withTls(
  pair: { certificate: string; key: string },
  run: (at: { address: string; https_port: number }, origin: TlsOrigin) => Promise<void>,
): Promise<void> {
  const origin = new TlsOrigin(pair);
  try {
    await run(await origin.listen(), origin);
  } finally {
    origin.close();
  }
}

describe('names and certificates of origins', () => {
  it('sends Host and server name as they are set, each for itself', () =>
    withTls(trusted, async (at) => {
      const host = await edge.serve([at], { protocol: 'https', host: 'host.test', sni: 'name.test' });
      expect((await edge.get(host)).body).toBe('host.test name.test');
    }));

  it('asks an origin whose certificate is of a known authority and names it', () =>
    withTls(trusted, async (at) => {
      const host = await edge.serve([at], { protocol: 'https', sni: 'trusted.test', verify_tls: true });
      expect((await edge.get(host)).status).toBe(200);
    }));

  it('does not ask one whose certificate has another name, though the authority is known', () =>
    withTls(trusted, async (at) => {
      const host = await edge.serve([at], { protocol: 'https', sni: 'other.test', verify_tls: true });
      const answer = await edge.get(host);
      expect([answer.status, answer.body.includes('cannot be reached')]).toEqual([502, true]);
    }));

  it('does not ask one whose authority is unknown, unless nobody wants to know', () =>
    withTls(unknown, async (at) => {
      const config = { protocol: 'https', sni: 'trusted.test' } as const;
      const strict = await edge.serve([at], { ...config, verify_tls: true });
      const lenient = await edge.serve([at], config);
      expect([(await edge.get(lenient)).status, (await edge.get(strict)).status]).toEqual([200, 502]);
      // Nor over the connection that the lenient site left open.
      expect((await edge.get(strict)).status).toBe(502);
    }));
});

describe('connections that are kept', () => {
  it('shakes hands once for many requests over TLS', () =>
    withTls(trusted, async (at, origin) => {
      const host = await edge.serve([at], { protocol: 'https' });
      for (let time = 0; time < 20; time++) expect((await edge.get(host)).status).toBe(200);
      expect(origin.handshakes).toBe(1);
    }));

  it('shakes hands each time where connections are not to be kept', () =>
    withTls(trusted, async (at, origin) => {
      const host = await edge.serve([at], { protocol: 'https', keepalive_seconds: 0 });
      for (let time = 0; time < 5; time++) await edge.get(host);
      expect(origin.handshakes).toBe(5);
    }));

  it('never uses a connection for another name', () =>
    withTls(trusted, async (at, origin) => {
      const one = await edge.serve([at], { protocol: 'https' });
      const other = await edge.serve([at], { protocol: 'https' });
      for (let time = 0; time < 3; time++) {
        expect((await edge.get(one)).body).toBe(`${one} ${one}`);
        expect((await edge.get(other)).body).toBe(`${other} ${other}`);
      }
      expect(origin.handshakes).toBe(2);
    }));

  it('serves more names than it keeps connections for', () =>
    withTls(trusted, async (at, origin) => {
      const hosts: string[] = [];
      for (let name = 0; name < 70; name++)
        hosts.push(await edge.serve([at], { protocol: 'https', keepalive_seconds: 60 }));
      for (const host of [...hosts, ...hosts]) expect((await edge.get(host)).body).toBe(`${host} ${host}`);
      // 64 are kept and used again, the six others have a connection for each request.
      expect(origin.handshakes).toBe(64 + 12);
    }));

  it.each([
    [4, 1],
    [0, 4],
  ] as const)('keeps plain connections for %i s: %i in all for four requests', async (seconds, count) => {
    const sockets = new Set<Socket>();
    const origin = await startOrigin((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const host = await edge.serve([{ address: '127.0.0.1', http_port: origin.port }], {
      keepalive_seconds: seconds,
    });
    for (let time = 0; time < 4; time++) await edge.get(host);
    expect(sockets.size).toBe(count);
    await origin.close();
  });

  it('closes an idle connection when its time is over', async () => {
    let closed = 0;
    const origin = await startOrigin((request, response) => {
      request.socket.once('close', () => (closed += 1));
      response.setHeader('Keep-Alive', 'timeout=30');
      response.end();
    });
    const host = await edge.serve([{ address: '127.0.0.1', http_port: origin.port }]);
    await edge.get(host);
    expect(closed).toBe(0);
    await expect.poll(() => closed, { timeout: 6000, interval: 100 }).toBe(1);
    await origin.close();
  }, 10_000);
});

describe('asking the next origin', () => {
  let good: TestOrigin;
  let bad: TestOrigin;
  let status = 500;
  beforeAll(async () => {
    good = await startOrigin((_request, response) => response.end('good'));
    bad = await startOrigin((request, response) => {
      request.resume();
      response.statusCode = status;
      response.end('bad');
    });
  });
  afterAll(() => Promise.all([good.close(), bad.close()]));

  /** The first is the bad one: the good one is its backup. */
  const pair = () => [
    { address: '127.0.0.1', http_port: bad.port, max_fails: 0 },
    { address: '127.0.0.1', http_port: good.port, state: 'backup' as const },
  ];

  it.each([
    ['server_error', [500], [502, 404]],
    ['gateway_error', [502, 503, 504], [500, 403, 429]],
    ['not_found', [403, 404], [500, 410, 429]],
    ['too_many', [429], [503, 404]],
  ] as const)('%s: after %j, and not after %j', async (condition, yes, no) => {
    const host = await edge.serve(pair(), { retry_on: [condition] });
    for (status of yes) expect((await edge.get(host)).body).toBe('good');
    for (status of no) expect((await edge.get(host)).body).toBe('bad');
  });

  it('gives the last answer when every origin says so', async () => {
    status = 503;
    const host = await edge.serve([{ address: '127.0.0.1', http_port: bad.port }], {
      retry_on: ['gateway_error'],
    });
    const answer = await edge.get(host);
    expect([answer.status, answer.body]).toEqual([503, 'bad']);
  });

  it('takes 404 and 429 for no failure of the origin', async () => {
    const origins = [{ ...pair()[0]!, max_fails: 1 }, pair()[1]!];
    const host = await edge.serve(origins, { retry_on: ['not_found', 'too_many'] });
    for (status of [404, 429]) expect((await edge.get(host)).body).toBe('good');
    status = 200;
    expect((await edge.get(host)).body).toBe('bad');
  });

  it.each(['POST', 'PATCH', 'LOCK'])('never sends a %s again', async (method) => {
    status = 503;
    const host = await edge.serve(pair(), { retry_on: ['timeout', 'gateway_error'] });
    const before = [bad.count(), good.count()];
    expect((await edge.get(host, '/', { method, body: 'x=1' })).body).toBe('bad');
    expect([bad.count() - before[0]!, good.count() - before[1]!]).toEqual([1, 0]);
  });

  it('does not ask the next after a timeout where that is not wanted', async () => {
    const silent = await startOrigin(() => {});
    const origins = [{ ...pair()[0]!, http_port: silent.port }, pair()[1]!];
    const [patient, plain] = [
      await edge.serve(origins, { retry_on: [], read_timeout_seconds: 1 }),
      await edge.serve(origins, { read_timeout_seconds: 1 }),
    ];
    expect((await edge.get(patient)).status).toBe(504);
    expect((await edge.get(plain)).body).toBe('good');
    await silent.close();
  });
});

describe('websocket', () => {
  it.each([
    [true, 'websocket upgrade'],
    [false, '- -'],
  ])('%s: the origin is asked to change the protocol: %s', async (websocket, seen) => {
    const asked = await startUpgrading();
    const host = await edge.serve([{ address: '127.0.0.1', http_port: asked.port }], { websocket });
    const headers = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-key': 'x' };
    await edge.get(host, '/', { headers });
    expect(asked.seen()).toBe(seen);
    asked.close();
  });
});

/** Notes what an origin is asked, and answers plainly. */
async function startUpgrading() {
  let seen = '';
  const server = createNetServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const text = data.toString();
      const field = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1] ?? '-';
      seen = `${field('upgrade')} ${field('connection')}`;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => seen,
    close: () => void server.close(),
  };
}
