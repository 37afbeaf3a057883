import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { copyFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from '@breakwater/test-world/ports';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startEdge, type EdgeOptions, type EdgeProcess } from '../process/edge-process.ts';
import { findNginx } from '../process/nginx-program.ts';
import { workersOf } from '../process/nginx-workers.ts';
import { buildEdge } from '../build/build.ts';
import { startOrigin, TestEdge } from './support.ts';
import { Traffic } from './traffic.ts';

/** What an agent finds that was ended and started again, be it another version. */

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
  vi.unstubAllEnvs();
});

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startTestEdge(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  const edge = await TestEdge.start(options);
  ends.push(() => edge.close());
  return edge;
}

async function startTraffic(edge: TestEdge): Promise<Traffic> {
  const traffic = await Traffic.start(edge);
  ends.push(() => traffic.end());
  return traffic;
}

/** The agent ends, and another starts in the same folder. */
async function again(edge: TestEdge, changes: Partial<EdgeOptions> = {}): Promise<EdgeProcess> {
  edge.edge.leave();
  const next = await startEdge({
    edgeDir: edge.dir,
    httpPorts: [edge.httpPort],
    httpsPorts: [edge.httpsPort],
    listenAddress: '127.0.0.1',
    workerProcesses: 1,
    nodeName: 'test',
    documentsSizeMax: '64m',
    privateOrigins: true,
    ...changes,
  });
  ends.push(async () => next.leave());
  return next;
}

/** The same code, and yet another. */
async function otherBundle(): Promise<string> {
  const path = join(await temporary(), 'edge.lua');
  await writeFile(path, `${await readFile(await buildEdge(), 'utf8')}\n-- another\n`);
  return path;
}

/** A way to a port on which a client's first words pass, and all that follow wait until it opens. */
async function gateTo(port: number): Promise<{ port: number; isGreeted: () => boolean; open: () => void }> {
  const held: [Socket, Buffer][] = [];
  let isOpen = false;
  let isGreeted = false;
  const server = createServer((client) => {
    const edge = connect(port, '127.0.0.1');
    let isFirst = true;
    client.on('data', (bytes: Buffer) => {
      if (isFirst || isOpen) edge.write(bytes);
      else held.push([edge, bytes]);
      isFirst = false;
    });
    edge.on('data', (bytes: Buffer) => {
      isGreeted = true;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, edge],
      [edge, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  ends.push(() => new Promise((settle) => server.close(() => settle())));
  return {
    port: (server.address() as AddressInfo).port,
    isGreeted: () => isGreeted,
    open: () => {
      isOpen = true;
      for (const [edge, bytes] of held.splice(0)) edge.write(bytes);
    },
  };
}

/** nginx in a folder of its own, as a package manager would have it replaced. */
async function ownNginx(): Promise<() => Promise<void>> {
  const { program } = findNginx();
  const path = join(await temporary(), 'nginx');
  await copyFile(program, path);
  vi.stubEnv('PATH', `${path.slice(0, -'/nginx'.length)}${delimiter}${process.env.PATH ?? ''}`);
  return async () => {
    await rm(path);
    await copyFile(program, path);
  };
}

describe('an agent that is started again', { timeout: 60_000 }, () => {
  it('leaves nginx as it is where nothing has changed', async () => {
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(20);
    const workers = await workersOf(edge.edge.pid);
    const next = await again(edge);
    expect(next.pid).toBe(edge.edge.pid);
    expect(await workersOf(next.pid)).toEqual(workers);
    await traffic.flows(20);
    await traffic.finish();
    expect(traffic.complaints).toEqual([]);
  });

  it('gives it what has changed of the settings, and no request is dropped', async () => {
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(20);
    const workers = await workersOf(edge.edge.pid);
    const next = await again(edge, { nodeName: 'another' });
    expect(next.pid).toBe(edge.edge.pid);
    await traffic.flows(20);
    await traffic.finish();
    expect(traffic.complaints).toEqual([]);
    await expect.poll(() => workersOf(next.pid)).not.toContain(workers[0]);
  });

  it('brings newer code of the edge into service, and no request is dropped', async () => {
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(20);
    const next = await again(edge, { luaBundle: await otherBundle() });
    expect(next.pid).not.toBe(edge.edge.pid);
    await traffic.flows(20);
    await traffic.finish();
    expect(traffic.complaints).toEqual([]);
  });

  it('does so though a worker was forked just then, which bears the title of a master until it has its own', async () => {
    const edge = await startTestEdge();
    const { pid } = edge.edge;
    const title = 'nginx: master process /usr/sbin/nginx';
    const forked = spawn('sleep', ['0.5'], { argv0: title, cwd: edge.dir });
    await once(forked, 'spawn');
    const next = await again(edge, { luaBundle: await otherBundle() });
    expect(next.pid).not.toBe(pid);
  });

  it('brings a newer nginx into service, and no request is dropped', async () => {
    const replace = await ownNginx();
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(20);
    expect((await again(edge)).pid).toBe(edge.edge.pid);
    await replace();
    const next = await again(edge);
    expect(next.pid).not.toBe(edge.edge.pid);
    await traffic.flows(20);
    await traffic.finish();
    expect(traffic.complaints).toEqual([]);
  });

  it('leaves no connection to the former nginx whose handshake was under way', async () => {
    const edge = await startTestEdge({
      visitorSeconds: { header: 20, content: 30, sending: 60, connection: 2 },
    });
    const gate = await gateTo(edge.httpsPort);
    const session = connectHttp2(`https://127.0.0.1:${gate.port}`, { rejectUnauthorized: false });
    ends.push(async () => session.destroy());
    session.on('error', () => undefined);
    await expect.poll(gate.isGreeted).toBe(true);
    await again(edge, { luaBundle: await otherBundle() });
    gate.open();
    const statuses: unknown[] = [];
    await expect
      .poll(
        () => {
          if (!session.closed)
            session
              .request()
              .on('response', (fields) => statuses.push(fields[':status']))
              .on('error', () => undefined)
              .end();
          return session.closed;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(true);
    expect(new Set(statuses)).toEqual(new Set([421]));
  });

  it('keeps the ports open that sites have', async () => {
    const edge = await startTestEdge();
    const [port] = await freePorts(1);
    await edge.edge.listen({ http: [port!], https: [] });
    const workers = await workersOf(edge.edge.pid);
    let found: unknown;
    const next = await again(edge, { extraPorts: async (held) => ((found = held), held) });
    expect(found).toEqual({ http: [port], https: [] });
    for (const pid of await workersOf(next.pid)) expect(workers).toContain(pid);
    expect((await edge.get('x.test', '/', { port: port! })).status).toBe(421);
  });

  it('has all of nginx write to a new log, after an upgrade too', async () => {
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(5);
    const next = await again(edge, { luaBundle: await otherBundle() });
    await rename(next.accessLogPath, `${next.accessLogPath}.1`);
    await next.reopenLogs();
    await traffic.finish();
    // The download began before the upgrade, and ends with the first of the two.
    const lines = await edge.logLines(1, ({ request_uri }) => request_uri === '/long');
    expect(lines).toHaveLength(1);
  });

  it('leaves it as it was where it does not take the new settings', async () => {
    const edge = await startTestEdge();
    await expect(again(edge, { cacheSizeMax: 'plenty' })).rejects.toThrow(/max_size/);
    expect((await edge.get('x.test')).status).toBe(421);
    expect((await again(edge)).pid).toBe(edge.edge.pid);
  });

  it('ends all of nginx when it is told to, those too that finish requests from before an upgrade', async () => {
    const edge = await startTestEdge();
    const traffic = await startTraffic(edge);
    await traffic.flows(5);
    const next = await again(edge, { luaBundle: await otherBundle() });
    // A worker that has just been forked still has its master's title.
    await expect.poll(() => mastersIn(edge.dir)).toBe(2);
    await next.stop(0);
    expect(await mastersIn(edge.dir)).toBe(0);
    await expect(edge.get('x.test')).rejects.toThrow('ECONNREFUSED');
  });
});

async function mastersIn(folder: string): Promise<number> {
  let count = 0;
  for (const pid of await readdir('/proc')) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (title.startsWith('nginx: master') && title.includes(folder)) count += 1;
  }
  return count;
}

describe('several changes at once', () => {
  const directives = [{ siteId: 7, text: '"add_header" "X-Own" "yes";', places: ['plain'] }];

  it('are one reload', async () => {
    const edge = await startTestEdge();
    const { pid } = edge.edge;
    const [port, other] = await freePorts(2);
    const seen = new Set(await onlyWorkersOf(pid));
    const changes = Promise.all([
      edge.edge.listen({ http: [port!], https: [] }),
      edge.edge.direct(directives),
      edge.edge.listen({ http: [port!, other!], https: [] }),
    ]);
    const over = new AbortController();
    void changes.finally(() => over.abort());
    while (!over.signal.aborted) for (const worker of await onlyWorkersOf(pid)) seen.add(worker);
    expect(seen.size).toBe(2);
    expect(edge.edge.siteDirectives).toEqual(directives);
    for (const each of [port, other])
      expect((await edge.get('x.test', '/', { port: each! })).status).toBe(421);
  });

  it('are taken one by one where nginx does not take them together', async () => {
    const edge = await startTestEdge();
    const holder = await startOrigin((_, answer) => answer.end());
    ends.push(() => holder.close());
    const [listening, directing] = await Promise.allSettled([
      edge.edge.listen({ http: [holder.port], https: [] }),
      edge.edge.direct(directives),
    ]);
    expect([listening.status, directing.status]).toEqual(['rejected', 'fulfilled']);
    expect(edge.edge.siteDirectives).toEqual(directives);
  });
});

async function onlyWorkersOf(pid: number): Promise<number[]> {
  const titles = await Promise.all(
    (await workersOf(pid)).map(async (worker) => ({
      worker,
      title: await readFile(`/proc/${worker}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
  return titles.filter(({ title }) => title.startsWith('nginx: worker')).map(({ worker }) => worker);
}
