import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sweeper = fileURLToPath(new URL('./sweeper.mjs', import.meta.url));
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Gives a run a folder for all that it writes (its TMPDIR, by which its processes are known too). When the run is over, when
 * it is stopped, and when this very process is killed, what still runs is ended and the folder removed: by another
 * process, which waits for the end of ours.
 * @template Result
 * @param {(run: { folder: string, started: (child: import('node:child_process').ChildProcess) => void }) => Promise<Result>} run
 *   names the process it starts, which a signal to us is passed on to.
 * @returns {Promise<Result>}
 */
export async function withRunFolder(run) {
  // Short, since paths of sockets are limited to some 100 characters.
  const folder = mkdtempSync(join(folderForRuns(), 'bw-'));
  // Servers that run as other users (nginx's workers, PostgreSQL) have their files in it.
  chmodSync(folder, 0o755);
  // In a session of its own: no signal from a terminal reaches it.
  const cleaner = spawn(process.execPath, [sweeper, folder], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  });
  const cleaned = new Promise((resolve) => cleaner.once('exit', resolve));
  let child;
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    child?.kill('SIGTERM');
    setTimeout(() => child?.kill('SIGKILL'), 5000).unref();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  try {
    const result = await run({ folder, started: (process) => (child = process) });
    if (stopped) throw new Stopped();
    return result;
  } finally {
    cleaner.stdin.end();
    await cleaned;
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

/** In bytes; a whole run keeps less than a quarter of it at a time. */
const roomWanted = 8 * 1024 ** 3;
const inMemory = '/dev/shm';

/** In memory where there is plenty, since databases, caches and logs of tests come and go by the hundred. */
function folderForRuns() {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    accessSync(inMemory, constants.W_OK);
    const room = Math.min(bavail * bsize, process.availableMemory() - roomWanted);
    // PostgreSQL's programs are copied to where their user reaches them, and run there.
    if (room >= roomWanted && mount !== undefined && !mount.split(' ')[3].split(',').includes('noexec'))
      return inMemory;
  } catch {
    // There is none, or it is not ours to write to.
  }
  return tmpdir();
}

/** Somebody asked us to end. */
export class Stopped extends Error {}
