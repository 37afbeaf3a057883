import { connect, createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { freePorts } from '@breakwater/test-world/ports';
import { startOrigin, TestEdge, type TestOrigin } from './support.ts';

let edge: TestEdge;
let silent: Server;
let deadPort: number;
const named: Record<string, TestOrigin> = {};

beforeAll(async () => {
  edge = await TestEdge.start();
  for (const name of ['a', 'b', 'c'])
    named[name] = await startOrigin((_request, response) => response.end(name));
  [deadPort] = (await freePorts(1)) as [number];
  // Takes connections and never says anything.
  silent = createNetServer(() => {});
  await new Promise<void>((settle) => silent.listen(0, '127.0.0.1', settle));
});

afterAll(async () => {
  await edge.close();
  for (const origin of Object.values(named)) await origin.close();
  silent.close();
});

const site: TestEdge['serve'] = (...input) => edge.serve(...input);

async function answers(host: string, times: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let time = 0; time < times; time++) {
    const { status, body } = await edge.get(host);
    const name = status === 200 ? body : `${status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const local = { address: '127.0.0.1', https_port: 1 };

describe('choice of origins', () => {
  it('keeps to the weights, and leaves backups and what is switched off alone', async () => {
    const host = await site([
      { ...local, http_port: named.a!.port, weight: 75 },
      { ...local, http_port: named.b!.port, weight: 25 },
      { ...local, http_port: named.c!.port, weight: 100, state: 'backup' },
      { ...local, http_port: deadPort, weight: 100, state: 'down' },
    ]);
    expect(await answers(host, 40)).toEqual({ a: 30, b: 10 });
  });

  it('goes to the backup when a primary fails, leaves it out after max_fails, and comes back', async () => {
    const port = (await freePorts(1))[0]!;
    const host = await site([
      { ...local, http_port: port, max_fails: 2, fail_timeout_seconds: 2 },
      { ...local, http_port: named.b!.port, state: 'backup' },
    ]);
    expect(await answers(host, 4)).toEqual({ b: 4 });
    const { origins } = await edge.control<{ origins: { address: string; down_until: number }[] }>(
      'GET',
      '/state',
    );
    const down = origins.find(({ address }) => address === `127.0.0.1:${port}`);
    expect(down!.down_until).toBeGreaterThan(Date.now() / 1000);
    const primary = await startOrigin((_request, response) => response.end('primary'), undefined, port);
    expect(await answers(host, 2)).toEqual({ b: 2 });
    await new Promise((settle) => setTimeout(settle, 2200));
    expect(await answers(host, 3)).toEqual({ primary: 3 });
    await primary.close();
  });

  it('asks an origin that is out when there is no other, so that the site is back with it', async () => {
    const port = (await freePorts(1))[0]!;
    const host = await site([{ ...local, http_port: port, max_fails: 1, fail_timeout_seconds: 3600 }]);
    expect(await answers(host, 2)).toEqual({ 502: 2 });
    const late = await startOrigin((_request, response) => response.end('late'), undefined, port);
    expect(await answers(host, 2)).toEqual({ late: 2 });
    await late.close();
  });

  it('asks an origin by its IPv6 address', async (context) => {
    const origin = await startOrigin((_request, response) => response.end('six'), undefined, 0, '::1').catch(
      () => undefined,
    );
    if (origin === undefined) return context.skip('this machine has no IPv6');
    expect(await answers(await site([{ address: '::1', http_port: origin.port }]), 2)).toEqual({ six: 2 });
    await origin.close();
  });

  it('takes the addresses of a name as it was told them', async () => {
    const host = await site([{ address: 'origin.example', http_port: named.a!.port }]);
    expect(await answers(host, 1)).toEqual({ 502: 1 });
    await edge.control('PUT', '/resolved', {
      'origin.example': ['127.0.0.1'],
      'other.example': ['::1', '10.0.0.1'],
    });
    expect(await answers(host, 2)).toEqual({ a: 2 });
    await edge.control('PUT', '/resolved', { 'other.example': ['::1'] });
    expect(await answers(host, 1)).toEqual({ 502: 1 });
  });
});

describe('failures', () => {
  it('shows a page with the request id when no origin can be reached', async () => {
    const host = await site([{ ...local, http_port: deadPort }]);
    const answer = await edge.get(host);
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('cannot be reached');
    expect(answer.body).toContain(answer.headers['x-request-id']);
    const [line] = await edge.logLines(1, ({ request_id }) => request_id === answer.headers['x-request-id']);
    expect(line).toMatchObject({
      status: 502,
      origin_addr: `127.0.0.1:${deadPort}`,
      origin_status: 502,
      cache_status: 'BYPASS',
    });
  });

  it('shows it too when every origin is switched off', async () => {
    const host = await site([{ ...local, http_port: named.a!.port, state: 'down' }]);
    const answer = await edge.get(host);
    expect([answer.status, answer.body.includes('cannot be reached')]).toEqual([502, true]);
  });

  it('passes long header lists both ways', async () => {
    const origin = await startOrigin((request, response) => {
      response.setHeader('X-Long', 'y'.repeat(10_000));
      response.end(`${request.headers['x-long']?.length}`);
    });
    const host = await site([{ ...local, http_port: origin.port }]);
    const answer = await edge.get(host, '/', {
      headers: { 'x-long': 'x'.repeat(7000), 'x-more': 'z'.repeat(4000) },
    });
    expect([answer.status, answer.body, answer.headers['x-long']?.length]).toEqual([200, '7000', 10_000]);
    await origin.close();
  });

  it('answers 504 when the origin says nothing in time', async () => {
    const { port } = silent.address() as AddressInfo;
    const host = await site([{ ...local, http_port: port }], { read_timeout_seconds: 1 });
    const answer = await edge.get(host);
    expect([answer.status, answer.body.includes('too long')]).toEqual([504, true]);
  });

  it('asks the next origin after one that said nothing, as often as it may', async () => {
    const { port } = silent.address() as AddressInfo;
    const origins = [
      { ...local, http_port: port },
      { ...local, http_port: named.a!.port, state: 'backup' as const },
    ];
    expect((await edge.get(await site(origins, { read_timeout_seconds: 1 }))).body).toBe('a');
    expect((await edge.get(await site(origins, { read_timeout_seconds: 1, tries: 1 }))).status).toBe(504);
  });

  it('gives up on an address that leads nowhere', async () => {
    // Reserved for documentation (RFC 5737): unreachable at once or silent, as the network has it.
    const host = await site([{ address: '192.0.2.1', http_port: 80 }], { connect_timeout_seconds: 1 });
    const started = Date.now();
    expect([502, 504]).toContain((await edge.get(host)).status);
    expect(Date.now() - started).toBeLessThan(3000);
  });

  it('does not take the failures of one site for those of another', async () => {
    const port = (await freePorts(1))[0]!;
    const strict = await site([
      { ...local, http_port: port, max_fails: 1, fail_timeout_seconds: 3600 },
      { ...local, http_port: named.b!.port, state: 'backup' },
    ]);
    await answers(strict, 2);
    const other = await site([
      { ...local, http_port: port },
      { ...local, http_port: named.b!.port, state: 'backup' },
    ]);
    const origin = await startOrigin((_request, response) => response.end('up'), undefined, port);
    expect(await answers(strict, 1)).toEqual({ b: 1 });
    expect(await answers(other, 1)).toEqual({ up: 1 });
    await origin.close();
  });

  it('survives an origin that closes the connections it was kept open', async () => {
    const origin = await startOrigin((request, response) => {
      response.end('once');
      setTimeout(() => request.socket.destroy(), 5);
    });
    const host = await site([{ ...local, http_port: origin.port }]);
    for (let time = 0; time < 10; time++) {
      expect((await edge.get(host)).status).toBe(200);
      await new Promise((settle) => setTimeout(settle, time));
    }
    await origin.close();
  });
});

describe('schemes', () => {
  const pair = makeSelfSigned('origin.test');
  let plain: TestOrigin;
  let secure: TestOrigin;
  const ports = () => [{ address: '127.0.0.1', http_port: plain.port, https_port: secure.port }];

  beforeAll(async () => {
    const say = (scheme: string) =>
      startOrigin(
        (request, response) => {
          const { servername } = request.socket as unknown as { servername?: string };
          response.end(
            `${scheme} ${request.headers.host} ${servername ?? '-'} ${String(request.headers['x-forwarded-proto'])}`,
          );
        },
        scheme === 'https' ? { cert: pair.certificate, key: pair.key } : undefined,
      );
    plain = await say('http');
    secure = await say('https');
  });
  afterAll(() => Promise.all([plain.close(), secure.close()]));

  it("speaks TLS with the visitor's host as server name", async () => {
    const host = await site(ports(), { protocol: 'https' });
    expect((await edge.get(host)).body).toBe(`https ${host} ${host} http`);
  });

  it('asks for the host that is set, as server name too', async () => {
    const host = await site(ports(), { protocol: 'https', host: 'origin.test' });
    expect((await edge.get(host)).body).toBe('https origin.test origin.test http');
  });

  it("follows the visitor's scheme", async () => {
    const host = await site(ports(), { protocol: 'follow' });
    expect((await edge.get(host)).body).toBe(`http ${host} - http`);
    expect((await edge.get(host, '/', { servername: host })).body).toBe(`https ${host} ${host} https`);
  });

  it('speaks plainly to an origin of an https visitor where the site says http', async () => {
    const host = await site(ports(), { protocol: 'http' });
    expect((await edge.get(host, '/', { servername: host })).body).toBe(`http ${host} - https`);
  });
});

describe('upgrades and streams', () => {
  it('passes a WebSocket through both ways', async () => {
    const server = createNetServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
        socket.on('data', (data) => socket.write(`echo ${data.toString()}`));
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const host = await site([{ ...local, http_port: (server.address() as AddressInfo).port }]);
    const said = await new Promise<string>((settle, refuse) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      let text = '';
      socket.on('error', refuse);
      socket.on('data', (data) => {
        text += data.toString();
        if (text.endsWith('\r\n\r\n')) socket.write('hello');
        if (text.endsWith('echo hello')) settle((socket.destroy(), text));
      });
      socket.write(
        `GET / HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
      );
    });
    expect(said).toMatch(/^HTTP\/1.1 101 /);
    server.close();
  });

  it('hands on server-sent events as they come', async () => {
    let finish = () => {};
    const origin = await startOrigin((_request, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write('data: first\n\n');
      finish = () => void response.end('data: last\n\n');
    });
    const host = await site([{ ...local, http_port: origin.port }]);
    const text = await new Promise<string>((settle, refuse) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      let seen = '';
      socket.on('error', refuse);
      socket.on('data', (data) => {
        seen += data.toString();
        if (seen.includes('first') && !seen.includes('last')) finish();
        if (seen.includes('last')) settle((socket.destroy(), seen));
      });
      socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
    expect(text).toContain('data: first');
    await origin.close();
  });
});
