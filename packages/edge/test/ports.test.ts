import { stat } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConfigurationRefused, hasIpv6 } from '../process/edge-process.ts';
import { makeSite, startOrigin, TestEdge, type TestOrigin, patience } from './support.ts';

let edge: TestEdge;
let origin: TestOrigin;
let http: number;
let https: number;
let finish: () => void;

beforeAll(async () => {
  edge = await TestEdge.start();
  [http, https] = (await freePorts(2)) as [number, number];
  origin = await startOrigin((request, response) => {
    if (request.url === '/redirect') {
      const scheme = String(request.headers['x-forwarded-proto']);
      response.writeHead(302, { location: `${scheme}://${request.headers.host}/next` });
      response.end();
    } else if (request.url === '/slow') {
      response.write('x'.repeat(100_000));
      finish = () => response.end('the end');
    } else {
      if (request.url!.startsWith('/kept')) response.setHeader('Cache-Control', 'max-age=600');
      response.end(`origin ${request.method}`);
    }
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  await edge.applySites(
    makeSite({
      id: 1,
      domains: ['ports.test'],
      origins,
      ports: { http_ports: [http], https_ports: [https] },
    }),
    makeSite({ id: 2, domains: ['plain.test'], origins }),
    makeSite({
      id: 3,
      domains: ['down.test'],
      origins: [{ address: '127.0.0.1', http_port: 9, max_fails: 1, fail_timeout_seconds: 600 }],
    }),
  );
});

afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** Over plain HTTP or HTTPS at a port of its own. */
function at(
  port: number,
  host: string,
  path: string,
  address = '127.0.0.1',
): Promise<{ status: number; location?: string; cache?: string }> {
  return new Promise((settle, refuse) => {
    const options = { host: address, port, path, headers: { host: `${host}:${port}` }, agent: false };
    const call =
      port === https
        ? httpsRequest({ ...options, servername: host, rejectUnauthorized: false })
        : httpGet(options);
    call.on('response', ({ statusCode, headers }) => {
      call.destroy();
      settle({
        status: statusCode!,
        ...(headers.location === undefined ? {} : { location: headers.location }),
        ...(headers['x-cache'] === undefined ? {} : { cache: String(headers['x-cache']) }),
      });
    });
    call.on('error', refuse);
    call.end();
  });
}

describe('ports beside those of the node', () => {
  it('are opened and closed by a reload, and answer for the sites that have them', async () => {
    await expect(at(http, 'ports.test', '/')).rejects.toThrow(/ECONNREFUSED/);
    await edge.edge.listen({ http: [http], https: [https] });
    for (const port of [http, https]) {
      expect((await at(port, 'ports.test', '/')).status).toBe(200);
      expect((await at(port, 'plain.test', '/')).status).toBe(421);
    }
    expect((await edge.get('ports.test')).status).toBe(200);
    expect((await stat(edge.edge.controlSocket)).mode % 0o1000).toBe(0o600);
    await edge.edge.listen({ http: [http], https: [] });
    // Workers of before the reload close their sockets in their own time.
    await vi.waitFor(() => expect(at(https, 'ports.test', '/')).rejects.toThrow(/ECONNREFUSED/), patience);
    await edge.edge.listen({ http: [http], https: [https] });
  });

  it('stay in the redirects of an origin that does not know them', async () => {
    expect((await at(http, 'ports.test', '/redirect')).location).toBe(`http://ports.test:${http}/next`);
    expect((await at(https, 'ports.test', '/redirect')).location).toBe(`https://ports.test:${https}/next`);
    expect((await edge.get('ports.test', '/redirect')).headers.location).toBe('http://ports.test/next');
  });

  it('share the cache with the others', async () => {
    await at(http, 'ports.test', '/kept');
    expect((await at(http, 'ports.test', '/kept')).cache).toBe('HIT');
    expect((await edge.get('ports.test', '/kept')).headers['x-cache']).toBe('HIT');
  });

  it('that another program has leave everything as it was', async () => {
    const [taken] = (await freePorts(1)) as [number];
    const thief = createServer();
    await new Promise<void>((settle) => thief.listen(taken, '127.0.0.1', settle));
    const told = edge.edge.listen({ http: [http, taken], https: [https] });
    await expect(told).rejects.toThrow(/bind\(\) to 127\.0\.0\.1:\d+ failed|could not bind/);
    await expect(told).rejects.toBeInstanceOf(ConfigurationRefused);
    thief.close();
    expect((await at(http, 'ports.test', '/')).status).toBe(200);
    edge.edge.reload();
    await delay(500);
    expect((await at(http, 'ports.test', '/')).status).toBe(200);
  });
});

it('answers over IPv6, at ports of sites too, and knows the visitor by it', async (context) => {
  if (!hasIpv6()) return context.skip('this machine has no IPv6');
  const own = await TestEdge.start({ listenAddress: '::1' });
  try {
    const site = {
      id: 1,
      domains: ['six.test'],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
    };
    await own.applySites(makeSite({ ...site, ports: { http_ports: [http], https_ports: [https] } }));
    await edge.edge.listen({ http: [], https: [] });
    await own.edge.listen({ http: [http], https: [https] });
    for (const port of [own.httpPort, http, https])
      expect((await at(port, 'six.test', '/six', '::1')).status).toBe(200);
    const lines = await own.logLines(3, ({ request_uri }) => request_uri === '/six');
    for (const { remote_addr, raw_remote_addr } of lines)
      expect([remote_addr, raw_remote_addr]).toEqual(['::1', '::1']);
  } finally {
    await own.close();
    await edge.edge.listen({ http: [http], https: [https] });
  }
});

describe('a reload', () => {
  const change = async () => {
    await edge.edge.listen({ http: [http], https: [] });
    await edge.edge.listen({ http: [http], https: [https] });
  };

  it('lets a download in flight come to its end', async () => {
    const body = new Promise<string>((settle, refuse) => {
      httpGet(
        {
          host: '127.0.0.1',
          port: edge.httpPort,
          path: '/slow',
          headers: { host: 'plain.test' },
          agent: false,
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => settle(text));
          response.on('error', refuse);
          response.once('data', () => void change().then(() => finish(), refuse));
        },
      ).on('error', refuse);
    });
    expect((await body).endsWith('the end')).toBe(true);
  });

  it('keeps hits, what was declared out of date, documents and the health of origins', async () => {
    await edge.get('plain.test', '/kept/a');
    await edge.get('plain.test', '/kept/b');
    await edge.get('plain.test', '/kept/b', { method: 'POST', body: 'x' });
    await edge.get('down.test');
    const before = await edge.control<{ origins: unknown[]; instance_id: string }>('GET', '/state');
    expect(before.origins).toHaveLength(1);
    await change();
    expect((await edge.get('plain.test', '/kept/a')).headers['x-cache']).toBe('HIT');
    expect((await edge.get('plain.test', '/kept/b')).headers['x-cache']).toBe('MISS');
    const after = await edge.control<typeof before>('GET', '/state');
    expect(after).toMatchObject({ origins: before.origins, instance_id: before.instance_id });
  });
});
