/**
 * Certificates: how many a minute one server obtains from pebble, its rejections off, by http-01 through a real node; and what it costs
 * to find those that are due, among a hundred thousand and among a thousand.
 *
 * Names of parts as arguments (`orders`, `due`) leave out the others.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import {
  selectDue,
  triesAtOnce,
} from '../apps/server/src/modules/certificate-order/certificate-order.service.ts';
import {
  freePorts,
  makeSite,
  startDnsServer,
  startPebble,
  waitFor,
} from '../packages/test-world/src/index.ts';
import { startNode } from './lib/bench-node.ts';
import { makeGroup } from './lib/node-group.ts';
import { median, printResult } from './lib/result.ts';
import { startServerProcess, type ServerProcess } from './lib/server-process.ts';

const sites = 120;
const dueRows = 300;
const turns = 3;
const rounds = 400;
/** Not counted: connections and plans are made. */
const firstRounds = 5;
const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const ratios: Record<string, number> = {};
const figures: Record<string, number> = {};
const server = await startServerProcess();
try {
  if (wants('orders')) Object.assign(figures, await measureOrders());
  if (wants('due')) Object.assign(ratios, await compareDue());
  printResult('acme', ratios, figures);
} finally {
  await server.close();
}

/** From one call for all sites until the last has its certificate. */
async function measureOrders(): Promise<Record<string, number>> {
  const { admin, database } = server;
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
  const dns = await startDnsServer('example.com', ['* IN A 127.0.0.1']);
  const pebble = await startPebble({ httpPort, dnsServer: dns.address, nonceReject: 0 });
  const group = await makeGroup(server, 1);
  const agent = await startNode(server, group.nodes[0]!, folder, [httpPort, httpsPort]);
  try {
    await database.db.execute(sql`DELETE FROM node_ip WHERE ip = '127.0.0.1'`);
    await database.db.execute(sql`UPDATE node_ip SET ip = '127.0.0.1' WHERE ip = '10.0.0.0'`);
    const { version, value } = await admin.get('getSiteSetting', {});
    const setting = { ...value, dns_servers: [dns.address], site_check: false };
    await admin.get('updateSiteSetting', { body: { version, value: setting } });
    await admin.get('createAcmeAccount', {
      body: {
        name: 'pebble',
        directory: 'other',
        directory_url: pebble.directoryUrl,
        directory_ca: pebble.ca,
        terms_agreed: true,
        limit_domain_certificates: 0,
        limit_orders: 0,
      },
    });
    const { order_id: orderId } = await admin.get('getSite', { params: { id: group.siteId } });
    const ids: number[] = [];
    for (let made = 0; made < sites; made++) ids.push((await makeSite(admin, { orderId })).id);
    const spent = await server.measure();
    const began = performance.now();
    await admin.get('applySiteCertificates', { body: { site_ids: ids } });
    const query = { state: 'valid' as const, page_size: 1 };
    await waitFor(
      'all certificates',
      async () => (await admin.get('listCertificateOrders', { query })).total === sites,
      600,
    );
    const milliseconds = performance.now() - began;
    const { cpuMilliseconds } = await server.measure();
    return {
      per_minute: (sites * 60_000) / milliseconds,
      server_cpu_ms_per_certificate: (cpuMilliseconds - spent.cpuMilliseconds) / sites,
    };
  } finally {
    await agent.stop();
    await Promise.all([pebble.close(), dns.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is due among a hundred thousand to what is among a thousand, the same number: by the database's processor, and by the clock. */
async function compareDue(): Promise<Record<string, number>> {
  const few = { cpu: 0, times: [] as number[] };
  const many = { cpu: 0, times: [] as number[] };
  // In turns, so that what else the machine does falls on both.
  for (let turn = 0; turn < turns; turn++) {
    await measureDue(1000, few);
    await measureDue(100_000, many);
  }
  const micros = ({ cpu }: typeof few) => ((cpu * 1000) / turns / rounds).toFixed(0);
  console.log(
    `to find what is due: ${micros(few)} µs among a thousand, ${micros(many)} µs among a hundred thousand`,
  );
  return {
    due_100000_to_1000: many.cpu / few.cpu,
    due_100000_to_1000_clock: median(many.times) / median(few.times),
  };
}

async function measureDue(orders: number, into: { cpu: number; times: number[] }): Promise<void> {
  const { db } = server.database;
  await fill(server, orders);
  const find = async () => {
    const due = await selectDue(db);
    if (due.length !== triesAtOnce) throw new Error(`${due.length} are due`);
  };
  for (let round = 0; round < firstRounds; round++) await find();
  const before = await server.databaseCpu();
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await find();
    into.times.push(performance.now() - began);
  }
  into.cpu += (await server.databaseCpu()) - before;
}

async function fill({ database: { db } }: ServerProcess, orders: number): Promise<void> {
  await db.execute(sql`TRUNCATE certificate_order CASCADE`);
  await db.execute(sql`
    INSERT INTO certificate_order (client_id, name, domains, challenge, reuse_key, state, next_at, renew_at)
    SELECT (SELECT min(id) FROM client), 'bench ' || n, ARRAY['bench' || n || '.example.com'], 'http-01', false, 'valid',
      at, at
    FROM (SELECT n, CASE WHEN n <= ${dueRows} THEN now() - interval '1 day' ELSE now() + random() * interval '60 days' + interval '1 day' END AS at
      FROM generate_series(1, ${orders}::int) n) s`);
  await db.execute(sql`VACUUM ANALYZE certificate_order`);
}
