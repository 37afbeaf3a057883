/**
 * The time from the answered save to the first response of the edge that shows it, with 10, with 10,000 and with 100,000
 * sites: whole worlds (server, PostgreSQL, agent, nginx) side by side, a change in each in turn. Then what sites cost a
 * node: its start with nothing on disk, its start from disk, and the memory of each site, shared and in a worker.
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
import { createSite } from '../apps/server/src/modules/site/site.service.ts';
import { adminPermissions } from '../packages/contract/src/permissions.ts';
import { startOrigin, startWorld, waitFor, type World } from '../packages/test-world/src/index.ts';
import { printResult } from './lib/result.ts';

const changes = 50;
const sizes = [10, 10_000, 100_000] as const;
const [fewSites, thousands, manySites] = sizes;
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
  const worlds = [];
  for (const size of sizes) {
    const opened = await openWorld(size, origin.port);
    worlds.push({
      ...opened,
      size,
      coldStart: await measureStart(opened.world, size, 'with nothing on disk'),
    });
  }
  const times = new Map(sizes.map((size) => [size as number, [] as number[]]));
  for (let turn = 0; turn < changes; turn++)
    for (let place = 0; place < worlds.length; place++) {
      // Each goes first as often as the others.
      const one = worlds[(place + turn) % worlds.length]!;
      times.get(one.size)!.push(await one.measureChange(turn));
    }
  const p50 = (size: number) => quantile(times.get(size)!, 0.5);
  const p99 = (size: number) => quantile(times.get(size)!, 0.99);
  for (const size of sizes)
    console.log(`${size} sites: p50 ${p50(size).toFixed(1)} ms, p99 ${p99(size).toFixed(1)} ms`);

  const costs: Record<string, number> = {};
  for (const { size, coldStart, world, requestEverySite } of worlds.slice(1)) {
    await requestEverySite();
    const memory = await memoryOf(world);
    await world.stopAgent();
    costs[`cold_start_s_${size}`] = coldStart;
    costs[`start_from_disk_s_${size}`] = await measureStart(world, size, 'from disk');
    costs[`shared_bytes_per_site_${size}`] = Math.round(memory.shared / size);
    costs[`worker_own_bytes_per_site_${size}`] = Math.round(memory.own / size);
    costs[`worker_rss_mb_${size}`] = memory.all / 1024 ** 2;
  }
  printResult(
    'propagation',
    {
      p50_10000_to_10: p50(thousands) / p50(fewSites),
      p50_100000_to_10: p50(manySites) / p50(fewSites),
    },
    {
      ...Object.fromEntries(
        sizes.flatMap((size) => [
          [`p50_ms_${size}`, p50(size)],
          [`p99_ms_${size}`, p99(size)],
        ]),
      ),
      ...costs,
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
    session: { kind: 'admin', id: 1, name: 'admin', permissions: new Set(adminPermissions) },
    scope: { clients: 'all' },
  } as const;
  const started = performance.now();
  const domains = [changedSite, `www.${changedSite}`];
  const { id } = await createSite(world.server.services, author, {
    domains,
    origin: '127.0.0.1',
    origin_port: originPort,
    origin_protocol: 'http',
    other_origins: [],
  });
  await multiply(world, id, sites);
  console.log(`${sites} sites made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const connections = new Agent({ keepAlive: true, maxSockets: 20 });
  closers.push(async () => connections.destroy());
  const ask = (host: string) => fetchBody(connections, world.edgeHttpPort, host);

  return {
    world,
    async measureChange(turn: number): Promise<number> {
      const query = { site_id: id };
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

/** More sites like the first, with their domains and documents, in a few statements: made one by one they would take an hour. */
async function multiply(world: World, first: number, sites: number): Promise<void> {
  const { db } = world.server.services;
  await db.transaction(async (tx) => {
    // The platform's own statements are short, and end where they are not.
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    await tx.execute(sql`
      CREATE TEMPORARY TABLE made ON COMMIT DROP AS
      SELECT n, 'site' || n || '.example.com' AS domain, nextval('site_id_seq')::int AS id FROM generate_series(2, ${sites}::int) n`);
    await tx.execute(sql`
      INSERT INTO site (id, client_id, order_id, line_group_id, config, status) OVERRIDING SYSTEM VALUE
      SELECT m.id, s.client_id, s.order_id, s.line_group_id, replace(s.config::text, ${changedSite}, m.domain)::jsonb, s.status
      FROM site s, made m WHERE s.id = ${first}`);
    await tx.execute(sql`
      INSERT INTO site_domain (domain, site_id, position)
      SELECT p || domain, id, place - 1 FROM made, unnest(ARRAY['', 'www.']) WITH ORDINALITY AS d(p, place)`);
    await tx.execute(sql`
      INSERT INTO edge_document (kind, key, line_group_id, revision, hash, body)
      SELECT 'site', m.id::text, d.line_group_id, d.revision + m.n, encode(sha256(convert_to(b.body, 'UTF8')), 'hex'), b.body
      FROM edge_document d, made m, LATERAL (SELECT replace(replace(d.body, ${changedSite}, m.domain),
        '"site_id":' || ${first}::int || ',', '"site_id":' || m.id || ',') AS body) b
      WHERE d.kind = 'site' AND d.key = ${String(first)}`);
    await tx.execute(sql`UPDATE delivery_counter SET revision = revision + ${sites}::int + 1`);
  });
}

/** Seconds from the start of the agent until every document is in service, acknowledged, and the agent knows it. */
async function measureStart(world: World, sites: number, how: string): Promise<number> {
  const { db } = world.server.services;
  const started = performance.now();
  await world.startAgent();
  await waitFor(
    'all documents acknowledged',
    async () => {
      const { rows } = await db.execute(
        sql`SELECT count(*)::int AS count FROM edge_document d JOIN node_watermark w USING (line_group_id)
            WHERE d.kind = 'site' AND d.revision <= w.live_revision`,
      );
      return rows[0]?.['count'] === sites;
    },
    900,
  );
  // Written last: from here on the agent asks for what is new only.
  await waitFor('the position of the agent', () =>
    access(join(world.edgeDir, 'cursor.json')).then(() => true),
  );
  await waitFor(
    'the last site',
    async () => (await world.fetchEdge(`site${sites}.example.com`, '/')).status === 200,
  );
  const seconds = (performance.now() - started) / 1000;
  console.log(`${sites} sites in service ${how} after ${seconds.toFixed(2)} s`);
  return seconds;
}

/** Bytes: what the documents take of the memory that all workers share, and the largest worker, in all and its own. */
async function memoryOf(world: World): Promise<{ shared: number; all: number; own: number }> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(world.agent!.edge.pid)]);
  const memory = { shared: await sharedBytes(world), all: 0, own: 0 };
  for (const pid of stdout.trim().split('\n')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
    memory.all = Math.max(memory.all, bytes('VmRSS'));
    memory.own = Math.max(memory.own, bytes('RssAnon'));
  }
  return memory;
}

/** As nginx counts it: whole pages, of which the last few are partly free. */
function sharedBytes(world: World): Promise<number> {
  const socketPath = join(world.edgeDir, 'run/control.sock');
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: '/state', agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => {
        const { memory } = JSON.parse(body) as { memory: { capacity: number; free: number } };
        resolve(memory.capacity - memory.free);
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
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
