import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { freePorts } from '@breakwater/test-world/ports';
import { startOrigin } from '@breakwater/test-world/origin';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProbeResult, Question } from './probe-check.ts';
import { startProbe } from './probe-run.ts';

const question: Omit<Question, 'port'> = {
  protocol: 'http',
  ip: '127.0.0.1',
  host: 'www.example.com',
  serverName: 'www.example.com',
  verifyTls: false,
  path: '/health?deep=1',
  method: 'GET',
  expected_codes: ['200-399'],
  body_contains: '',
  user_agent: 'Checker/1',
  timeout_seconds: 20,
};

const probe = (port: number, changes: Partial<Question> = {}) =>
  new Promise<ProbeResult | undefined>((resolve) => {
    startProbe({ ...question, port, ...changes }, resolve);
  });
const errorOf = async (...parts: Parameters<typeof probe>) => (await probe(...parts))?.error;

async function origin(handler: RequestListener, tls?: { key: string; cert: string }) {
  const started = await startOrigin(handler, tls);
  onTestFinished(() => started.close());
  return started;
}

/** A server that does with each connection what it is told. */
async function raw(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('a check over http', () => {
  it('asks what it is told to, and says how long it took', async () => {
    const { port, requests } = await origin((_request, response) => response.end('well'));
    const result = await probe(port);
    expect(result?.error).toBeUndefined();
    expect(result?.latencyMilliseconds).toBeGreaterThanOrEqual(0);
    expect(requests).toEqual([
      {
        method: 'GET',
        url: '/health?deep=1',
        headers: {
          host: 'www.example.com',
          'user-agent': 'Checker/1',
          accept: '*/*',
          'accept-encoding': 'identity',
          connection: 'close',
        },
      },
    ]);
  });

  it.each(['HEAD', 'OPTIONS'] as const)('can ask by %s', async (method) => {
    const { port, requests } = await origin((_request, response) => response.end());
    expect(await errorOf(port, { method })).toBeUndefined();
    expect(requests[0]!.method).toBe(method);
  });

  it('goes by the status', async () => {
    const { port } = await origin((_request, response) => response.writeHead(503).end());
    expect(await errorOf(port)).toEqual({ code: 'status', detail: '503' });
    expect(await errorOf(port, { expected_codes: ['200', '500-599'] })).toBeUndefined();
  });

  it('follows no redirect', async () => {
    const { port, requests } = await origin((_request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect(await errorOf(port)).toBeUndefined();
    expect(await errorOf(port, { expected_codes: ['200'] })).toEqual({ code: 'status', detail: '302' });
    expect(requests.map(({ url }) => url)).toEqual(['/health?deep=1', '/health?deep=1']);
  });

  it('finds a text in the body, also where it comes in parts', async () => {
    const { port } = await origin((_request, response) => {
      response.write('all is w');
      setTimeout(() => response.end('ell: 健康'), 30);
    });
    expect(await errorOf(port, { body_contains: 'is well: 健康' })).toBeUndefined();
    expect(await errorOf(port, { body_contains: 'is ill' })).toEqual({ code: 'body', detail: '' });
  });

  it('reads no more than 64 KiB of an endless body', async () => {
    let isClosed = false;
    const { port } = await origin((_request, response) => {
      response.on('close', () => (isClosed = true));
      const more = () => {
        while (response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(await errorOf(port, { body_contains: 'y' })).toEqual({ code: 'body', detail: '' });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('does not wait for a body nobody asks about', async () => {
    const { port } = await origin((_request, response) => response.write('and so on'));
    expect(await errorOf(port)).toBeUndefined();
  });
});

describe('an origin that fails', () => {
  it('by refusing the connection', async () => {
    const [port] = (await freePorts(1)) as [number];
    expect(await errorOf(port)).toEqual({ code: 'refused', detail: 'ECONNREFUSED' });
    expect(await errorOf(port, { protocol: 'tcp' })).toEqual({ code: 'refused', detail: 'ECONNREFUSED' });
  });

  it('by saying nothing', async () => {
    const port = await raw(() => undefined);
    expect(await errorOf(port, { timeout_seconds: 0.2 })).toEqual({ code: 'timeout', detail: '' });
  });

  it('by an answer that never ends its head', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await errorOf(port, { timeout_seconds: 0.3 })).toEqual({ code: 'timeout', detail: '' });
  });

  it('by closing the connection', async () => {
    const port = await raw((socket) => socket.destroy());
    expect(await errorOf(port)).toEqual({ code: 'closed', detail: 'ECONNRESET' });
  });

  it('by answering what is no HTTP', async () => {
    const port = await raw((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    expect(await errorOf(port)).toMatchObject({ code: 'invalid_answer' });
  });

  it('by speaking no TLS', async () => {
    const { port } = await origin((_request, response) => response.end());
    expect(await errorOf(port, { protocol: 'https' })).toMatchObject({ code: 'tls' });
  });
});

describe('a check over https', () => {
  it('asks for the name, and takes any certificate unless told otherwise', async () => {
    const { certificate, key } = makeSelfSigned('origin.example.com');
    const names: unknown[] = [];
    const { port } = await origin(
      (request, response) => {
        names.push((request.socket as TLSSocket & { servername?: string }).servername);
        response.end('well');
      },
      { cert: certificate, key },
    );
    expect(await errorOf(port, { protocol: 'https' })).toBeUndefined();
    expect(await errorOf(port, { protocol: 'https', verifyTls: true })).toMatchObject({ code: 'tls' });
    expect(names).toEqual(['www.example.com']);
  });
});

describe('a check over tcp', () => {
  it('is good when a connection opens, whatever is said on it', async () => {
    const port = await raw(() => undefined);
    expect(await errorOf(port, { protocol: 'tcp' })).toBeUndefined();
  });
});

it('a check that is broken off says nothing', async () => {
  const port = await raw(() => undefined);
  let said = false;
  const stop = startProbe({ ...question, port, timeout_seconds: 0.1 }, () => (said = true));
  stop();
  await probe(port, { timeout_seconds: 0.3 });
  expect(said).toBe(false);
});
