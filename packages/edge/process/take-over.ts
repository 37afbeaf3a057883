import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renderNginxConf, type NginxConfOptions } from '../nginx/conf.ts';
import { lastingPartOf, nameOfConfiguration } from '../nginx/front.ts';
import { complaintsFromNow, ConfigurationRefused, putConf, reload } from './configuration.ts';
import { masterOf, mastersOf, watchMaster, type NginxMaster } from './nginx-master.ts';
import { configurationOf } from './nginx-state.ts';
import { untilRetired, workersOf } from './nginx-workers.ts';

/** With many documents it reads for some seconds before it serves. */
const upgradeSeconds = 60;

export interface Found {
  master: NginxMaster;
  /** As it names what it was started with. */
  configuration: string;
}

/** The nginx that serves from this folder, whoever started it; none where it answers to nobody. */
export async function findRunning(edgeDir: string): Promise<Found | undefined> {
  const pid = await masterOf(edgeDir);
  if (pid === undefined) return undefined;
  const configuration = await configurationOf(join(edgeDir, 'run/control.sock'));
  return configuration === undefined ? undefined : { master: watchMaster(pid), configuration };
}

/**
 * Goes on with a running nginx. It is left alone where nothing has changed, and given its configuration anew where only that has.
 * Where its program or the edge's own code is another by now, a new master starts beside it with its sockets, reads the
 * documents from the disk, and the old one finishes its requests: so no code meets what another version left in memory.
 */
export async function takeOver(
  found: Found,
  program: string,
  options: NginxConfOptions,
): Promise<NginxMaster> {
  const { master, configuration } = found;
  const name = nameOfConfiguration(options);
  const isOld = lastingPartOf(configuration) !== lastingPartOf(name) || (await isReplacedOnDisk(master.pid));
  // One that has an upgrade behind it takes none before that is over: until then its configuration has to do.
  if (isOld && (await isAlone(options.edgeDir))) return upgrade(master, program, options);
  if (configuration !== name || (await isOutdated(options))) await reload(program, master, options);
  return master;
}

/** Whether no other master finishes its requests. A worker that was just forked bears its master's title for a moment. */
async function isAlone(edgeDir: string): Promise<boolean> {
  for (let looks = 0; looks < 20; looks++) {
    if ((await mastersOf(edgeDir)).length === 1) return true;
    await delay(50);
  }
  return false;
}

/** Whether the agent would write another configuration by now than the one it wrote. */
async function isOutdated(options: NginxConfOptions): Promise<boolean> {
  const text = await readFile(join(options.edgeDir, 'conf/nginx.conf'), 'utf8');
  return text !== renderNginxConf(options);
}

/** Whether nginx, one of its modules or a library that they use was replaced since it started. */
async function isReplacedOnDisk(pid: number): Promise<boolean> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  return /^\S+ r-xp \S+ \S+ [1-9]\d* +\/.* \(deleted\)$/m.test(maps);
}

async function upgrade(
  former: NginxMaster,
  program: string,
  options: NginxConfOptions,
): Promise<NginxMaster> {
  const { edgeDir } = options;
  await putConf(program, options);
  const complaints = await complaintsFromNow(edgeDir);
  former.signal('SIGUSR2');
  const pid = await successorOf(former, edgeDir);
  if (pid === undefined)
    throw new ConfigurationRefused(
      `another nginx does not start beside the one that runs: ${(await complaints()) ?? 'it does not say why'}`,
    );
  const workers = await workersOf(former.pid);
  former.signal('SIGQUIT');
  await untilRetired(workers);
  former.forget();
  return watchMaster(pid);
}

/** The new master, once it has workers. */
async function successorOf(former: NginxMaster, edgeDir: string): Promise<number | undefined> {
  let isBegun = false;
  for (let waited = 0; waited < upgradeSeconds * 20; waited++) {
    const pid = await masterOf(edgeDir);
    if (pid === undefined) isBegun = true;
    // nginx takes its name back when the other has ended.
    else if (pid === former.pid && isBegun) return undefined;
    else if (pid !== former.pid && (await workersOf(pid)).length > 0) return pid;
    await delay(50);
  }
  return undefined;
}
