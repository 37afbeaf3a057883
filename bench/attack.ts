/**
 * A site under attack, as its operator would see it: an origin that can answer few requests, floods, a real browser that
 * visits meanwhile, and a neighbour on the same node. CC guard is in the mode `normal`, as anybody would switch it on;
 * nobody touches anything afterwards. Then scanners, against a weak page. `npm run bench:attack` (`floods` or `scanners` alone:
 * as arguments); docs/cc-guard.md and docs/detection.md say what comes out.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { migrateDatabase, openDatabase } from '../apps/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts';
import { makeSite, startWorld, waitFor, type World } from '../packages/test-world/src/index.ts';
import type { Measure, NeighbourData, NeighbourTold } from './lib/attack-neighbour.ts';
import { flood, type Flood } from './lib/flood.ts';
import { printResult } from './lib/result.ts';
import { scanWeakPage } from './lib/scanners.ts';

const floodSeconds = 30;
/** The origin answers so many at once, each in so long: 400 a second. */
const atOnce = 8;
const answerMs = 20;
/** A flood is stopped once the origin gets less than this share of it, and no more from then on. */
const leakedShare = 0.05;

const floods: Flood[] = [
  { name: 'few', addresses: 5, perSecond: 2000, path: '/search?q=' },
  { name: 'spread', addresses: 250, perSecond: 2000, path: '/search?q=' },
  { name: 'everywhere', addresses: 250, perSecond: 2000, path: '/page/' },
];

const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const closers: (() => Promise<unknown>)[] = [];
try {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), () => {});
  closers.push(() => postgres.stop());
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await database.close();
  const world = await startWorld({ templateUrl: postgres.url, edge: true });
  closers.push(() => world.close());
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = {};
  if (wants('floods')) await sufferFloods(world, folder, ratios, figures);
  if (wants('scanners')) await sufferScanners(world, folder, figures);
  printResult('attack', ratios, figures);
} finally {
  for (const close of closers.toReversed()) await close();
}

type Figures = Record<string, number>;

async function sufferFloods(world: World, folder: string, ratios: Figures, figures: Figures): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example.com 127.0.0.1'],
  });
  closers.push(() => browser.close());
  for (const one of floods) {
    const { neighbour, ...counted } = await suffer(one, world, browser, join(folder, 'flood.lua'));
    ratios[`${one.name}_neighbour_p99`] = neighbour;
    for (const [name, value] of Object.entries(counted)) figures[`${one.name}_${name}`] = value;
  }
}

async function sufferScanners(world: World, folder: string, figures: Figures): Promise<void> {
  const { siteId, open, guarded } = await scanWeakPage(world, folder);
  const unexplained = await unexplainedOf(world, siteId);
  for (const name of ['sqlmap', 'disguised', 'wapiti'] as const) {
    figures[`${name}_without`] = open[name];
    figures[name] = guarded[name];
    console.log(`${name}: ${open[name]} holes found without detection, ${guarded[name]} with it`);
  }
  figures['scanners_unexplained'] = unexplained;
}

interface Suffered {
  /** Its p99 during the attack, to the one before. */
  neighbour: number;
  /** Of its requests, how long they were with the node and not at their origin. */
  neighbour_in_node_p99_ms: number;
  stopped_s: number;
  failed_visits: number;
  slowest_visit_ms: number;
  /** Refusals whose reason the log does not have. */
  unexplained: number;
}

async function suffer(one: Flood, world: World, browser: Browser, script: string): Promise<Suffered> {
  const site = await startSite(world);
  const neighbour = await startNeighbour(world);
  const before = await neighbour.p99(10);
  const returning = await openVisitor(browser, '203.0.113.7');
  const first = await visit(world, returning, site.domain);
  if (!first.isShown) throw new Error('the site is not there before the attack');
  const target = { url: `http://127.0.0.1:${world.edgeHttpPort}`, host: site.domain, script };
  const [sent, visited, during] = await Promise.all([
    flood(one, target, floodSeconds),
    visitMeanwhile(world, browser, returning, site.domain),
    neighbour.p99(floodSeconds - 2),
  ]);
  await returning.close();
  const stopped = secondsToStop(site.leaked(one), sent / floodSeconds);
  const slowest = Math.max(...visited.map(({ ms }) => ms));
  const failed = visited.filter(({ isShown }) => !isShown).length;
  const unexplained = await unexplainedOf(world, site.id);
  const inNode = await p99InNode(world, neighbour.domain);
  console.log(
    `${one.name}: ${sent} requests of ${one.addresses} addresses, stopped after ${stopped} s; ${visited.length} visits of browsers, ` +
      `${failed} failed, the slowest took ${slowest.toFixed(0)} ms; neighbour's p99 ${during.toFixed(1)} ms, before ${before.toFixed(1)}, within the node ${inNode.toFixed(0)}; ` +
      `${unexplained} refusals without a reason in the log`,
  );
  return {
    neighbour: during / before,
    neighbour_in_node_p99_ms: inNode,
    stopped_s: stopped,
    failed_visits: failed,
    slowest_visit_ms: slowest,
    unexplained,
  };
}

interface AttackedSite {
  id: number;
  domain: string;
  /** Of the flood's requests that reached the origin, how many in each second since the first. */
  leaked(of: Flood): number[];
}

/** It answers little at once and lets the others wait, as software without a cache does. */
async function startWeakOrigin(world: World) {
  const arrived: { path: string; at: number }[] = [];
  const waiting: (() => void)[] = [];
  let answering = 0;
  const next = (): void => {
    const answer = answering < atOnce ? waiting.shift() : undefined;
    if (answer === undefined) return;
    answering += 1;
    setTimeout(() => {
      answer();
      answering -= 1;
      next();
    }, answerMs);
  };
  const origin = await world.startOrigin((incoming, response) => {
    arrived.push({ path: incoming.url!, at: performance.now() });
    waiting.push(() => response.setHeader('Content-Type', 'text/html').end('<h1>welcome</h1>'));
    next();
  });
  return { origin, arrived };
}

/** A site of such an origin, guarded, in service at the node. */
async function startSite(world: World): Promise<AttackedSite> {
  const { origin, arrived } = await startWeakOrigin(world);
  const { id, domain } = await makeSite(world.admin, { port: origin.port });
  const query = { site_id: id };
  const address = await world.admin.get('getRealIp', { query });
  await world.admin.get('updateRealIp', {
    query,
    body: { version: address.version, value: { mode: 'xff', trusted: ['127.0.0.1'] } },
  });
  const params = { id };
  const guard = await world.admin.get('getCcGuardianRule', { params });
  await world.admin.get('updateCcGuardianRule', {
    params,
    body: { version: guard.version, value: { mode: 'normal' } },
  });
  await waitFor('the site with its guard', async () => {
    const { body } = await world.fetchEdge(domain, '/', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    return body.includes('welcome');
  });
  await delay(2000);
  return {
    id,
    domain,
    leaked({ path }) {
      const times = arrived.filter((each) => each.path.startsWith(path)).map(({ at }) => at);
      const counts = Array<number>(floodSeconds).fill(0);
      for (const at of times) {
        const second = Math.floor((at - times[0]!) / 1000);
        if (second < floodSeconds) counts[second]! += 1;
      }
      return counts;
    },
  };
}

/** After how many seconds no second more had so many of the flood's requests at the origin. */
function secondsToStop(leaked: number[], perSecond: number): number {
  return leaked.findLastIndex((count) => count > perSecond * leakedShare) + 1;
}

async function startNeighbour(world: World) {
  const workerData: NeighbourData = { edgePort: world.edgeHttpPort };
  const worker = new Worker(new URL('lib/attack-neighbour.ts', import.meta.url), { workerData });
  closers.push(() => worker.terminate());
  const told = async (): Promise<NeighbourTold> => {
    const [said] = (await once(worker, 'message')) as [NeighbourTold];
    if ('error' in said) throw new Error(said.error);
    return said;
  };
  const { port } = (await told()) as { port: number };
  const { domain } = await makeSite(world.admin, { port });
  await waitFor('the neighbour', async () => (await world.fetchEdge(domain, '/')).status === 200);
  return {
    domain,
    /** Milliseconds. */
    async p99(seconds: number): Promise<number> {
      worker.postMessage({ host: domain, seconds } satisfies Measure, []);
      return ((await told()) as { p99: number }).p99;
    },
  };
}

function openVisitor(browser: Browser, address: string): Promise<BrowserContext> {
  return browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': address } });
}

interface Visit {
  isShown: boolean;
  ms: number;
}

/** A page of the site, through whatever challenge there is. */
async function visit(world: World, visitor: BrowserContext, domain: string): Promise<Visit> {
  const page = await visitor.newPage();
  const began = performance.now();
  try {
    await page.goto(`http://${domain}:${world.edgeHttpPort}/`, { timeout: 15_000 });
    await page.getByText('welcome').waitFor({ timeout: 15_000 });
    return { isShown: true, ms: performance.now() - began };
  } catch {
    return { isShown: false, ms: performance.now() - began };
  } finally {
    await page.close();
  }
}

/** Each three seconds somebody who was there before, and somebody new. */
async function visitMeanwhile(
  world: World,
  browser: Browser,
  returning: BrowserContext,
  domain: string,
): Promise<Visit[]> {
  const visits: Visit[] = [];
  const end = Date.now() + (floodSeconds - 3) * 1000;
  for (let number = 1; Date.now() < end; number++) {
    visits.push(await visit(world, returning, domain));
    const somebody = await openVisitor(browser, `203.0.113.${50 + number}`);
    visits.push(await visit(world, somebody, domain));
    await somebody.close();
    await delay(3000);
  }
  return visits;
}

/** Refusals of the site that are logged without what decided on them. */
async function unexplainedOf(world: World, id: number): Promise<number> {
  const { list } = await waitFor('the log of the attack', async () => {
    const query = { site_id: id, refused: 'yes' as const, page_size: 200 };
    const found = await world.admin.get('listAccessLogs', { query });
    return found.total > 0 ? found : undefined;
  });
  return list.filter(({ decision }) => decision === '').length;
}

/**
 * By nginx's own clock, in milliseconds: of what the asker sees of a flood most is the machine's, which makes the flood, takes its lines into the
 * log and runs the browsers on the same processors.
 */
async function p99InNode(world: World, domain: string): Promise<number> {
  const page = { current_page: 1, page_size: 10_000 };
  const { list } = await world.server.services.logStore.search({ clients: 'all' }, { host: domain }, page);
  const times = list.map(({ request_time, origin_time }) => (request_time - origin_time) * 1000);
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}
