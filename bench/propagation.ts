/**
 * The time from the answered save to the first response of the edge that shows it, with 10 and with 10,000 sites: two
 * whole worlds (server, PostgreSQL, agent, nginx) side by side, a change here, a change there, in turn. Then what
 * 10,000 sites cost a node: its start with nothing on disk, its start from disk, and the memory of a worker.
 */
import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { migrateDatabase, openDatabase } from '../apps/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts';
import { createSite } from '../apps/server/src/modules/site/site-write.ts';
import { startOrigin, startWorld, waitFor, type World } from '../packages/test-world/src/index.ts';
import { printResult } from './lib/result.ts';

const changes = 50;
const manySites = 10_000;
const fewSites = 10;
/** What a change is made to. */
const changedSite = 'site1.example.com';

const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres(folder, () => {});
const closers: (() => Promise<unknown>)[] = [
  () => rm(folder, { recursive: true, force: true }),
  () => postgres.stop(),
];
try {
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await database.close();
  // Says by which host name it was asked: the setting that the changes are made to.
  const origin = await startOrigin((incoming, response) => response.end(incoming.headers.host));
  closers.push(() => origin.close());
  const few = await openWorld(fewSites, origin.port);
  const many = await openWorld(manySites, origin.port);
  await few.world.startAgent();
  const coldStart = await measureStart(many.world, 'with nothing on disk');

  const times = { few: [] as number[], many: [] as number[] };
  for (let turn = 0; turn < changes; turn++) {
    // Each goes first half of the time.
    if (turn % 2 === 0) times.few.push(await few.measureChange(turn));
    times.many.push(await many.measureChange(turn));
    if (turn % 2 === 1) times.few.push(await few.measureChange(turn));
  }
  for (const [name, list] of Object.entries(times))
    console.log(
      `${name}: p50 ${quantile(list, 0.5).toFixed(1)} ms, p99 ${quantile(list, 0.99).toFixed(1)} ms`,
    );

  await many.requestEverySite();
  const memory = await workerMemory(many.world);
  await many.world.stopAgent();
  const warmStart = await measureStart(many.world, 'from disk');
  printResult(
    'propagation',
    { p50_10000_to_10: quantile(times.many, 0.5) / quantile(times.few, 0.5) },
    {
      p50_ms_10: quantile(times.few, 0.5),
      p99_ms_10: quantile(times.few, 0.99),
      p50_ms_10000: quantile(times.many, 0.5),
      p99_ms_10000: quantile(times.many, 0.99),
      cold_start_s_10000: coldStart,
      start_from_disk_s_10000: warmStart,
      worker_rss_mb: memory.all,
      worker_rss_own_mb: memory.own,
    },
  );
} finally {
  for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error));
}

/** A world without its agent, with so many sites of two domains each. */
async function openWorld(sites: number, originPort: number) {
  const world = await startWorld({ templateUrl: postgres.url });
  closers.push(() => world.close());
  const author = {
    session: { kind: 'admin', id: 1, name: 'admin', group: 'owner' },
    scope: { all: true },
  } as const;
  const started = performance.now();
  const ids: number[] = [];
  for (let number = 1; number <= sites; number++) {
    const domains = [`site${number}.example.com`, `www.site${number}.example.com`];
    const origin = { origin: '127.0.0.1', origin_port: originPort, origin_protocol: 'http' } as const;
    const input = { domains, ...origin, other_origins: [] };
    ids.push((await createSite(world.server.services, author, input)).id);
  }
  console.log(`${sites} sites made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const connections = new Agent({ keepAlive: true, maxSockets: 20 });
  closers.push(async () => connections.destroy());
  const ask = (host: string) => fetchBody(connections, world.edgeHttpPort, host);

  return {
    world,
    async measureChange(turn: number): Promise<number> {
      const query = { site_id: ids[0]! };
      const { version, value } = await world.admin.get('getOriginServerConfig', { query });
      const host = `change${turn}.example.com`;
      await world.admin.get('updateOriginServerConfig', {
        query,
        body: { version, value: { ...value, host } },
      });
      const saved = performance.now();
      while ((await ask(changedSite)) !== host) {
        if (performance.now() - saved > 30_000) throw new Error('the change does not arrive');
        await sleep(1);
      }
      return performance.now() - saved;
    },
    async requestEverySite(): Promise<void> {
      for (let first = 1; first <= sites; first += 20)
        await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`site${first + index}.example.com`)));
    },
  };
}

/** Seconds from the start of the agent until every document is in service, acknowledged, and the agent knows it. */
async function measureStart(world: World, how: string): Promise<number> {
  const { db } = world.server.services;
  const started = performance.now();
  await world.startAgent();
  await waitFor(
    'all documents acknowledged',
    async () => {
      const { rows } = await db.execute(
        sql`SELECT count(*)::int AS count FROM node_document WHERE status = 'applied'`,
      );
      return rows[0]?.['count'] === manySites;
    },
    300,
  );
  // Written last: from here on the agent asks for what is new only.
  await waitFor('the position of the agent', () =>
    access(join(world.edgeDir, 'cursor.json')).then(() => true),
  );
  await waitFor(
    'the last site',
    async () => (await world.fetchEdge(`site${manySites}.example.com`, '/')).status === 200,
  );
  const seconds = (performance.now() - started) / 1000;
  console.log(`${manySites} sites in service ${how} after ${seconds.toFixed(2)} s`);
  return seconds;
}

/** The largest of the workers, in MB: all its memory, documents shared by all workers included, and what is its own. */
async function workerMemory(world: World): Promise<{ all: number; own: number }> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(world.agent!.edge.pid)]);
  const sizes = { all: 0, own: 0 };
  for (const pid of stdout.trim().split('\n')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
    sizes.all = Math.max(sizes.all, megabytes('VmRSS'));
    sizes.own = Math.max(sizes.own, megabytes('RssAnon'));
  }
  return sizes;
}

function fetchBody(agent: Agent, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve(body)).on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}
