import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renderNginxConf, type NginxConfOptions } from '../nginx/conf.ts';
import { nameOfConfiguration } from '../nginx/front.ts';
import type { NginxMaster } from './nginx-master.ts';
import { runNginx } from './nginx-program.ts';
import { configurationOf } from './nginx-state.ts';
import { untilRetired, workersOf } from './nginx-workers.ts';

/** nginx goes on with the configuration it had. */
export class ConfigurationRefused extends Error {}

/** nginx tries for some seconds to open a port before it gives up. */
const reloadSeconds = 20;
/** What is asked for within this time is one reload, */
const gatherMilliseconds = 250;
/** and after a reload the next waits so long: each leaves workers behind that finish their requests. */
const restMilliseconds = 1000;

interface Change {
  part: Partial<NginxConfOptions>;
  settle: () => void;
  refuse: (error: unknown) => void;
}

/** The configuration of a running nginx, changed by parts. */
export class Configuration {
  readonly #program: string;
  readonly #master: NginxMaster;
  #options: NginxConfOptions;
  #waiting: Change[] = [];
  #isTurning = false;
  #restsUntil = 0;

  constructor(program: string, master: NginxMaster, options: NginxConfOptions) {
    this.#program = program;
    this.#master = master;
    this.#options = options;
  }

  get options(): NginxConfOptions {
    return this.#options;
  }

  /** Settles once new workers serve with it; fails, with all as it was, when nginx does not take it. */
  change(part: Partial<NginxConfOptions>): Promise<void> {
    return new Promise((settle, refuse) => {
      this.#waiting.push({ part, settle, refuse });
      if (!this.#isTurning) void this.#turn();
    });
  }

  complaintAbout(part: Partial<NginxConfOptions>): Promise<string | undefined> {
    return complaintOf(this.#program, { ...this.#options, ...part });
  }

  async #turn(): Promise<void> {
    this.#isTurning = true;
    while (this.#waiting.length > 0) {
      await delay(Math.max(gatherMilliseconds, this.#restsUntil - performance.now()));
      await this.#take(this.#waiting.splice(0));
    }
    this.#isTurning = false;
  }

  /** What nginx does not take together it may take one by one. */
  async #take(changes: Change[]): Promise<void> {
    try {
      const next = changes.reduce((all, { part }) => ({ ...all, ...part }), this.#options);
      if (nameOfConfiguration(next) !== nameOfConfiguration(this.#options))
        await reload(this.#program, this.#master, next);
      this.#options = next;
      for (const { settle } of changes) settle();
    } catch (error) {
      if (changes.length > 1 && error instanceof ConfigurationRefused)
        for (const each of changes) await this.#take([each]);
      else for (const { refuse } of changes) refuse(error);
    }
    this.#restsUntil = performance.now() + restMilliseconds;
  }
}

/** Reloads with another configuration, and puts the old one back when nginx goes on with that. */
export async function reload(program: string, master: NginxMaster, options: NginxConfOptions): Promise<void> {
  const { edgeDir } = options;
  const path = join(edgeDir, 'conf/nginx.conf');
  const former = await readFile(path, 'utf8');
  const complaints = await complaintsFromNow(edgeDir);
  await putConf(program, options).catch((error: unknown) => {
    throw new ConfigurationRefused(error instanceof Error ? error.message : String(error));
  });
  const before = await workersOf(master.pid);
  master.signal('SIGHUP');
  let complaint: string | undefined;
  for (let waited = 0; waited < reloadSeconds * 20; waited++) {
    if ((await configurationOf(join(edgeDir, 'run/control.sock'))) === nameOfConfiguration(options))
      return untilRetired(before);
    complaint = await complaints();
    if (complaint?.includes('still could not bind') === true || !master.isRunning()) break;
    await delay(50);
  }
  if (!master.isRunning()) throw new Error('nginx ended while it was given another configuration');
  await writeFile(path, former);
  throw new ConfigurationRefused(
    `nginx does not take its configuration: ${complaint ?? 'no new worker answers'}`,
  );
}

/** What nginx will last have written of something that it gave up. */
export async function complaintsFromNow(edgeDir: string): Promise<() => Promise<string | undefined>> {
  const log = join(edgeDir, 'logs/error.log');
  const { size: start } = await stat(log);
  return async () => {
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
  };
}

/** What nginx says of a configuration that is not to be used. */
export async function complaintOf(program: string, options: NginxConfOptions): Promise<string | undefined> {
  const { edgeDir } = options;
  const name = `conf/nginx.conf.try-${randomBytes(4).toString('hex')}`;
  await writeFile(join(edgeDir, name), renderNginxConf(options));
  try {
    const test = await runNginx(program, ['-p', edgeDir, '-e', 'stderr', '-c', name, '-t']);
    if (test.code === 0) return undefined;
    const line = test.output.split('\n').find((each) => each.includes('[emerg]')) ?? test.output;
    return line.replace(/^.*\[emerg\] (?:\d+#\d+: )?/, '').replace(/ in \/\S+:\d+$/, '');
  } finally {
    await rm(join(edgeDir, name), { force: true });
  }
}

/** Puts a configuration in place of one that nginx runs with, or would start with again; one that it refuses leaves the old there. */
export async function putConf(program: string, options: NginxConfOptions): Promise<void> {
  const { edgeDir } = options;
  const aside = join(edgeDir, 'conf/nginx.conf.new');
  await writeFile(aside, renderNginxConf(options));
  const test = await runNginx(program, ['-p', edgeDir, '-e', 'stderr', '-c', 'conf/nginx.conf.new', '-t']);
  if (test.code !== 0) throw new Error(`nginx refuses its configuration: ${test.output.trim()}`);
  await rename(aside, join(edgeDir, 'conf/nginx.conf'));
}

/** The same for an nginx that is about to start, which says itself what it has against it: reading it takes a third of a second. */
export const putFirstConf = (options: NginxConfOptions): Promise<void> =>
  writeFile(join(options.edgeDir, 'conf/nginx.conf'), renderNginxConf(options));
