import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { workersOf } from './nginx-workers.ts';

/**
 * nginx's master process, known by its id: it is nobody's child, so that it serves on when whoever started it ends, and is
 * found again by whoever comes next.
 */
export interface NginxMaster {
  pid: number;
  /** Settles when it has ended, by whoever's hand, or when it is looked at no longer. */
  ended: Promise<void>;
  isRunning(): boolean;
  /** Nothing where it has ended already. */
  signal(name: NodeJS.Signals): void;
  /** From now on its end is not noticed. */
  forget(): void;
}

const lookMilliseconds = 200;

export function watchMaster(pid: number): NginxMaster {
  const born = birthOf(pid);
  // Another process may come to have the number; none that began at the same time.
  const isRunning = () => born !== undefined && birthOf(pid) === born;
  const { promise: ended, resolve: settle } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (isRunning()) return;
    clearInterval(timer);
    settle();
  }, lookMilliseconds);
  return {
    pid,
    ended,
    isRunning,
    signal: (name) => {
      if (isRunning()) sendSignal(pid, name);
    },
    forget: () => {
      clearInterval(timer);
      settle();
    },
  };
}

/** When a process began, in ticks since the machine did; none of one that has ended, whether or not anybody took notice. */
function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before, in brackets, may hold anything (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** The master that an edge's folder names, if it runs and is the folder's. */
export async function masterOf(edgeDir: string): Promise<number | undefined> {
  const pid = Number((await readFile(join(edgeDir, 'run/nginx.pid'), 'utf8').catch(() => '')).trim());
  return Number.isInteger(pid) && pid > 1 && (await isMaster(pid, await realpath(edgeDir))) ? pid : undefined;
}

/** All masters of the folder: beside the one that serves, those that finish their requests after an upgrade. */
export async function mastersOf(edgeDir: string): Promise<number[]> {
  const folder = await realpath(edgeDir);
  return (
    await Promise.all((await processes()).map(async (pid) => ((await isMaster(pid, folder)) ? [pid] : [])))
  ).flat();
}

/** One that ends does not tell its workers any more; they are told once the new files are there, which they may not make. */
export async function reopenLogs(master: NginxMaster, edgeDir: string): Promise<void> {
  master.signal('SIGUSR1');
  const former = (await mastersOf(edgeDir)).filter((pid) => pid !== master.pid);
  if (former.length === 0) return;
  const logs = ['access.log', 'error.log'].map((name) => join(edgeDir, 'logs', name));
  for (let waited = 0; waited < 40 && !logs.every((path) => existsSync(path)); waited++) await delay(50);
  for (const pid of former) for (const worker of await workersOf(pid)) sendSignal(worker, 'SIGUSR1');
}

const processes = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

/** Ours work in our folder, and their command line says what they are. */
async function isMaster(pid: number, folder: string): Promise<boolean> {
  return (await titleIn(pid, folder)).startsWith('nginx: master');
}

async function titleIn(pid: number, folder: string): Promise<string> {
  if ((await readlink(`/proc/${pid}/cwd`).catch(() => '')) !== folder) return '';
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

/** nginx lets its workers go within a second of SIGTERM; one that does not is killed, and its workers then end by our hand. */
const termSeconds = 5;

export async function stopMaster(master: NginxMaster, edgeDir: string, graceSeconds: number): Promise<void> {
  master.signal('SIGQUIT');
  if (!(await endsWithin(master.ended, graceSeconds))) {
    master.signal('SIGTERM');
    if (!(await endsWithin(master.ended, termSeconds))) {
      master.signal('SIGKILL');
      await master.ended;
    }
  }
  await stopLeftOver(edgeDir);
}

async function endsWithin(ended: Promise<void>, seconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(seconds * 1000, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return inTime;
}

/** What is left of the folder's nginx holds the ports, and its sockets would keep another from starting. */
export async function stopLeftOver(edgeDir: string): Promise<void> {
  const masters = await mastersOf(edgeDir);
  for (const pid of masters) sendSignal(pid, 'SIGTERM');
  for (let waited = 0; waited < 50 && (await mastersOf(edgeDir)).length > 0; waited++) await delay(100);
  for (const pid of await mastersOf(edgeDir)) sendSignal(pid, 'SIGKILL');
  await stopOrphans(edgeDir);
  const folder = join(edgeDir, 'run');
  for (const name of await readdir(folder).catch(() => []))
    if (name === 'nginx.pid' || name.endsWith('.sock')) await rm(join(folder, name), { force: true });
}

/** Workers whose master was killed go on answering on its ports. */
async function stopOrphans(edgeDir: string): Promise<void> {
  const folder = await realpath(edgeDir);
  for (let tries = 0; tries < 50; tries++) {
    let found = 0;
    for (const pid of await processes()) {
      if (!/^nginx: (?:worker|cache)/.test(await titleIn(pid, folder))) continue;
      found += 1;
      sendSignal(pid, tries < 20 ? 'SIGTERM' : 'SIGKILL');
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
