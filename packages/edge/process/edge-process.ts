import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildEdge } from '../build/build.ts';
import { ensureDefaultCertificate } from './default-certificate.ts';
import {
  findNginx,
  openFilesMax,
  runNginx,
  workerAccount,
  type NginxProgram,
  type WorkerAccount,
} from './nginx-program.ts';
import { compressionLevels, fetchSocket } from '../nginx/compression.ts';
import { configurationOf, untilAnswers } from './nginx-state.ts';
import { untilRetired, workersOf } from './nginx-workers.ts';
import { renderNginxConf, type NginxConfOptions } from '../nginx/conf.ts';
import type { SiteDirectives } from '../nginx/directives.ts';
import { nameOfConfiguration } from '../nginx/front.ts';

/** Ports beside the node's own, at which only the sites answer that ask for them. */
export interface ExtraPorts {
  http: readonly number[];
  https: readonly number[];
}

export interface EdgeOptions {
  edgeDir: string;
  httpPorts: number[];
  httpsPorts: number[];
  /** Asked once no nginx of before holds any. */
  extraPorts?: () => Promise<ExtraPorts>;
  /** What sites tell nginx themselves. Where nginx would not start with it, it starts without. */
  siteDirectives?: () => Promise<readonly SiteDirectives[]>;
  /** Ports that take the PROXY protocol, and nothing else. */
  proxyHttpPorts?: number[];
  proxyHttpsPorts?: number[];
  /** Absent: all addresses. */
  listenAddress?: string;
  workerProcesses?: number | 'auto';
  /** Of one worker; what the system allows when absent. */
  openFilesMax?: number;
  /** nginx's spelling; 10g when absent. */
  cacheSizeMax?: string;
  documentsSizeMax?: string;
  nodeName: string;
  /** Certificate authorities by which origins are verified (`openssl rehash`); Debian's when absent. */
  caFolder?: string;
  /** Origins may have addresses of this machine, of its network or of private use; otherwise they are not asked. */
  privateOrigins?: boolean;
  /** A bundle built before; absent: built now when the sources have changed. */
  luaBundle?: string;
}

/** nginx goes on with the configuration it had. */
export class ConfigurationRefused extends Error {}

export interface EdgeProcess {
  pid: number;
  /** Whether this nginx has HTTP/3. */
  http3: boolean;
  controlSocket: string;
  accessLogPath: string;
  documentsDir: string;
  /** Settles when nginx has ended, by `stop` or by itself. */
  ended: Promise<{ code: number | null }>;
  /** New workers with the configuration on disk; the old ones finish their requests. */
  reload(): void;
  /**
   * Listens at these ports beside the node's own, and no longer at others. Settles once new workers serve there; fails,
   * with all as it was, when nginx does not take them.
   */
  listen(ports: ExtraPorts): Promise<void>;
  /** What sites tell nginx themselves, as it has been since the start or the last `direct`. */
  readonly siteDirectives: readonly SiteDirectives[];
  /** Takes these directives of sites and no others, as `listen` takes ports. */
  direct(sites: readonly SiteDirectives[]): Promise<void>;
  /** What nginx would have against these directives; nothing changes. */
  complaintAbout(sites: readonly SiteDirectives[]): Promise<string | undefined>;
  /** After the access log was renamed: nginx writes to a new one. */
  reopenLogs(): void;
  /** Lets requests under way finish for `graceSeconds` (5), then ends nginx. */
  stop(graceSeconds?: number): Promise<void>;
}

/** nginx tries for some seconds to open a port before it gives up. */
const reloadSeconds = 20;

/** Lays out `edgeDir`, starts nginx there in the foreground, and settles once it takes documents. */
export async function startEdge(options: EdgeOptions): Promise<EdgeProcess> {
  const edgeDir = resolve(options.edgeDir);
  const nginx = findNginx();
  const account = workerAccount();
  await layOut(edgeDir, account?.gid);
  await stopLeftOver(edgeDir);
  await ensureDefaultCertificate(join(edgeDir, 'conf'));
  let conf = await firstConf(options, await confOf(options, edgeDir, nginx, account), nginx.program);
  await swapConf(nginx.program, edgeDir, renderNginxConf(conf));
  const child = spawn(nginx.program, ['-p', edgeDir, '-e', 'logs/error.log', '-c', 'conf/nginx.conf'], {
    // By it the workers are known as ours should they outlive their master.
    cwd: edgeDir,
    stdio: ['ignore', 'ignore', 'pipe'],
    // The log's times are UTC.
    env: { ...process.env, TZ: 'UTC' },
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)));
  const ended = new Promise<{ code: number | null }>((settle) => {
    child.once('exit', (code) => settle({ code }));
    child.once('error', () => settle({ code: null }));
  });
  const controlSocket = join(edgeDir, 'run/control.sock');
  const isUp = await Promise.race([untilAnswers(controlSocket), ended.then(() => false)]);
  if (!isUp) {
    child.kill('SIGKILL');
    throw new Error(
      `nginx did not start: ${complaints.trim() || (await lastLines(join(edgeDir, 'logs/error.log')))}`,
    );
  }
  // nginx makes its sockets open to all; this one is the agent's alone.
  await chmod(controlSocket, 0o600);
  const change = async (next: NginxConfOptions) => {
    conf = await changeConf(nginx.program, edgeDir, next, child);
  };
  return {
    pid: child.pid!,
    http3: nginx.http3,
    controlSocket,
    accessLogPath: join(edgeDir, 'logs/access.log'),
    documentsDir: join(edgeDir, 'documents'),
    ended,
    reload: () => void child.kill('SIGHUP'),
    listen: (extraPorts) => change(withPorts(conf, extraPorts)),
    get siteDirectives() {
      return conf.siteDirectives ?? [];
    },
    direct: (siteDirectives) => change({ ...conf, siteDirectives }),
    complaintAbout: (siteDirectives) => complaintOf(nginx.program, edgeDir, { ...conf, siteDirectives }),
    reopenLogs: () => void child.kill('SIGUSR1'),
    stop: (graceSeconds = 5) => stopChild(child, ended, edgeDir, graceSeconds),
  };
}

/** The addresses of this machine; the zone of a link-local one says nothing to others. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address.replace(/%.*/, '')),
  );
}

/** The node's settings made into a configuration; the bundle is compiled when its sources have changed. */
async function confOf(
  options: EdgeOptions,
  edgeDir: string,
  nginx: NginxProgram,
  account: WorkerAccount | undefined,
): Promise<NginxConfOptions> {
  return {
    edgeDir,
    luaBundle: options.luaBundle ?? (await buildEdge()),
    httpPorts: options.httpPorts,
    httpsPorts: options.httpsPorts,
    http3: nginx.http3,
    proxyHttpPorts: options.proxyHttpPorts ?? [],
    proxyHttpsPorts: options.proxyHttpsPorts ?? [],
    ...(options.listenAddress === undefined ? {} : { listenAddress: options.listenAddress }),
    ipv6: hasIpv6(),
    workerProcesses: options.workerProcesses ?? 'auto',
    ...(account === undefined ? {} : { user: account.name }),
    openFilesMax: options.openFilesMax ?? (await openFilesMax()),
    cacheSizeMax: options.cacheSizeMax ?? '10g',
    ...(options.documentsSizeMax === undefined ? {} : { documentsSizeMax: options.documentsSizeMax }),
    nodeName: options.nodeName,
    modulesDir: nginx.modulesDir,
    hasBrotli: nginx.hasBrotli,
    privateOrigins: options.privateOrigins === true,
    ownAddresses: ownAddresses(),
    ...(options.caFolder === undefined ? {} : { caFolder: options.caFolder }),
    luaPackagePath: '/usr/share/lua/5.1/?.lua;/usr/local/share/lua/5.1/?.lua;;',
  };
}

/** Whether nginx listens on IPv6 where it is told no address. */
export const hasIpv6 = (): boolean => existsSync('/proc/net/if_inet6');

/** Reloads with another configuration, and puts the old one back when nginx goes on with that. */
async function changeConf(
  program: string,
  edgeDir: string,
  conf: NginxConfOptions,
  child: ChildProcess,
): Promise<NginxConfOptions> {
  const path = join(edgeDir, 'conf/nginx.conf');
  const former = await readFile(path, 'utf8');
  const log = join(edgeDir, 'logs/error.log');
  const { size } = await stat(log);
  await swapConf(program, edgeDir, renderNginxConf(conf)).catch((error: unknown) => {
    throw new ConfigurationRefused(error instanceof Error ? error.message : String(error));
  });
  const before = await workersOf(child.pid!);
  child.kill('SIGHUP');
  const socket = join(edgeDir, 'run/control.sock');
  let complaint: string | undefined;
  for (let waited = 0; waited < reloadSeconds * 20; waited++) {
    if ((await configurationOf(socket)) === nameOfConfiguration(conf)) {
      await untilRetired(before);
      return conf;
    }
    complaint = await complaintAfter(log, size);
    if (complaint?.includes('still could not bind') === true) break;
    await delay(50);
  }
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error('nginx ended while it was given another configuration');
  await writeFile(path, former);
  throw new ConfigurationRefused(
    `nginx does not take its configuration: ${complaint ?? 'no new worker answers'}`,
  );
}

/** What nginx has last written of a reload that it gave up, past a place in its log. */
async function complaintAfter(log: string, start: number): Promise<string | undefined> {
  const file = await open(log);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(Math.max(0, size - start)), 0, size - start, start);
    return buffer
      .toString()
      .split('\n')
      .findLast((line) => line.includes('[emerg]'));
  } finally {
    await file.close();
  }
}

/** With what sites had last, but for directives with which nginx would not start. */
async function firstConf(
  options: EdgeOptions,
  settings: NginxConfOptions,
  program: string,
): Promise<NginxConfOptions> {
  const conf = withPorts(settings, await options.extraPorts?.());
  const siteDirectives = (await options.siteDirectives?.()) ?? [];
  if (siteDirectives.length === 0) return conf;
  const directed = { ...conf, siteDirectives };
  return (await complaintOf(program, settings.edgeDir, directed)) === undefined ? directed : conf;
}

const withPorts = (conf: NginxConfOptions, ports: ExtraPorts | undefined): NginxConfOptions => ({
  ...conf,
  extraHttpPorts: [...(ports?.http ?? [])],
  extraHttpsPorts: [...(ports?.https ?? [])],
});

/** What nginx says of a configuration that is not to be used. */
async function complaintOf(
  program: string,
  edgeDir: string,
  conf: NginxConfOptions,
): Promise<string | undefined> {
  const name = `conf/nginx.conf.try-${randomBytes(4).toString('hex')}`;
  await writeFile(join(edgeDir, name), renderNginxConf(conf));
  try {
    const test = await runNginx(program, ['-p', edgeDir, '-e', 'stderr', '-c', name, '-t']);
    if (test.code === 0) return undefined;
    const line = test.output.split('\n').find((each) => each.includes('[emerg]')) ?? test.output;
    return line.replace(/^.*\[emerg\] (?:\d+#\d+: )?/, '').replace(/ in \/\S+:\d+$/, '');
  } finally {
    await rm(join(edgeDir, name), { force: true });
  }
}

/** Tests a configuration aside and puts it in place when nginx takes it; a bad one leaves the old where it was. */
async function swapConf(program: string, edgeDir: string, conf: string): Promise<void> {
  const aside = join(edgeDir, 'conf/nginx.conf.new');
  await writeFile(aside, conf);
  const test = await runNginx(program, ['-p', edgeDir, '-e', 'stderr', '-c', 'conf/nginx.conf.new', '-t']);
  if (test.code !== 0) throw new Error(`nginx refuses its configuration: ${test.output.trim()}`);
  await rename(aside, join(edgeDir, 'conf/nginx.conf'));
}

async function layOut(edgeDir: string, workerGroup: number | undefined): Promise<void> {
  for (const folder of ['', 'conf', 'documents/site', 'documents/certificate', 'run', 'logs', 'cache', 'tmp'])
    await mkdir(join(edgeDir, folder), { recursive: true });
  // Private keys lie here; the master reads them before it gives up its rights.
  await chmod(join(edgeDir, 'documents'), 0o700);
  await chmod(join(edgeDir, 'conf'), 0o700);
  await chmod(join(edgeDir, 'run'), 0o750);
  if (workerGroup !== undefined) await chown(join(edgeDir, 'run'), 0, workerGroup);
}

/** An nginx that outlived whoever started it holds the ports; it is ours when its command line names our folder. */
async function stopLeftOver(edgeDir: string): Promise<void> {
  const pid = Number((await readFile(join(edgeDir, 'run/nginx.pid'), 'utf8').catch(() => '')).trim());
  if (Number.isInteger(pid) && pid > 1 && (await isOurs(pid, edgeDir))) {
    sendSignal(pid, 'SIGTERM');
    for (let waited = 0; waited < 50 && (await isOurs(pid, edgeDir)); waited++) await delay(100);
    if (await isOurs(pid, edgeDir)) sendSignal(pid, 'SIGKILL');
  }
  await stopOrphans(edgeDir);
  // A killed nginx leaves its sockets behind, and would not start over them.
  for (const name of ['control.sock', ...compressionLevels.map(fetchSocket)])
    await rm(join(edgeDir, 'run', name), { force: true });
}

/** Workers whose master was killed go on answering on its ports. They are ours when they work in our folder. */
async function stopOrphans(edgeDir: string): Promise<void> {
  const folder = await realpath(edgeDir);
  for (let tries = 0; tries < 50; tries++) {
    let found = 0;
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name) || (await readlink(`/proc/${name}/cwd`).catch(() => '')) !== folder) continue;
      const commandLine = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      if (!/^nginx: (?:worker|cache)/.test(commandLine)) continue;
      found += 1;
      sendSignal(Number(name), tries < 20 ? 'SIGTERM' : 'SIGKILL');
    }
    if (found === 0) return;
    await delay(100);
  }
}

/** To a process that may have ended meanwhile. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isOurs(pid: number, edgeDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.startsWith('nginx: master') && commandLine.split(/[\s\0]/).includes(edgeDir);
}

/** nginx lets its workers go within a second of SIGTERM; one that does not is killed, and its workers then end by our hand. */
const termSeconds = 5;

async function stopChild(
  child: ChildProcess,
  ended: Promise<unknown>,
  edgeDir: string,
  graceSeconds: number,
): Promise<void> {
  child.kill('SIGQUIT');
  if (await endsWithin(ended, graceSeconds)) return;
  child.kill('SIGTERM');
  if (await endsWithin(ended, termSeconds)) return;
  child.kill('SIGKILL');
  await ended;
  await stopOrphans(edgeDir);
}

async function endsWithin(ended: Promise<unknown>, seconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(seconds * 1000, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return inTime;
}

async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-5).join('\n');
}
