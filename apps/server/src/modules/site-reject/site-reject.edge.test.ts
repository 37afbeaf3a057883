import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { startAgent, type Agent, type AgentOptions } from '@breakwater/agent/agent';
import {
  freePorts,
  makeCustomer,
  makeNode,
  makeSite,
  saveSetting,
  startWorld,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { and, eq, like } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { edgeDocument } from '../../db/schema.ts';

/** Bans on two nodes, each a real nginx with its agent. */

let world: World;
let options: AgentOptions;
let agent: Agent | undefined;
let site: { id: number; domain: string };
let foreign: { id: number; domain: string };

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_, response) => response.end('the site'));
  site = await makeSite(world.admin, { port: origin.port });
  const { orderId } = await makeCustomer(world);
  foreign = await makeSite(world.admin, { port: origin.port, orderId });
  for (const { id } of [site, foreign])
    await world.admin.get('updateRealIp', {
      query: { site_id: id },
      body: { version: 1, value: { mode: 'header', headers: ['x-real-ip'], trusted: ['127.0.0.1'] } },
    });
  options = await secondNode();
  agent = await startAgent(options);
  for (const { domain } of [site, foreign]) await waitFor('the sites', are(domain, '20.0.0.1', 200));
});
afterAll(async () => {
  await agent?.stop();
  await rm(options.edgeDir, { recursive: true, force: true });
  await world.close();
});

async function secondNode(): Promise<AgentOptions> {
  const [port] = (await freePorts(1)) as [number];
  const edgeDir = await mkdtemp(join(tmpdir(), 'second-'));
  // nginx's workers are another user.
  await chmod(edgeDir, 0o755);
  const { id, app_id: appId, app_secret: appSecret } = await makeNode(world, { ip: '20.9.0.1' });
  const { list } = await world.admin.get('listLineGroups', { query: {} });
  await world.admin.get('bindNodes', { params: { id: list[0]!.id }, body: { add: [id], remove: [] } });
  return {
    appId,
    appSecret,
    controlPlaneUrl: world.userUrl,
    edgeDir,
    edge: {
      httpPorts: [port],
      httpsPorts: [],
      listenAddress: '127.0.0.1',
      workerProcesses: 1,
      cacheSizeMax: '64m',
      privateOrigins: true,
      nodeName: 'second',
    },
    stateIntervalSeconds: 1,
    logger: pino({ level: 'silent' }),
  };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

function atSecond(host: string, address: string): Promise<Answer> {
  const headers = { host, 'x-real-ip': address };
  const target = { host: '127.0.0.1', port: options.edge.httpPorts[0]!, path: '/', headers, agent: false };
  return new Promise((resolve, reject) => {
    request(target, (response) => {
      textOf(response).then(
        (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}
const atFirst = (host: string, address: string): Promise<Answer> =>
  world.fetchEdge(host, '/', { headers: { 'x-real-ip': address } });

/** What both nodes answer an address. */
const both = async (host: string, address: string): Promise<number[]> => [
  (await atFirst(host, address)).status,
  (await atSecond(host, address)).status,
];
const within2s = (what: string, ask: () => Promise<boolean>) => waitFor(what, ask, 2);
const are = (host: string, address: string, status: number) => async () =>
  String(await both(host, address)) === `${status},${status}`;

async function ban(body: object): Promise<number[]> {
  const { ids } = await world.admin.get('createSiteRejects', {
    body: { site_id: site.id, seconds: 600, ...body } as never,
  });
  return ids;
}
const release = (ids: number[]) => world.admin.get('releaseSiteRejects', { body: { ids } });

it('holds on both nodes within two seconds, and ends on both when it is released', async () => {
  const address = '20.0.0.2';
  const [id] = (await ban({ remote_addrs: [address] })) as [number];
  await within2s('the ban', are(site.domain, address, 403));
  expect(await both(site.domain, '20.0.0.3')).toEqual([200, 200]);
  expect(await both(foreign.domain, address)).toEqual([200, 200]);
  await waitFor('the acknowledgements', async () => {
    const { list } = await world.admin.get('listSiteRejects', { query: { remote_addr: address } });
    return list[0]!.delivery.status === 'applied' && list[0]!.delivery.nodes_total === 2;
  });
  const { task_id: taskId } = await release([id]);
  await within2s('the release', are(site.domain, address, 200));
  await waitFor('the task', async () => {
    const task = await world.admin.get('getTask', { params: { id: taskId! } });
    return task.status === 'done' && task.done === 2;
  });
});

it('is of networks, of a customer or of all, and the page says which request, until when and where to object', async () => {
  await saveSetting(world, 'WafSetting', { objection: 'abuse@example.com' });
  const ids = await ban({ remote_addrs: ['20.1.2.0/24', '2001:470:1:2::/64'] });
  await within2s('the networks', async () => {
    const there = [...(await both(site.domain, '20.1.2.3')), ...(await both(site.domain, '2001:470:1:2::3'))];
    return there.every((status) => status === 403);
  });
  expect(await both(site.domain, '20.1.3.1')).toEqual([200, 200]);
  expect(await both(site.domain, '2001:470:1:3::3')).toEqual([200, 200]);
  const page = await atSecond(site.domain, '20.1.2.3');
  expect(page.body).toContain(`Request ID: ${String(page.headers['x-request-id'])}`);
  expect(page.body).toMatch(/Until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  expect(page.body).toContain('href="mailto:abuse@example.com"');
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(500);
  const all = await ban({ scope: 'platform', site_id: undefined, remote_addrs: ['20.1.2.3'] });
  await within2s('all sites', are(foreign.domain, '20.1.2.3', 403));
  // The log names the one that ends last, and explain says the same.
  const explained = await world.admin.get('explainSite', {
    params: { id: foreign.id },
    body: { url: `http://${foreign.domain}/`, address: '20.1.2.3' },
  });
  expect(explained.node_trace!.steps.find(({ step }) => step === 'bans')).toMatchObject({
    outcome: 'stopped',
    reason: 'banned',
    facts: [{ name: 'ban', value: String(all[0]) }, { name: 'wait_seconds' }, { value: '403' }],
  });
  expect(explained.differing).toEqual([]);
  // Whoever is never banned gets through a network that is.
  await saveSetting(world, 'WafSetting', { never_addresses: ['20.1.2.9'] });
  await within2s('the exception', are(site.domain, '20.1.2.9', 200));
  expect(await both(site.domain, '20.1.2.8')).toEqual([403, 403]);
  await release([...ids, ...all]);
});

it('outlives nginx and the agent, and a node that was away has it from its first answer on', async () => {
  const [kept] = (await ban({ remote_addrs: ['20.2.0.1'] })) as [number];
  await within2s('the ban', are(site.domain, '20.2.0.1', 403));
  await agent!.stop();
  const missed = await ban({ remote_addrs: ['20.2.0.2'] });
  await release([kept]);
  agent = await startAgent(options);
  expect((await atSecond(site.domain, '20.2.0.2')).status).toBe(403);
  expect((await atSecond(site.domain, '20.2.0.1')).status).toBe(200);
  // Without the control plane it starts with what it knew.
  await waitFor('the acknowledgement', async () => {
    const { list } = await world.admin.get('listSiteRejects', { query: { remote_addr: '20.2.0.2' } });
    return list[0]!.delivery.status === 'applied';
  });
  await agent.stop();
  await world.stopControlPlane();
  agent = await startAgent(options);
  expect((await atSecond(site.domain, '20.2.0.2')).status).toBe(403);
  await world.startControlPlane();
  await release(missed);
  await waitFor('the release', are(site.domain, '20.2.0.2', 200));
});

it('made by a rule at one node reaches the other, the list and the log, whatever ends meanwhile', async () => {
  await world.admin.get('updateMatcherRule', {
    params: { id: site.id },
    body: {
      version: await versionOf(),
      value: {
        rules: [
          {
            action: 'ban',
            ban: { seconds: 600 },
            condition: { items: [{ field: 'path', operator: 'equals', values: ['/.env'] }] },
          },
        ],
      },
    },
  } as never);
  const trap = async (address: string) =>
    (await world.fetchEdge(site.domain, '/.env', { headers: { 'x-real-ip': address } })).status;
  // Whom no ban is for is refused, and not banned.
  await waitFor('the rule', async () => (await trap('10.0.0.9')) === 403);
  expect((await atFirst(site.domain, '10.0.0.9')).status).toBe(200);
  expect(await trap('20.4.0.1')).toBe(403);
  expect((await atFirst(site.domain, '20.4.0.1')).status).toBe(403);
  await within2s('the other node', are(site.domain, '20.4.0.1', 403));
  expect(await both(foreign.domain, '20.4.0.1')).toEqual([200, 200]);
  const [banned] = (await world.admin.get('listSiteRejects', { query: { remote_addr: '20.4.0.1' } })).list;
  expect(banned).toMatchObject({
    decision: 'matcher_rule 1',
    rule: { section: 'matcher_rule', place: 0 },
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    created_by: null,
  });
  // While nobody can be told, it stands at the node: after a restart of its agent and its nginx, too.
  await world.stopControlPlane();
  expect(await trap('20.4.0.2')).toBe(403);
  await waitFor('the agent', async () =>
    (await readFile(join(world.edgeDir, 'bans-made.json'), 'utf8')).includes('20.4.0.2'),
  );
  process.kill(Number(await readFile(join(world.edgeDir, 'run', 'nginx.pid'), 'utf8')), 'SIGKILL');
  await waitFor('nginx, with the ban', async () => {
    const { status } = await atFirst(site.domain, '20.4.0.3').catch(() => ({ status: 0 }));
    return status === 200 && (await atFirst(site.domain, '20.4.0.2')).status === 403;
  });
  await world.startControlPlane();
  await waitFor('both nodes', are(site.domain, '20.4.0.2', 403));
  // The line of a request that met the ban names it.
  const blocked = await atFirst(site.domain, '20.4.0.1');
  const line = await waitFor('the log line', async () => {
    const query = { request_id: String(blocked.headers['x-request-id']) };
    return (await world.admin.get('listRefusedRequests', { query })).list[0];
  });
  expect(line).toMatchObject({ decision: `ban ${banned!.id}`, status: 403 });
});

it('made by a global rule holds at all sites of both nodes, is to be dropped by the kernel, and spares whom no ban is for', async () => {
  const rule = {
    action: 'ban' as const,
    ban: { seconds: 600, scope: 'platform' as const, place: 'kernel' as const },
    condition: { items: [{ field: 'path' as const, operator: 'equals' as const, values: ['/flood'] }] },
  };
  const { version } = await world.admin.get('getNodeWafMatcherSetting', {});
  await world.admin.get('createNodeWafMatcher', { body: { version, rule } });
  const flood = async (address: string) =>
    (await world.fetchEdge(site.domain, '/flood', { headers: { 'x-real-ip': address } })).status;
  await waitFor('the rule', async () => (await flood('10.0.0.8')) === 403);
  expect(await both(foreign.domain, '10.0.0.8')).toEqual([200, 200]);
  expect(await flood('20.5.0.1')).toBe(403);
  await within2s('all sites of both nodes', are(foreign.domain, '20.5.0.1', 403));
  const { list } = await world.admin.get('listSiteRejects', { query: { remote_addr: '20.5.0.1' } });
  expect(list).toMatchObject([{ scope: 'platform', site_id: null, client_id: null, kernel: true }]);
  expect(list[0]!.decision).toBe('matcher_rule global 1');
  expect((await world.admin.get('listSiteRejects', { query: { remote_addr: '10.0.0.8' } })).total).toBe(0);
  // The document that the agent makes its table of nftables from says so.
  const [row] = await world.server.services.db
    .select({ body: edgeDocument.body })
    .from(edgeDocument)
    .where(and(eq(edgeDocument.kind, 'ban'), like(edgeDocument.body, '%"20.5.0.1"%')));
  expect(row!.body).toMatch(/"20\.5\.0\.1"[^}]*"kernel":true/);
  await release([list[0]!.id]);
  await within2s('the release', are(foreign.domain, '20.5.0.1', 200));
});

async function versionOf(): Promise<number> {
  return (await world.admin.get('getSite', { params: { id: site.id } })).version;
}

it('ends by itself', async () => {
  await ban({ remote_addrs: ['20.3.0.1'], seconds: 10 });
  await within2s('the ban', are(site.domain, '20.3.0.1', 403));
  await waitFor('its end', are(site.domain, '20.3.0.1', 200), 15);
});
