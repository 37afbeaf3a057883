/**
 * A node tried as an operator would: all of `/usr/share/doc` behind it over HTTPS, a hundred visitors who read, ask for parts, validate, upload,
 * follow events, hold WebSockets and call by gRPC, while origins fail, hang and come back, the agent is restarted, killed and upgraded, sites are
 * saved and everything is invalidated. Every answer is compared with the file, and every request looked for in the log store.
 * `npm run bench:trial`; docs/operations.md says what comes out.
 */
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { migrateDatabase, openDatabase } from '../apps/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts';
import { readLocalNode } from '../apps/server/src/seed.ts';
import { Authority } from '../packages/test-world/src/authority.ts';
import { freePorts, startWorld, waitFor, type World } from '../packages/test-world/src/index.ts';
import { printResult } from './lib/result.ts';
import type { Complaint, Report } from './lib/trial-diary.ts';
import { filesBelow } from './lib/trial-files.ts';
import { TrialNode } from './lib/trial-node.ts';
import { eventsOfStream, FileOrigin, startLiveOrigin } from './lib/trial-origins.ts';
import { callHost, fileHost, liveHost, TrialSites } from './lib/trial-sites.ts';
import type { Told, VisitorsData } from './lib/trial-visitors.ts';

const root = '/usr/share/doc';
/** For so long after an origin is back the node may still leave it out, or have a request under way that it failed. */
const backMilliseconds = 12_000;

interface Stretch {
  from: number;
  until: number;
}
/** No origin of the files could answer. */
const outages: Stretch[] = [];
/** One ended, or fell silent, amid what it was sending. */
const breaks: Stretch[] = [];

const closers: (() => unknown)[] = [];
try {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-trial-'));
  await chmod(folder, 0o755);
  closers.push(() => rm(folder, { recursive: true, force: true }));
  await run(folder);
} finally {
  for (const close of closers.toReversed()) await close();
}

interface Trial {
  world: World;
  node: TrialNode;
  sites: TrialSites;
  origins: [FileOrigin, FileOrigin];
  authority: Authority;
  /** Where another release lies. */
  release: string;
}

async function run(folder: string): Promise<void> {
  const world = await openWorld(folder);
  const authority = await Authority.make('Trial authority');
  closers.push(() => authority.close());
  const origins = (await Promise.all(['one', 'two'].map((name) => openFileOrigin(join(folder, name))))) as [
    FileOrigin,
    FileOrigin,
  ];
  const live = await startLiveOrigin();
  closers.push(() => live.close());
  const crowd: Worker[] = [];
  const tell = (told: Told) => {
    for (const visitors of crowd) visitors.postMessage(told, []);
  };
  const pair = await authority.issue([fileHost, liveHost, callHost]);
  const ports = origins.map(({ port }) => port);
  const sites = await TrialSites.open(world, pair, ports, live, tell);
  const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
  const node = await openNode(world, folder, httpPort, httpsPort);
  const release = join(folder, 'release');
  await node.layOut(release);
  const files = await filesBelow(root);
  await sites.save(1);
  const place = { httpPort, httpsPort, ca: authority.certificate };
  const workerData: VisitorsData = { place, files, fileHost, liveHost, callHost, eventsOfStream };
  console.log(`${files.length} files; the visitors come`);
  const visitors = new Worker(new URL('lib/trial-visitors.ts', import.meta.url), { workerData });
  crowd.push(visitors);
  const reported = once(visitors, 'message') as Promise<[Report]>;
  // Looked at below; until then its failure ends nothing.
  reported.catch(() => undefined);
  const saving = new AbortController();
  await Promise.all([
    disturb({ world, node, sites, origins, authority, release }).finally(() => saving.abort()),
    sites.keepSaving(saving.signal),
  ]);
  tell({ over: true });
  const [report] = await reported;
  await judge(world, node, sites, report);
}

async function openWorld(folder: string): Promise<World> {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), () => {});
  closers.push(() => postgres.stop());
  const database = openDatabase(postgres.url);
  await migrateDatabase(database);
  await database.close();
  const world = await startWorld({ templateUrl: postgres.url });
  closers.push(() => world.close());
  return world;
}

async function openFileOrigin(folder: string): Promise<FileOrigin> {
  await mkdir(folder);
  const origin = await FileOrigin.start(folder, root);
  closers.push(() => origin.close());
  return origin;
}

async function openNode(
  world: World,
  folder: string,
  httpPort: number,
  httpsPort: number,
): Promise<TrialNode> {
  const { database, secrets } = world.server.services;
  const credentials = (await readLocalNode(database, secrets))!;
  const edgeDir = join(folder, 'edge');
  const log = join(folder, 'agent.log');
  const node = new TrialNode({
    controlPlaneUrl: world.userUrl,
    credentials,
    edgeDir,
    httpPort,
    httpsPort,
    log,
  });
  await node.start();
  closers.push(() => node.end('SIGINT'));
  return node;
}

/** One after the other, with time between for what may come of it. */
async function disturb(trial: Trial): Promise<void> {
  const { world, node, sites, origins, authority, release } = trial;
  const [one, other] = origins;
  const restart = async (signal: NodeJS.Signals) => {
    await node.end(signal);
    await delay(1000);
    await node.start();
  };
  const steps: [string, () => Promise<unknown>][] = [
    ['everything is invalidated', () => sites.refresh('delete')],
    ['an origin is stopped', () => withoutOrigin(one, 'SIGQUIT')],
    ['the agent is restarted', () => restart('SIGTERM')],
    ['an origin hangs', () => hanging([other])],
    ['a port is opened', async () => sites.changePorts(await freePorts(1))],
    ['an origin is killed', () => broken(() => withoutOrigin(one, 'SIGKILL'))],
    ['the agent is killed', () => restart('SIGKILL')],
    ['an origin answers 503', () => busy([one])],
    ['all origins answer 503', () => outage(() => busy(origins))],
    ['the control plane is restarted', () => restartControlPlane(world)],
    [
      'all origins are away',
      () => outage(() => Promise.all(origins.map((each) => withoutOrigin(each, 'SIGQUIT')))),
    ],
    [
      'the certificate is replaced',
      async () => sites.replaceCertificate(await authority.issue([fileHost, liveHost, callHost])),
    ],
    ['the node is upgraded', () => (node.upgrade(release), restart('SIGTERM'))],
    ['everything is validated', () => sites.refresh('revalidate')],
    ['all origins hang', () => outage(() => hanging(origins))],
    ['the node has another name', () => (node.rename('renamed'), restart('SIGTERM'))],
    ['the port is closed', () => sites.changePorts([])],
    ['everything is invalidated', () => sites.refresh('delete')],
  ];
  for (const [what, happens] of steps) {
    await delay(3000);
    console.log(`${new Date().toISOString()} ${what}`);
    await happens();
  }
  await delay(5000);
}

async function withoutOrigin(origin: FileOrigin, signal: NodeJS.Signals): Promise<void> {
  await origin.stop(signal);
  await delay(6000);
  await origin.start();
}

/** Longer than the node waits for it. */
function hanging(origins: FileOrigin[]): Promise<void> {
  return broken(async () => {
    for (const origin of origins) origin.hang();
    await delay(8000);
    for (const origin of origins) origin.goOn();
  });
}

async function busy(origins: FileOrigin[]): Promise<void> {
  for (const isBusy of [true, false]) {
    for (const origin of origins) {
      await origin.stop('SIGQUIT');
      await origin.start(isBusy);
    }
    if (isBusy) await delay(5000);
  }
}

async function restartControlPlane(world: World): Promise<void> {
  await world.stopControlPlane();
  await delay(3000);
  await world.startControlPlane();
}

function outage(happens: () => Promise<unknown>): Promise<void> {
  return noted(outages, happens, backMilliseconds);
}

function broken(happens: () => Promise<unknown>): Promise<void> {
  return noted(breaks, happens, 1000);
}

async function noted(stretches: Stretch[], happens: () => Promise<unknown>, after: number): Promise<void> {
  const stretch = { from: Date.now(), until: Infinity };
  stretches.push(stretch);
  await happens();
  stretch.until = Date.now() + after;
}

function isWithin(stretches: Stretch[], { began, ended }: Complaint): boolean {
  return stretches.some(({ from, until }) => began <= until && ended >= from);
}

/**
 * What no edge could have done better: an error of a gateway while no origin answers, the end of an answer that its origin broke off, and
 * that of one in parts (`.gz`) whose next part no origin gives.
 */
function isExcused(complaint: Complaint): boolean {
  if (complaint.status !== undefined)
    return [502, 503, 504].includes(complaint.status) && isWithin(outages, complaint);
  const { what } = complaint;
  if (!what.includes('within an answer')) return false;
  return isWithin(breaks, complaint) || (/ to \S+\.gz\b/.test(what) && isWithin(outages, complaint));
}

async function judge(world: World, node: TrialNode, sites: TrialSites, report: Report): Promise<void> {
  const excused = report.complaints.filter(isExcused);
  const counted = report.complaints.filter((complaint) => !isExcused(complaint));
  const lines = await loggedLines(world, report);
  const alerts = await node.alerts();
  for (const { kind, what, began, ended } of counted.slice(0, 100))
    console.log(`${new Date(began).toISOString()} ${kind} after ${ended - began} ms: ${what}`);
  for (const line of [...lines.told, ...alerts].slice(0, 100)) console.log(line);
  console.log(report.counts);
  const of = (kind: Complaint['kind']) => counted.filter((complaint) => complaint.kind === kind).length;
  printResult(
    'trial',
    {},
    {
      requests: report.answered.length,
      wrong_answers: of('answer'),
      dropped: of('dropped'),
      lines_missing: lines.missing,
      lines_twice: lines.twice,
      alerts: alerts.length,
      saves: sites.saves,
      excused: excused.length,
      asked_again: report.counts['asked_again'] ?? 0,
    },
  );
}

/** How often each request stands in the log store, once no line comes any more. */
async function loggedLines(world: World, { answered, unanswered }: Report) {
  const { logStore } = world.server.services;
  const page = { current_page: 1, page_size: 10_000_000 };
  const counts = new Map<string, number>();
  let last = -1;
  await waitFor('the last log lines', async () => {
    const { list } = await logStore.search({ clients: 'all' }, {}, page);
    const isStill = list.length === last && list.length >= answered.length;
    last = list.length;
    counts.clear();
    for (const { request_uri } of list) {
      const number = /[?&]n=(t\d+)/.exec(request_uri)?.[1];
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    if (!isStill) await delay(1500);
    return isStill;
  }).catch(() => undefined);
  const missing = answered.filter((number) => !counts.has(number));
  const twice = [...answered, ...unanswered].filter((number) => (counts.get(number) ?? 0) > 1);
  const told = [
    ...missing.map((number) => `no line of ${number}`),
    ...twice.map((number) => `twice: ${number}`),
  ];
  return { missing: missing.length, twice: twice.length, told };
}
