import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The processes of a master: its workers, and while it loads the cache those that help. */
export async function workersOf(masterPid: number): Promise<number[]> {
  const children = await readFile(`/proc/${masterPid}/task/${masterPid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

/** After a reload: until none of these takes requests any more, or a second is over. */
export async function untilRetired(pids: readonly number[]): Promise<void> {
  for (let waited = 0; waited < 50; waited++) {
    const titles = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    // nginx renames a worker in the moment in which it closes its sockets.
    if (
      titles.every((title) => !title.startsWith('nginx: worker process') || title.includes('shutting down'))
    )
      return;
    await delay(20);
  }
}
