import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { shareConnections } from './db/connections.ts';
import { migrateDatabase, openDatabase } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { takeServerLocks } from './db/server-locks.ts';
import { EventHub } from './delivery/event-hub.ts';
import { NodeSessions } from './delivery/node-sessions.ts';
import { makeHttpPort } from './https/challenge.ts';
import { PlatformHttps } from './https/platform-https.ts';
import { sharePort } from './https/shared-port.ts';
import { startWorker } from './jobs/worker.ts';
import { buildListener } from './listener.ts';
import { closerOf } from './listener-close.ts';
import { adoptKeys } from './keys/adopt-keys.ts';
import { loadKeys } from './keys/key-file.ts';
import { ConsoleFaults } from './modules/console-fault/console-faults.ts';
import { AccountLimits } from './limits/account-limits.ts';
import { LiveHub } from './live/live-hub.ts';
import { openDuckdbLogStore } from './logs/duckdb-log-store.ts';
import { openOpensearchLogStore } from './logs/opensearch-log-store.ts';
import { jobRegistry } from './modules/jobs.ts';
import { introducePermissions } from './modules/admin-user/introduce-permissions.ts';
import { placeFilesOf } from './modules/ip-data/ip-source.store.ts';
import { PlaceFinder } from './modules/ip-data/place-finder.ts';
import { EventStreams } from './plugins/event-streams.ts';
import type { Audience } from './plugins/session.ts';
import { makeSecrets } from './secrets.ts';
import { seed } from './seed.ts';
import { openLog } from './server-log.ts';
import type { Services } from './services.ts';

export interface Server {
  services: Services;
  /** Undefined where this process has not the role. */
  adminUrl: string | undefined;
  userUrl: string | undefined;
  /** Whether the node beside the server is this one's to run: of several servers one has it. */
  hasLocalEdge: boolean;
  /** Lets requests in work finish, then closes everything in reverse order. */
  close(): Promise<void>;
}

/** Starts everything this process has a role for. When a part fails, those already started are closed again. */
export async function startServer(config: Config, logger?: Logger): Promise<Server> {
  const log = logger ?? openLog(config.logLevel);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await closer().catch((err: unknown) => log.error({ err }, 'close'));
  };
  try {
    return await start(config, log, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  config: Config,
  log: Logger,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
) {
  await mkdir(config.dataDir, { recursive: true });
  const lock = await lockDataDir(config.dataDir);
  closers.push(async () => lock.close());

  const secrets = makeSecrets(await loadKeys(config));
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres(config.dataDir, (line) => log.info(`PostgreSQL: ${line}`));
  if (postgres) closers.push(postgres.stop);
  const databaseUrl = config.databaseUrl ?? postgres!.url;
  const { database, work } = openDatabases(config, databaseUrl, log);
  closers.push(database.close, work.close);
  const locks = await takeServerLocks(config, databaseUrl, log);
  closers.push(locks.close);
  await migrateDatabase(work);
  await adoptKeys(work, secrets, config);
  await introducePermissions(work);
  await seed(work, secrets, config.dataDir);

  const places = new PlaceFinder(placeFilesOf(database.db, config.countryMmdb), log);
  const logStore = config.logStoreUrl
    ? openOpensearchLogStore({ url: config.logStoreUrl, places })
    : await openDuckdbLogStore({ folder: join(config.dataDir, 'logs'), places });
  closers.push(() => logStore.close());
  const base = { config, database, db: database.db, secrets, log, logStore, jobs: jobRegistry };
  const hub = config.roles.includes('node')
    ? await EventHub.open({ databaseUrl: database.url, database: database.db, logger: log })
    : undefined;
  const live = await LiveHub.open({ databaseUrl: database.url, database: database.db, logger: log });
  const inProcess = ofThisProcess(database.db, log);
  const https = await PlatformHttps.open(base, closers);
  const services: Services = { ...base, hub, live, https, ...inProcess };
  // Twice: before the listeners close, whose connections its lines hold open, and when they never came to listen.
  const closeHub = async () => {
    inProcess.streams.close();
    await Promise.all([hub?.close(), live.close()]);
  };
  closers.push(closeHub);

  const urls = await listenForRoles(services, closers);
  closers.push(closeHub);
  if (config.roles.includes('worker')) {
    const worker = await startWorker({ ...services, database: work, db: work.db }, jobRegistry);
    closers.push(() => worker.stop());
  }
  const { hasLocalEdge } = locks;
  return { services, adminUrl: urls.admin, userUrl: urls.user, hasLocalEdge, close };
}

/** One for requests, which are held to limits, and one for work that may take long. */
function openDatabases(config: Config, url: string, log: Logger) {
  const shares = shareConnections(config.databaseConnections, config.roles);
  log.info({ connections: config.databaseConnections, ...shares }, 'connections to PostgreSQL, at the most');
  const onError = (err: Error) => log.warn({ err }, 'database');
  return {
    database: openDatabase(url, { onError, connections: shares.requests, limits: config.databaseLimits }),
    work: openDatabase(url, { onError, connections: shares.work }),
  };
}

async function listenForRoles(services: Services, closers: (() => Promise<unknown>)[]) {
  const { roles, adminPort, userPort, httpPort } = services.config;
  const urls: Partial<Record<Audience, string>> = {};
  if (roles.includes('admin')) urls.admin = await listen(services, 'admin', adminPort, closers);
  if (roles.includes('user') || roles.includes('node'))
    urls.user = await listen(services, 'user', userPort, closers);
  if (httpPort !== undefined) await listenForChallenges(services, httpPort, closers);
  return urls;
}

async function listenForChallenges(
  services: Services,
  port: number,
  closers: (() => Promise<unknown>)[],
): Promise<void> {
  const server = makeHttpPort(services);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, host: services.config.host }, resolve);
  });
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
  });
}

async function listen(
  services: Services,
  audience: Audience,
  port: number,
  closers: (() => Promise<unknown>)[],
) {
  const { config } = services;
  const app = await buildListener(services, audience);
  sharePort(app.server, services.https);
  closers.push(closerOf(app));
  await app.listen({ host: config.host, port });
  const { port: bound } = app.server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/**
 * One server a data folder. The lock is an abstract unix socket, which the kernel drops with the process, however it
 * ended.
 */
async function lockDataDir(dataDir: string): Promise<NetServer> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
  const lock = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    lock.once('error', reject);
    lock.listen(`\0breakwater-${name}`, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(`Another Breakwater server is running on ${dataDir}. Stop it, or set BREAKWATER_DATA.`);
    throw error;
  });
  lock.unref();
  return lock;
}

/** What each process holds by itself. */
const ofThisProcess = (db: Services['db'], log: Logger) => ({
  streams: new EventStreams(),
  nodeSessions: new NodeSessions(),
  limits: new AccountLimits(db),
  consoleFaults: new ConsoleFaults(log),
});
