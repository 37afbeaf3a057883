import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { cloneDatabase, freePorts, makeApiClient, unique, waitFor } from '@breakwater/test-world';
import { testedEngine } from '@breakwater/test-world/log-engine';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeLine, toBytes } from './test-lines.ts';

/** Three server processes on one PostgreSQL and one store of logs, as an operator runs them behind a load balancer. */

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const keys = { ENCRYPTION_KEYS: 'a'.repeat(43).concat('='), SESSION_KEYS: 'b'.repeat(43).concat('=') };

interface Running {
  child: ChildProcess;
  output: string;
  folder: string;
  adminUrl: string;
  userUrl: string;
}

async function start(databaseUrl: string, logStoreUrl: string): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-three-'));
  const [adminPort, userPort] = await freePorts(2);
  const env = {
    ...process.env,
    ...keys,
    BREAKWATER_DATA: folder,
    DATABASE_URL: databaseUrl,
    LOG_STORE_URL: logStoreUrl,
    BREAKWATER_HOST: '127.0.0.1',
    ADMIN_PORT: String(adminPort),
    USER_PORT: String(userPort),
    LOCAL_EDGE: 'false',
    PRIVATE_ORIGINS: 'true',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const running = { child, output: '', folder, adminUrl, userUrl: `http://127.0.0.1:${userPort}` };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (running.output += text.toString()));
  return running;
}

async function end({ child, folder }: Running, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  await rm(folder, { recursive: true, force: true });
}

describe.runIf(testedEngine)('three servers at once', () => {
  const stop = new AbortController();
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let servers: Running[];
  let token: string;
  let passwords: string[];
  /** The same session at each of them. */
  let apis: ReturnType<typeof makeApiClient>[];
  /** The same node, at each of them. */
  let nodes: ControlPlane[];
  let nodeId: number;
  beforeAll(async () => {
    // With nothing in it: they find out among themselves who makes the tables and the first administrator.
    const empty = new URL(inject('templateUrl'));
    empty.pathname = '/template0';
    database = await cloneDatabase(empty.href);
    const logStoreUrl = `${process.env.TEST_LOG_ENGINE_URL}/${unique('three')}`;
    servers = await Promise.all([1, 2, 3].map(() => start(database.url, logStoreUrl)));
    for (const server of servers)
      await waitFor('a server', () => {
        if (server.child.exitCode !== null) throw new Error(server.output);
        return server.output.includes('Breakwater is running');
      });
    const files = servers.map(({ folder }) =>
      readFile(join(folder, 'keys/first-password'), 'utf8').catch(() => ''),
    );
    passwords = (await Promise.all(files)).filter((text) => text !== '');
    const body = { username: 'admin', password: passwords[0]!.trim() };
    ({ token } = await makeApiClient(() => servers[0]!.adminUrl).get('signInAdmin', { body }));
    apis = servers.map(({ adminUrl }) => makeApiClient(() => adminUrl, token));
    const made = await apis[2]!.get('createNode', { body: { name: 'edge', area_id: 1, ip: '192.0.2.7' } });
    nodeId = made.id;
    await apis[1]!.get('bindNodeLineGroups', { params: { id: nodeId }, body: { line_group_ids: [1] } });
    const credentials = { appId: made.app_id, appSecret: made.app_secret };
    nodes = servers.map(({ userUrl }) => new ControlPlane({ ...credentials, url: userUrl }, stop.signal));
  });
  afterAll(async () => {
    stop.abort();
    for (const server of servers ?? []) await end(server, 'SIGTERM');
    await database?.drop();
  });

  const createSite = (at: number, domain: string) =>
    apis[at]!.get('createSite', { body: { domains: [domain], origin: '192.0.2.9' } });
  const deliveredTo = async (id: number) =>
    (await apis[1]!.get('getSiteDelivery', { params: { id } })).documents
      .flatMap((document) => document.nodes)
      .find((each) => each.node_id === nodeId)!.status;

  it('agree on who makes the tables and the first administrator', () => {
    expect(passwords).toHaveLength(1);
  });

  it('a site that is saved at one is told of by the second, pulled and acknowledged at the third', async () => {
    const events = nodes[1]!.events();
    await events.next();
    const { id } = await createSite(0, `${unique('www')}.example.com`);
    await events.next();
    const { documents } = await nodes[2]!.documents({ since: 0, generation: 1 });
    const document = documents.find(({ kind, key }) => kind === 'site' && key === String(id))!;
    expect(await deliveredTo(id)).toBe('pending');
    const { kind, key, revision } = document;
    await nodes[2]!.acknowledge([{ kind, key, revision, status: 'applied' }]);
    expect(await deliveredTo(id)).toBe('applied');
    await events.return(undefined);
  });

  it('lines of a node that come to all of them count once', async () => {
    const domain = `${unique('www')}.example.com`;
    const { id } = await createSite(1, domain);
    const fields = { site_id: id, client_id: 1, order_id: 1, host: domain };
    const time = new Date(Date.now() - 60_000).toISOString();
    const part = (number: number) =>
      toBytes(
        Array.from({ length: 50 }, (_, index) =>
          makeLine({ ...fields, time, request_id: (number * 50 + index).toString(16).padStart(32, '0') }),
        ),
      );
    let offset = 0;
    for (const number of [0, 1, 2]) {
      const batch = part(number);
      // The node asks the next one when one does not answer in time, which may have stored it.
      const ends = await Promise.all(
        nodes.map((node) => node.shipLogs('access.log', offset, gzipSync(batch))),
      );
      offset += batch.length;
      expect(ends).toEqual([offset, offset, offset]);
    }
    const range = { start_time: new Date(Date.now() - 600_000), end_time: new Date() };
    const query = {
      site_id: id,
      start_time: range.start_time.toISOString(),
      end_time: range.end_time.toISOString(),
    };
    for (const api of apis)
      expect((await api.get('monitorSummary', { params: { side: 'cdn' }, query })).requests).toBe(150);
  });

  it('a batch goes on at the others when the server that works on it is killed: each line is done once', async () => {
    const word = unique('batch');
    const lines = Array.from({ length: 120 }, (_, index) => `s${index}.${word}.example.com|192.0.2.9`);
    const { id } = await apis[0]!.get('createSiteBatch', { body: { lines } });
    const batch = (at: number) => apis[at]!.get('getSiteBatch', { params: { id } });
    await waitFor('a part of it', async () => (await batch(0)).done > 10);
    await end(servers[1]!, 'SIGKILL');
    const ended = await waitFor(
      'the batch',
      async () => {
        const read = await batch(2);
        return read.status === 'done' && read;
      },
      120,
    );
    expect(ended).toMatchObject({ total: 120, done: 120, failed: 0 });
    expect((await apis[0]!.get('listSites', { query: { domain_name: word } })).total).toBe(120);
  });

  it('a session that ends at one has ended at the others', async () => {
    await apis[0]!.get('signOut', {});
    expect((await apis[2]!.call('currentAccount', {})).status).toBe(401);
  });
});
