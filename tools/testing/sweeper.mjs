// Waits until its input ends, which it does with the process that started it, however that ended. Then ends every process that
// belongs to the folder named as its argument, and removes the folder. Plain Node.
import { readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const folder = process.argv[2];
if (!folder?.startsWith('/') || folder.length < 8) throw new Error('usage: sweeper.mjs FOLDER');

for await (const _ of process.stdin);
await sweep();
rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

async function sweep() {
  // One that is ending by itself gets the time for it.
  for (let waited = 0; waited < 1500 && belonging().length > 0; waited += 100) await delay(100);
  const left = belonging();
  if (left.length === 0) return;
  console.error(`Left over, and ended: ${left.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`);
  // PostgreSQL gives its shared memory back on SIGQUIT, but not when it is killed.
  for (const { pid, name } of left) send(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGTERM');
  for (let waited = 0; waited < 3000 && belonging().length > 0; waited += 100) await delay(100);
  // Some start others as they end.
  for (let tries = 0; tries < 20 && belonging().length > 0; tries += 1) {
    for (const { pid } of belonging()) send(pid, 'SIGKILL');
    await delay(50);
  }
}

/**
 * Processes whose environment, working folder or command names the folder. nginx and PostgreSQL write their titles over their
 * environment, and browsers' helpers have none: they are known by the other two.
 */
function belonging() {
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter(
        (pid) =>
          read(pid, 'environ').includes(folder) ||
          linkOf(pid).startsWith(folder) ||
          read(pid, 'cmdline').includes(folder),
      )
      // What has ended and was not asked for yet is no process any more.
      .filter((pid) => !/^\d+ \(.*\) Z/s.test(read(pid, 'stat')))
      .map((pid) => ({ pid: Number(pid), name: read(pid, 'comm').trim() }))
  );
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
