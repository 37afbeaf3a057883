import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent, type Agent } from '@breakwater/agent/agent';
import { borrowPorts, makeNode, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

/** Two agents with their nginx and a control plane between them: a visitor who spreads requests is counted once. */

interface Node {
  ip: string;
  httpPort: number;
  agent: Agent;
}

let world: World;
let giveBack: () => void;
const nodes: Node[] = [];
let site: { id: number; domain: string };

const threshold = 200;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const borrowed = await borrowPorts(4);
  ({ giveBack } = borrowed);
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  const { id } = list.find((each) => each.name === 'Default')!;
  for (const index of [0, 1]) {
    const ip = `127.0.0.${index + 31}`;
    const made = await makeNode(world, { ip });
    await world.admin.get('bindNodes', { params: { id }, body: { add: [made.id] } });
    const [httpPort, httpsPort] = borrowed.ports.slice(index * 2) as [number, number];
    const agent = await startAgent({
      controlPlaneUrl: world.userUrl,
      appId: made.app_id,
      appSecret: made.app_secret,
      edgeDir: join(world.dataDir, `edge-${index}`),
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
    nodes.push({ ip, httpPort, agent });
  }
  const origin = await world.startOrigin((_request, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  const params = { id: site.id };
  const { version, value } = await world.admin.get('getCcGuardianRule', { params });
  const rule = { requests: threshold, period_seconds: 3600, hold_seconds: 3600, action: 'limit' as const };
  const body = { version, value: { ...value, mode: 'normal' as const, escalation: false, rules: [rule] } };
  await world.admin.get('updateCcGuardianRule', { params, body: body as never });
}, 120_000);
afterAll(async () => {
  await Promise.all(nodes.map(({ agent }) => agent.stop()));
  await world.close();
  giveBack();
});

const ask = ({ ip, httpPort }: Node, from: string) =>
  new Promise<number>((settle, refuse) => {
    const headers = { host: site.domain };
    request({ host: ip, port: httpPort, path: '/', headers, localAddress: from, agent: false }, (answer) => {
      answer.resume().on('end', () => settle(answer.statusCode!));
    })
      .on('error', refuse)
      .end();
  });
async function asked(node: Node, from: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push(await ask(node, from));
  return [...new Set(statuses)];
}
/** Until a node refuses; how often it was asked for that: so seldom that the other's counts arrive meanwhile. */
async function asksUntilRefused(node: Node, from: string): Promise<number> {
  let asks = 0;
  await waitFor('the limit', async () => {
    asks += 1;
    await sleep(250);
    return (await ask(node, from)) === 429;
  });
  return asks;
}

it('answers at both nodes who asked both for less than the limit, and goes on without a control plane', async () => {
  const [one, two] = nodes as [Node, Node];
  // In service at both, and both know that they are two: visitors have digests from then on.
  for (const [index, node] of nodes.entries())
    await waitFor('the rule', async () => {
      const visitor = `127.4.${index}.1`;
      return (await asked(node, visitor, threshold / 4)).includes(429);
    });
  await waitFor('counts of the other', async () => (await ask(two, '127.4.0.1')) === 429);

  const visitor = '127.4.1.2';
  expect(await asked(one, visitor, 150)).toEqual([200]);
  expect(await asked(two, visitor, 100)).not.toContain(403);
  expect(100 + (await asksUntilRefused(two, visitor))).toBeLessThan(threshold);
  expect(150 + (await asksUntilRefused(one, visitor))).toBeLessThan(threshold);
  expect(await ask(one, '127.4.1.3')).toBe(200);

  await world.stopControlPlane();
  const later = '127.4.1.4';
  expect(await asked(one, later, 150)).toEqual([200]);
  expect(await asked(two, later, 100)).toEqual([200]);
  await world.startControlPlane();
  expect(100 + (await asksUntilRefused(two, later))).toBeLessThan(threshold);
});
