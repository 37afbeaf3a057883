import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildEdge } from '../build/build.ts';
import type { NginxConfOptions, VisitorSeconds } from '../nginx/conf.ts';
import type { SiteDirectives } from '../nginx/directives.ts';
import { extraPortsOfConfiguration } from '../nginx/front.ts';
import { cacheDisksOf, cacheKeysBytes, type WantedDisk } from './cache-disks.ts';
import { complaintOf, Configuration, putFirstConf } from './configuration.ts';
import { ensureDefaultCertificate } from './default-certificate.ts';
import {
  masterOf,
  reopenLogs,
  stopLeftOver,
  stopMaster,
  watchMaster,
  type NginxMaster,
} from './nginx-master.ts';
import {
  findNginx,
  openFilesMax,
  runNginx,
  workerAccount,
  type NginxProgram,
  type WorkerAccount,
} from './nginx-program.ts';
import { configurationOf } from './nginx-state.ts';
import { findRunning, takeOver } from './take-over.ts';
import { removeShieldFiles, writeShieldFiles, type ShieldIdentity } from './shield-files.ts';
import { removeTicketKeys, writeTicketKeys } from './ticket-key-files.ts';

export { ConfigurationRefused } from './configuration.ts';

/** Ports beside the node's own, at which only the sites answer that ask for them. */
export interface ExtraPorts {
  http: readonly number[];
  https: readonly number[];
}

export interface EdgeOptions {
  edgeDir: string;
  httpPorts: number[];
  httpsPorts: number[];
  /** Asked as it starts; `held`: those that the nginx holds which is gone on with. */
  extraPorts?: (held: ExtraPorts) => Promise<ExtraPorts>;
  /** What sites tell nginx themselves. Where nginx would not start with it, it starts without. */
  siteDirectives?: () => Promise<readonly SiteDirectives[]>;
  /** What TLS tickets are sealed with (base64 of 80 bytes), the one that encrypts first; none: nginx has its own until a reload. */
  ticketKeys?: () => Promise<readonly string[]>;
  /** What it has to do with shields; nothing by default. */
  shield?: () => Promise<ShieldIdentity | undefined>;
  /** Ports that take the PROXY protocol, and nothing else. */
  proxyHttpPorts?: number[];
  proxyHttpsPorts?: number[];
  /** Absent: all addresses. */
  listenAddress?: string;
  workerProcesses?: number | 'auto';
  /** Of one worker; what the system allows when absent. */
  openFilesMax?: number;
  /** nginx's spelling; half of the disk when absent. */
  cacheSizeMax?: string;
  /** In their place, each with a share of what is kept; the edge's own folder when absent. */
  cacheDisks?: readonly WantedDisk[];
  documentsSizeMax?: string;
  /** Memory for the counters of CC guard. */
  guardSizeMax?: string;
  nodeName: string;
  /** Certificate authorities by which origins are verified (`openssl rehash`); Debian's when absent. */
  caFolder?: string;
  /** How long visitors may take; what suits all of them when absent. */
  visitorSeconds?: VisitorSeconds;
  /** Origins may have addresses of this machine, of its network or of private use; otherwise they are not asked. */
  privateOrigins?: boolean;
  /** A bundle built before; absent: built now when the sources have changed. */
  luaBundle?: string;
}

export interface EdgeProcess {
  pid: number;
  /** Whether this nginx has HTTP/3. */
  http3: boolean;
  controlSocket: string;
  accessLogPath: string;
  documentsDir: string;
  /** Settles when nginx has ended, by `stop` or by itself, and after `leave`. */
  ended: Promise<void>;
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
  /** Seals TLS tickets with the first of these from now on, and opens those of all of them. */
  useTicketKeys(keys: readonly string[]): Promise<void>;
  /** Asks shields, and is asked as one, as this. */
  useShield(identity: ShieldIdentity | undefined): Promise<void>;
  /** What nginx would have against these directives; nothing changes. */
  complaintAbout(sites: readonly SiteDirectives[]): Promise<string | undefined>;
  /** After a log was renamed: nginx writes to a new one, also what still finishes requests from before an upgrade. */
  reopenLogs(): Promise<void>;
  /** Lets requests under way finish for `graceSeconds` (5), then ends nginx. */
  stop(graceSeconds?: number): Promise<void>;
  /** Has nothing to do with nginx any more, which serves on: the next `startEdge` in the same folder goes on with it. */
  leave(): void;
}

const startSeconds = 60;
const noPorts: ExtraPorts = { http: [], https: [] };

/** Lays out `edgeDir`, starts nginx there or goes on with the one that runs, and settles once it takes documents. */
export async function startEdge(options: EdgeOptions): Promise<EdgeProcess> {
  const edgeDir = resolve(options.edgeDir);
  const nginx = findNginx();
  const account = workerAccount();
  await layOut(edgeDir, account?.gid);
  await ensureDefaultCertificate(join(edgeDir, 'conf'));
  const found = await findRunning(edgeDir);
  try {
    if (found === undefined) await stopLeftOver(edgeDir);
    const held = found === undefined ? noPorts : extraPortsOfConfiguration(found.configuration);
    const conf = await firstConf(
      options,
      await confOf(options, edgeDir, nginx, account),
      nginx.program,
      held,
    );
    const master =
      found === undefined ? await start(nginx.program, conf) : await takeOver(found, nginx.program, conf);
    return processOf(master, nginx, conf);
  } catch (error) {
    found?.master.forget();
    throw error;
  }
}

function processOf(master: NginxMaster, nginx: NginxProgram, conf: NginxConfOptions): EdgeProcess {
  const { edgeDir } = conf;
  const configuration = new Configuration(nginx.program, master, conf);
  return {
    pid: master.pid,
    http3: nginx.http3,
    controlSocket: join(edgeDir, 'run/control.sock'),
    accessLogPath: join(edgeDir, 'logs/access.log'),
    documentsDir: join(edgeDir, 'documents'),
    ended: master.ended,
    reload: () => master.signal('SIGHUP'),
    listen: (ports) => configuration.change(withPorts(ports)),
    get siteDirectives() {
      return configuration.options.siteDirectives ?? [];
    },
    direct: (siteDirectives) => configuration.change({ siteDirectives }),
    useTicketKeys: async (keys) => {
      const ticketKeys = await writeTicketKeys(edgeDir, keys);
      await configuration.change({ ticketKeys });
      await removeTicketKeys(edgeDir, ticketKeys);
    },
    useShield: async (identity) => {
      const shield = await writeShieldFiles(edgeDir, identity);
      await configuration.change({ shield });
      await removeShieldFiles(edgeDir, shield);
    },
    complaintAbout: (siteDirectives) => configuration.complaintAbout({ siteDirectives }),
    reopenLogs: () => reopenLogs(master, edgeDir),
    stop: (graceSeconds = 5) => stopMaster(master, edgeDir, graceSeconds),
    leave: () => master.forget(),
  };
}

/** nginx goes into the background by itself: it is to outlive whoever starts it. */
async function start(program: string, conf: NginxConfOptions): Promise<NginxMaster> {
  const { edgeDir } = conf;
  await putFirstConf(conf);
  const { code, output } = await runNginx(
    program,
    ['-p', edgeDir, '-e', 'logs/error.log', '-c', 'conf/nginx.conf'],
    // By its folder it is known as ours. The log's times are UTC.
    { cwd: edgeDir, env: { ...process.env, TZ: 'UTC' } },
  );
  const master = code === 0 ? await untilUp(edgeDir) : undefined;
  if (master === undefined) {
    await stopLeftOver(edgeDir);
    throw new Error(
      `nginx did not start: ${output.trim() || (await lastLines(join(edgeDir, 'logs/error.log')))}`,
    );
  }
  // nginx makes its sockets open to all; this one is the agent's alone.
  await chmod(join(edgeDir, 'run/control.sock'), 0o600);
  return master;
}

/** None where it does not answer within the time a start may take, or has ended. */
async function untilUp(edgeDir: string): Promise<NginxMaster | undefined> {
  for (let waited = 0; waited < startSeconds * 20; waited++) {
    const pid = await masterOf(edgeDir);
    if (pid !== undefined && (await configurationOf(join(edgeDir, 'run/control.sock'))) !== undefined)
      return watchMaster(pid);
    // It writes down its number a moment after it has gone into the background.
    if (pid === undefined && waited > 40) return undefined;
    await delay(50);
  }
  return undefined;
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
  const luaBundle = options.luaBundle ?? (await buildEdge());
  return {
    edgeDir,
    ticketKeys: await writeTicketKeys(edgeDir, (await options.ticketKeys?.()) ?? []),
    shield: await writeShieldFiles(edgeDir, await options.shield?.()),
    luaBundle,
    bundleHash: createHash('sha256')
      .update(await readFile(luaBundle))
      .digest('hex'),
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
    cacheDisks: await cacheDisksOf(cacheFolders(options, edgeDir)),
    cacheKeysBytes: cacheKeysBytes(),
    ...(options.documentsSizeMax === undefined ? {} : { documentsSizeMax: options.documentsSizeMax }),
    ...(options.guardSizeMax === undefined ? {} : { guardSizeMax: options.guardSizeMax }),
    nodeName: options.nodeName,
    modulesDir: nginx.modulesDir,
    hasBrotli: nginx.hasBrotli,
    privateOrigins: options.privateOrigins === true,
    ...(options.visitorSeconds === undefined ? {} : { visitorSeconds: options.visitorSeconds }),
    ownAddresses: ownAddresses(),
    ...(options.caFolder === undefined ? {} : { caFolder: options.caFolder }),
    luaPackagePath: '/usr/share/lua/5.1/?.lua;/usr/local/share/lua/5.1/?.lua;;',
  };
}

export function cacheFolders(
  { cacheDisks, cacheSizeMax }: Pick<EdgeOptions, 'cacheDisks' | 'cacheSizeMax'>,
  edgeDir: string,
): readonly WantedDisk[] {
  if (cacheDisks !== undefined && cacheDisks.length > 0) return cacheDisks;
  const folder = join(edgeDir, 'cache');
  return [cacheSizeMax === undefined ? { folder } : { folder, sizeMax: cacheSizeMax }];
}

/** Whether nginx listens on IPv6 where it is told no address. */
export const hasIpv6 = (): boolean => existsSync('/proc/net/if_inet6');

/** With what sites had last, but for directives with which nginx would not start. */
async function firstConf(
  options: EdgeOptions,
  settings: NginxConfOptions,
  program: string,
  held: ExtraPorts,
): Promise<NginxConfOptions> {
  const conf = { ...settings, ...withPorts((await options.extraPorts?.(held)) ?? noPorts) };
  const siteDirectives = (await options.siteDirectives?.()) ?? [];
  if (siteDirectives.length === 0) return conf;
  const directed = { ...conf, siteDirectives };
  return (await complaintOf(program, directed)) === undefined ? directed : conf;
}

const withPorts = ({ http, https }: ExtraPorts): Partial<NginxConfOptions> => ({
  extraHttpPorts: [...http],
  extraHttpsPorts: [...https],
});

async function layOut(edgeDir: string, workerGroup: number | undefined): Promise<void> {
  for (const folder of ['', 'conf', 'documents/site', 'documents/certificate', 'run', 'logs', 'cache', 'tmp'])
    await mkdir(join(edgeDir, folder), { recursive: true });
  // Private keys lie here; the master reads them before it gives up its rights.
  await chmod(join(edgeDir, 'documents'), 0o700);
  await chmod(join(edgeDir, 'conf'), 0o700);
  await chmod(join(edgeDir, 'run'), 0o750);
  if (workerGroup !== undefined) await chown(join(edgeDir, 'run'), 0, workerGroup);
}

async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-5).join('\n');
}
