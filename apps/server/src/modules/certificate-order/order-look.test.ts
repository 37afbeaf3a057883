import {
  freePorts,
  makeNode,
  saveSetting,
  startDnsServer,
  startWorld,
  type DnsServer,
  type World,
} from '@breakwater/test-world';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { lookAtAnswers } from './order-look.ts';

/** Real servers at one port of several addresses. Through a node: `certificate-order.edge.test.ts`. */

const answer = { name: 'www.example.com', token: 'tok-en_1', keyAuthorization: 'tok-en_1.thumb' };
let world: World;
let dns: DnsServer;
let port: number;
const servers: Server[] = [];
const asked: string[] = [];

async function serve(address: string, listener: RequestListener): Promise<void> {
  const server = createServer((request, response) => {
    asked.push(address);
    listener(request, response);
  });
  servers.push(server);
  await once(server.listen(port, address), 'listening');
}

beforeAll(async () => {
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
  dns = await startDnsServer(
    'example.com',
    hosts.map((host) => `www IN A ${host}`),
  );
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [port] = (await freePorts(1)) as [number];
  await saveSetting(world, 'SiteSetting', {
    dns_servers: [dns.address],
    compared_dns_servers: [],
    site_check: false,
  });
  await serve('127.0.0.1', ({ url, headers }, response) => {
    const isRight =
      headers.host === `www.example.com:${port}` && url === '/.well-known/acme-challenge/tok-en_1';
    response.end(isRight ? 'tok-en_1.thumb\r\n' : 'something else');
  });
  await serve('127.0.0.2', (_, response) => {
    response.writeHead(404, { server: 'Apache' }).end('tok-en_1.thumb');
  });
  await serve('127.0.0.3', (_, response) => {
    response.writeHead(301, { location: 'https://www.example.com/' }).end();
  });
});
afterAll(async () => {
  servers.forEach((server) => server.close());
  await world?.close();
  await dns?.close();
});

const look = (privateOrigins: boolean) => {
  const { services } = world.server;
  const config = { ...services.config, acmeHttpPort: port, privateOrigins };
  return lookAtAnswers({ services: { ...services, config } }, [answer]);
};

it('what answers at each address of a name is told, in words of HTTP or of the system', async () => {
  const steps = await look(true);
  expect(steps[0]).toEqual({ kind: 'answer_seen', facts: { seen: 'www.example.com (127.0.0.1)' } });
  const others = steps.slice(1).map(({ kind, detail, facts }) => `${kind} ${facts?.['address']} ${detail}`);
  expect(others.toSorted((one, other) => one.localeCompare(other))).toEqual([
    'answer_unseen 127.0.0.2 HTTP 404, Server: Apache',
    'answer_unseen 127.0.0.3 HTTP 301, Location: https://www.example.com/',
    'answer_unseen 127.0.0.4 ECONNREFUSED',
  ]);
});

it('a private address that is no node is not asked: a customer may point a name at anything', async () => {
  asked.length = 0;
  // The address of the node of this machine.
  expect(await look(false)).toMatchObject([{ kind: 'answer_seen' }]);
  expect(asked).toEqual(['127.0.0.1']);
  await makeNode(world, { ip: '127.0.0.2' });
  expect(await look(false)).toMatchObject([
    { kind: 'answer_seen' },
    { kind: 'answer_unseen', facts: { address: '127.0.0.2' } },
  ]);
  expect(asked).not.toContain('127.0.0.3');
});
