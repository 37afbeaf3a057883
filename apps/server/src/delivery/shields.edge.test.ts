import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { startAgent, type Agent } from '@breakwater/agent/agent';
import { makeCertificateRequest } from '@breakwater/edge/process/certificate-request';
import { borrowPorts, makeNode, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureAuthority, issueForNode } from './edge-authority.ts';

/** Three agents with their nginx, as an operator would have them: two serve visitors, and one is their shield. */

interface Node {
  id: number;
  ip: string;
  httpPort: number;
  start: () => Promise<Agent>;
  agent: Agent;
}

let world: World;
let giveBack: () => void;
const nodes: Node[] = [];

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const borrowed = await borrowPorts(9);
  ({ giveBack } = borrowed);
  for (const index of [0, 1, 2]) {
    const ip = `127.0.0.${index + 11}`;
    const { id, app_id: appId, app_secret: appSecret } = await makeNode(world, { ip });
    const [httpPort, httpsPort, shieldPort] = borrowed.ports.slice(index * 3) as [number, number, number];
    const start = () =>
      startAgent({
        controlPlaneUrl: world.userUrl,
        appId,
        appSecret,
        edgeDir: join(world.dataDir, `edge-${index}`),
        shieldPort,
        stateIntervalSeconds: 0.2,
        logger: pino({ level: 'silent' }),
        edge: {
          httpPorts: [httpPort],
          httpsPorts: [httpsPort],
          listenAddress: ip,
          workerProcesses: 1,
          cacheSizeMax: '64m',
          documentsSizeMax: '64m',
          privateOrigins: true,
          nodeName: `n${index}`,
        },
      });
    nodes.push({ id, ip, httpPort, start, agent: await start() });
  }
}, 120_000);
afterAll(async () => {
  await Promise.all(nodes.map(({ agent }) => agent.stop()));
  await world.close();
  giveBack();
});

it('asks the shield when the line group wants that, with certificates that are renewed in time, and the origin when it is gone', async () => {
  const ways: Record<string, string> = {};
  const origin = await world.startOrigin(({ url = '', headers }, response) => {
    ways[url] = String(headers['cdn-loop']).replaceAll('breakwater-', '');
    response.setHeader('cache-control', 'max-age=600');
    response.end('content');
  });
  const { domain } = await makeSite(world.admin, { port: origin.port });
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  const { id, name, version } = list.find((each) => each.name === 'Default')!;
  const [one, two, shield] = nodes as [Node, Node, Node];
  const bind = (add: number[], level: 'L1' | 'L2') =>
    world.admin.get('bindNodes', { params: { id }, body: { add, level } });
  await bind([one.id, two.id], 'L1');
  await bind([shield.id], 'L2');
  const get = (node: Node, path: string) =>
    new Promise<number>((settle, refuse) => {
      request(
        { host: node.ip, port: node.httpPort, path, headers: { host: domain }, agent: false },
        (answer) => {
          answer.resume().on('end', () => settle(answer.statusCode!));
        },
      )
        .on('error', refuse)
        .end();
    });
  let count = 0;
  /** Asks for what nobody has asked for; the way that it took to the origin. */
  const way = async (node: Node) => {
    const path = `/${(count += 1)}`;
    return (await get(node, path)) === 200 ? (ways[path] ?? 'none') : 'failed';
  };
  for (const node of [one, two]) await waitFor('the site', async () => (await way(node)).startsWith('n'));
  expect(await way(one)).toBe('n0');

  const l2 = { l2_enable: true, l2_mode: 'cache' as const };
  await world.admin.get('updateLineGroup', { params: { id }, body: { name, version, ...l2 } });
  for (const [index, node] of [one, two].entries())
    await waitFor('the shield', async () => (await way(node)) === `n${index}, n2`);
  await get(one, '/shared');
  const firstWay = ways['/shared'];
  expect(await get(two, '/shared')).toBe(200);
  expect([firstWay, ways['/shared']]).toEqual(['n0, n2', 'n0, n2']);

  const { db, secrets } = world.server.services;
  const path = join(world.dataDir, 'edge-0/shields.json');
  const held = async () => JSON.parse(await readFile(path, 'utf8')) as { identity: { certificate: string } };
  await one.agent.stop();
  const { request: asked, key } = makeCertificateRequest();
  const fourDaysAgo = Date.now() - 4 * 86_400_000;
  const old = await issueForNode(await ensureAuthority(db, secrets), one.id, asked, fourDaysAgo);
  const before = await held();
  const identity = { ...before.identity, certificate: old, key };
  await writeFile(path, JSON.stringify({ ...before, identity }));
  one.agent = await one.start();
  await waitFor('the site', async () => (await way(one)).startsWith('n'));
  await waitFor('another certificate', async () => (await held()).identity.certificate !== old);
  expect(new X509Certificate((await held()).identity.certificate).validFromDate.getTime()).toBeGreaterThan(
    Date.now() - 86_400_000,
  );
  // An nginx that has just started serves before it is told of its shields.
  await waitFor('the shield', async () => (await way(one)) === 'n0, n2');

  await shield.agent.stop();
  expect([await way(one), await way(two)]).toEqual(['n0', 'n1']);
  await bind([shield.id], 'L1');
  expect(await way(one)).toBe('n0');
}, 120_000);
