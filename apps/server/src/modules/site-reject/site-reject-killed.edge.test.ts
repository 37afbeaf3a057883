import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLocalNode } from '@breakwater/server/seed';
import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { networkNamespace, type NetworkNamespace } from '@breakwater/test-world/network-namespace';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';

/** Bans and an agent that is killed. Its nft works in a network namespace of its own. */

let world: World;
let space: NetworkNamespace;
let site: { id: number; domain: string };
let agent: ChildProcess;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  space = await networkNamespace();
  await writeNft();
  const origin = await world.startOrigin((_, response) => response.end('the site'));
  site = await makeSite(world.admin, { port: origin.port });
  await world.admin.get('updateRealIp', {
    query: { site_id: site.id },
    body: { version: 1, value: { mode: 'header', headers: ['x-real-ip'], trusted: ['127.0.0.1'] } },
  });
  await world.admin.get('updateMatcherRule', {
    params: { id: site.id },
    body: { version: 2, value: { rules: [banRule('/trap', 600), banRule('/short', 10)] } },
  } as never);
  agent = await spawnAgent();
  await waitFor('the site', async () => (await statusOf('20.0.0.1').catch(() => 0)) === 200);
});
afterAll(async () => {
  await end('SIGINT');
  await space.close();
  await world.close();
});

const banRule = (path: string, seconds: number) => ({
  action: 'ban',
  ban: { seconds },
  condition: { items: [{ field: 'path', operator: 'equals', values: [path] }] },
});

/** The agent finds this one first. */
async function writeNft(...before: string[]): Promise<void> {
  await mkdir(join(world.dataDir, 'bin'), { recursive: true });
  const command = [...space.command, ...before, '/usr/sbin/nft', '"$@"'].join(' ');
  await writeFile(join(world.dataDir, 'bin', 'nft'), `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 });
}

async function spawnAgent(): Promise<ChildProcess> {
  const { database, secrets } = world.server.services;
  const { appId, appSecret } = (await readLocalNode(database, secrets))!;
  const program = fileURLToPath(import.meta.resolve('@breakwater/agent/main'));
  const env = {
    PATH: `${join(world.dataDir, 'bin')}:${process.env['PATH'] ?? ''}`,
    CONTROL_PLANE_URL: world.userUrl,
    NODE_APP_ID: appId,
    NODE_APP_SECRET: appSecret,
    EDGE_DIR: world.edgeDir,
    EDGE_HTTP_PORTS: String(world.edgeHttpPort),
    EDGE_HTTPS_PORTS: String(world.edgeHttpsPort),
    EDGE_LISTEN_ADDRESS: '127.0.0.1',
    EDGE_PRIVATE_ORIGINS: 'true',
    LOG_LEVEL: 'silent',
  };
  return spawn(process.execPath, [program], { env, stdio: 'ignore' });
}
async function end(signal: NodeJS.Signals): Promise<void> {
  if (agent.exitCode === null && agent.signalCode === null && agent.kill(signal)) await once(agent, 'exit');
}

const statusOf = async (address: string, path = '/'): Promise<number> =>
  (await world.fetchEdge(site.domain, path, { headers: { 'x-real-ip': address } })).status;

async function listed(address: string) {
  return (await world.admin.get('listSiteRejects', { query: { remote_addr: address } })).list;
}
async function banInKernel(...addresses: string[]): Promise<number[]> {
  const body = { scope: 'platform', remote_addrs: addresses, seconds: 600, kernel: true };
  return (await world.admin.get('createSiteRejects', { body: body as never })).ids;
}
/** What the set in the kernel holds. */
async function inKernel(): Promise<string[]> {
  const text = await space.nft('-j', 'list', 'set', 'inet', 'breakwater_bans', 'banned4').catch(() => '{}');
  const { nftables = [] } = JSON.parse(text) as { nftables?: { set?: { elem?: Element[] } }[] };
  const elements = nftables.find(({ set }) => set)?.set?.elem ?? [];
  return elements
    .map(({ elem: { val } }) => (typeof val === 'string' ? val : `${val.prefix.addr}/${val.prefix.len}`))
    .toSorted();
}
interface Element {
  elem: { val: string | { prefix: { addr: string; len: number } } };
}
const holds =
  (...expected: string[]) =>
  async () =>
    String(await inKernel()) === String(expected);
const kernelState = async () => (await world.admin.get('getNode', { params: { id: 1 } })).state?.bans?.kernel;

it('what rules banned while the agent was dead reaches the control plane once, as old as it is', async () => {
  await waitFor('the rule', async () => (await statusOf('20.1.0.1', '/trap')) === 403);
  await waitFor('the first', async () => (await listed('20.1.0.1')).length === 1);
  await end('SIGKILL');
  for (const address of ['20.1.0.2', '20.1.0.3', '20.1.0.2'])
    expect(await statusOf(address, '/trap')).toBe(403);
  expect(await statusOf('20.1.0.4', '/short')).toBe(403);
  expect(await statusOf('20.1.0.2')).toBe(403);
  await waitFor('the end of the short one', async () => (await statusOf('20.1.0.4')) === 200, 15);
  const before = Date.now();
  agent = await spawnAgent();
  await waitFor('the others', async () => (await listed('20.1.0.3')).length === 1);
  const [ban] = await listed('20.1.0.2');
  // It ends at the control plane when it does at the node.
  expect(Date.parse(ban!.expires_at)).toBeLessThan(before + 600_000 - 9000);
  // Killed again, with the next question of another: what was told is not told anew.
  await end('SIGKILL');
  agent = await spawnAgent();
  expect(await statusOf('20.1.0.5', '/trap')).toBe(403);
  await waitFor('the last', async () => (await listed('20.1.0.5')).length === 1);
  for (const address of ['20.1.0.1', '20.1.0.2', '20.1.0.3']) expect(await listed(address)).toHaveLength(1);
  expect(await listed('20.1.0.4')).toEqual([]);
});

it('what the kernel drops is what stands, after the agent was killed too', async () => {
  const [released] = await banInKernel('20.2.0.1', '20.2.1.0/24');
  await waitFor('the bans', holds('20.2.0.1', '20.2.1.0/24'));
  await waitFor('its state', async () => (await kernelState()) === 'on');
  await end('SIGKILL');
  expect(await inKernel()).toHaveLength(2);
  await world.admin.get('releaseSiteRejects', { body: { ids: [released!] } });
  await banInKernel('20.2.0.2');
  await space.nft('add', 'element', 'inet', 'breakwater_bans', 'banned4', '{ 20.2.0.9 }');
  agent = await spawnAgent();
  await waitFor('what stands', holds('20.2.0.2', '20.2.1.0/24'));
  await end('SIGKILL');
  await space.nft('flush', 'ruleset');
  agent = await spawnAgent();
  await waitFor('what stands, anew', holds('20.2.0.2', '20.2.1.0/24'));
  await world.admin.get('releaseAllSiteRejects', { body: { expected_total: 100 } });
  await waitFor('nothing', async () => (await space.nft('list', 'ruleset')) === '');
});

it('an agent without the right says so, and nginx refuses', async () => {
  await writeNft('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--');
  onTestFinished(() => writeNft());
  await banInKernel('20.3.0.1');
  await waitFor('its state', async () => (await kernelState()) === 'no_right');
  expect(await statusOf('20.3.0.1')).toBe(403);
  expect(await space.nft('list', 'ruleset')).toBe('');
});
