import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startAgent, type Agent } from '@breakwater/agent/agent';
import { freePorts, makeNode, saveSetting, startWorld, waitFor, type World } from '@breakwater/test-world';
import { linkedNamespaces, type NetworkNamespace } from '@breakwater/test-world/network-namespace';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

/** Real packets over a wire, counted by the kernel, told by an agent, and found to be a flood. */

const run = promisify(execFile);
const address = '10.92.0.1';

let world: World;
let agent: Agent;
let id: number;
let near: NetworkNamespace;
let far: NetworkNamespace;
beforeAll(async () => {
  ({ near, far } = await linkedNamespaces([`${address}/24`], ['10.92.0.9/24']));
  world = await startWorld({ templateUrl: inject('templateUrl') });
  await saveSetting(world, 'FloodSetting', { syn: 20 });
  const made = await makeNode(world, { ip: address });
  id = made.id;
  const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
  agent = await startAgent({
    controlPlaneUrl: world.userUrl,
    appId: made.app_id,
    appSecret: made.app_secret,
    edgeDir: join(world.dataDir, 'edge-flood'),
    stateIntervalSeconds: 0.2,
    logger: pino({ level: 'silent' }),
    packets: { addresses: () => [address], command: [...near.command, 'nft'] },
    edge: {
      httpPorts: [httpPort],
      httpsPorts: [httpsPort],
      listenAddress: '127.0.0.1',
      workerProcesses: 1,
      cacheSizeMax: '64m',
      documentsSizeMax: '64m',
      nodeName: 'flooded',
    },
  });
});
afterAll(async () => {
  await agent.stop();
  await world.close();
  await near.close();
  await far.close();
});

const program = fileURLToPath(new URL('../../../../agent/src/test-flood.ts', import.meta.url));
const counts = async () => (await world.admin.get('getNode', { params: { id } })).state?.packet_counts;
const tables = () => near.nft('list', 'tables');

it('a flood of packets is found at its address, as the operator wants it counted', async () => {
  await waitFor('the counting', async () => (await counts()) === 'on');
  const [command, ...leading] = far.command;
  await run(command!, [...leading, process.execPath, program, address, '400', '80']);
  const floods = async () => (await world.admin.get('listFloods', { query: { node_id: id } })).list;
  await waitFor('the flood', async () => (await floods()).length > 0);
  expect(await floods()).toMatchObject([{ address, kind: 'syn', state: 'open' }]);
  await saveSetting(world, 'FloodSetting', { enabled: false });
  await waitFor('the end', async () => (await counts()) === 'off');
  expect(await tables()).toBe('');
  await waitFor('no flood', async () => (await floods())[0]!.state === 'over');
  await saveSetting(world, 'FloodSetting', { enabled: true });
  await waitFor('the counting', async () => (await counts()) === 'on');
  expect(await tables()).toContain('breakwater_traffic');
  await agent.stop();
  expect(await tables()).toBe('');
});
