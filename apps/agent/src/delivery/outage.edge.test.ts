import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLocalNode } from '@breakwater/server/seed';
import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { describe, expect, inject, it, onTestFinished } from 'vitest';

async function startTestWorld(edge: boolean) {
  const world = await startWorld({ templateUrl: inject('templateUrl'), edge });
  onTestFinished(() => world.close());
  const origin = await world.startOrigin((_request, response) => response.end('ok'));
  return { world, originPort: origin.port };
}

const isServed = async (world: World, domain: string) => (await world.fetchEdge(domain, '/')).status === 200;

/** Paths of a site's log lines in the store, in order. */
async function loggedPaths(world: World, domain: string): Promise<string[]> {
  const page = { current_page: 1, page_size: 200 };
  const { list } = await world.server.services.logStore.search({ clients: 'all' }, { host: domain }, page);
  return list
    .map(({ request_uri }) => request_uri)
    .filter((path) => path !== '/')
    .sort();
}
const logged = (world: World, domain: string, paths: string[]) =>
  waitFor(
    `log lines ${paths.join(' ')}`,
    async () => (await loggedPaths(world, domain)).length >= paths.length,
  );

describe('without the control plane', () => {
  it('sites are served, a killed nginx comes back from disk, and the log arrives afterwards, each line once', async () => {
    const { world, originPort } = await startTestWorld(true);
    const { domain } = await makeSite(world.admin, { port: originPort });
    await waitFor('the site on the edge', () => isServed(world, domain));
    const request = async (path: string) => expect((await world.fetchEdge(domain, path)).status).toBe(200);
    await request('/1');
    await logged(world, domain, ['/1']);

    await world.stopControlPlane();
    await request('/2');
    const { pid } = world.agent!.edge;
    process.kill(pid, 'SIGKILL');
    await waitFor('another nginx', () => world.agent!.edge.pid !== pid);
    await waitFor('the site from disk', () => isServed(world, domain));
    await request('/3');

    await world.startControlPlane();
    await request('/4');
    await logged(world, domain, ['/1', '/2', '/3', '/4']);
    expect(await loggedPaths(world, domain)).toEqual(['/1', '/2', '/3', '/4']);
    const next = await makeSite(world.admin, { port: originPort });
    await waitFor('a site made after the outage', () => isServed(world, next.domain));
  });
});

const nginxOf = (world: World) => readFile(join(world.edgeDir, 'run/nginx.pid'), 'utf8');

describe('the agent as a program', () => {
  async function spawnAgent(world: World): Promise<ChildProcess> {
    const { database, secrets } = world.server.services;
    const { appId, appSecret } = (await readLocalNode(database, secrets))!;
    const secretFile = join(world.dataDir, 'node-secret');
    await writeFile(secretFile, `${appSecret}\n`, { mode: 0o600 });
    return start({
      PATH: process.env.PATH ?? '',
      CONTROL_PLANE_URL: world.userUrl,
      NODE_APP_ID: appId,
      NODE_APP_SECRET_FILE: secretFile,
      EDGE_DIR: world.edgeDir,
      EDGE_HTTP_PORTS: String(world.edgeHttpPort),
      EDGE_HTTPS_PORTS: String(world.edgeHttpsPort),
      EDGE_LISTEN_ADDRESS: '127.0.0.1',
      EDGE_PRIVATE_ORIGINS: 'true',
      LOG_LEVEL: 'silent',
    });
  }
  function start(env: Record<string, string>): ChildProcess {
    const program = fileURLToPath(new URL('../main.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGINT'))
        await once(child, 'exit');
    });
    return child;
  }

  it('killed, leaves nginx serving; started again, it goes on with it, catches up and loses no line', async () => {
    const { world, originPort } = await startTestWorld(false);
    const { domain } = await makeSite(world.admin, { port: originPort });
    const removed = await makeSite(world.admin, { port: originPort });
    const first = await spawnAgent(world);
    await waitFor('the site on the edge', () => isServed(world, domain));
    await waitFor('the other site', () => isServed(world, removed.domain));
    const request = async (path: string) => expect((await world.fetchEdge(domain, path)).status).toBe(200);
    await request('/1');
    await logged(world, domain, ['/1']);

    const nginx = await nginxOf(world);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await request('/2');
    await world.admin.get('removeSite', { params: { id: removed.id } });
    await spawnAgent(world);
    await waitFor(
      'the end of the removed site',
      async () => (await world.fetchEdge(removed.domain, '/')).status === 421,
    );
    expect(await nginxOf(world)).toBe(nginx);
    await request('/3');
    await logged(world, domain, ['/1', '/2', '/3']);
    expect(await loggedPaths(world, domain)).toEqual(['/1', '/2', '/3']);
    expect(await readdir(join(world.edgeDir, 'documents', 'site'))).toHaveLength(1);
  });

  it('ends on SIGTERM and leaves nginx serving, and ends with it on SIGINT', async () => {
    const { world, originPort } = await startTestWorld(false);
    const { domain } = await makeSite(world.admin, { port: originPort });
    const end = async (agent: ChildProcess, signal: NodeJS.Signals) => {
      agent.kill(signal);
      expect(await once(agent, 'exit')).toEqual([0, null]);
    };
    const first = await spawnAgent(world);
    await waitFor('the site on the edge', () => isServed(world, domain));
    const nginx = await nginxOf(world);
    await end(first, 'SIGTERM');
    expect(await isServed(world, domain)).toBe(true);

    const later = await makeSite(world.admin, { port: originPort });
    const second = await spawnAgent(world);
    await waitFor('what came meanwhile', () => isServed(world, later.domain));
    expect(await nginxOf(world)).toBe(nginx);
    await end(second, 'SIGINT');
    await expect(world.fetchEdge(domain, '/')).rejects.toThrow('ECONNREFUSED');
  });

  it('says what is missing in its environment', async () => {
    const child = start({ PATH: process.env.PATH ?? '', NODE_APP_ID: 'short' });
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(said).toMatch(/CONTROL_PLANE_URL/);
    expect(said).toMatch(/NODE_APP_ID/);
  });
});
