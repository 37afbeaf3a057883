import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded.ts';
import { openDatabase, type Database } from '../../apps/server/src/db/database.ts';
import { freePorts, makeApiClient, waitFor, type ApiClient } from '../../packages/test-world/src/index.ts';

export interface Measured {
  /** The longest time in which the event loop answered nobody, since it was asked before. */
  pauseMilliseconds: number;
  /** Of the server, since it started. */
  cpuMilliseconds: number;
}

/** A server as a process of its own, and its PostgreSQL, of which is known what they spend. */
export interface ServerProcess {
  admin: ApiClient;
  userUrl: string;
  database: Database;
  measure(): Promise<Measured>;
  /** Processor time of all processes of PostgreSQL that run, in milliseconds. */
  databaseCpu(): Promise<number>;
  close(): Promise<void>;
}

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export async function startServerProcess(): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder, () => {});
  const [adminPort, userPort] = (await freePorts(2)) as [number, number];
  const server = spawnServer(folder, postgres.url, adminPort, userPort);
  const ended = once(server, 'exit');
  const database = openDatabase(postgres.url);
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  return {
    admin: await signIn(adminUrl, folder),
    userUrl: `http://127.0.0.1:${userPort}`,
    database,
    async measure() {
      server.send('measure');
      const [measured] = (await once(server, 'message')) as [Measured];
      return measured;
    },
    databaseCpu: async () => {
      const pidFile = await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
      return cpuOfFamily(Number(pidFile.split('\n')[0]));
    },
    async close() {
      await database.close();
      server.kill('SIGTERM');
      await ended;
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function spawnServer(folder: string, databaseUrl: string, adminPort: number, userPort: number): ChildProcess {
  return spawn(
    process.execPath,
    ['--import', inRepository('bench/lib/loop-pause.ts'), inRepository('apps/server/src/main.ts')],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        BREAKWATER_DATA: folder,
        DATABASE_URL: databaseUrl,
        BREAKWATER_HOST: '127.0.0.1',
        ADMIN_PORT: String(adminPort),
        USER_PORT: String(userPort),
        LOCAL_EDGE: 'false',
        PRIVATE_ORIGINS: 'true',
        LOG_LEVEL: 'error',
      },
    },
  );
}

/** Resolves when the server is ready, as its first administrator. */
async function signIn(adminUrl: string, folder: string): Promise<ApiClient> {
  const anonymous = makeApiClient(() => adminUrl);
  await waitFor('the server', async () => (await anonymous.send('GET', '/readyz')).status === 200, 60);
  const password = (await readFile(join(folder, 'keys', 'first-password'), 'utf8')).trim();
  const { token } = await anonymous.get('signInAdmin', { body: { username: 'admin', password } });
  return makeApiClient(() => adminUrl, token);
}

const ticksPerSecond = 100;

/** Of a process and its children, also of those that ended (proc(5), fields 14 to 17). */
async function cpuOfFamily(parent: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const isParent = Number(name) === parent;
    if (!isParent && fields[1] !== parent) continue;
    ticks += fields[11]! + fields[12]! + (isParent ? fields[13]! + fields[14]! : 0);
  }
  return (ticks * 1000) / ticksPerSecond;
}
