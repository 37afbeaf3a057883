import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../packages/test-world/src/index.ts';
import { patienceSeconds } from './trial-sites.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

export interface NodeSettings {
  controlPlaneUrl: string;
  credentials: { appId: string; appSecret: string };
  edgeDir: string;
  httpPort: number;
  httpsPort: number;
  /** Where it says what it says. */
  log: string;
}

/** A node as an operator has it: the agent is a process of its own, and nginx outlives it. */
export class TrialNode {
  readonly #settings: NodeSettings;
  #release = repository;
  #name = 'trial';
  #agent: ChildProcess | undefined;

  constructor(settings: NodeSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { controlPlaneUrl, credentials, edgeDir, httpPort, httpsPort, log } = this.#settings;
    const agent = spawn(process.execPath, [join(this.#release, 'apps/agent/src/main.ts')], {
      env: {
        PATH: process.env.PATH,
        CONTROL_PLANE_URL: controlPlaneUrl,
        NODE_APP_ID: credentials.appId,
        NODE_APP_SECRET: credentials.appSecret,
        EDGE_DIR: edgeDir,
        NODE_NAME: this.#name,
        EDGE_HTTP_PORTS: `${httpPort}`,
        EDGE_HTTPS_PORTS: `${httpsPort}`,
        EDGE_LISTEN_ADDRESS: '127.0.0.1',
        EDGE_PRIVATE_ORIGINS: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#agent = agent;
    let isServing = false;
    for (const output of [agent.stdout, agent.stderr])
      output.on('data', (chunk: Buffer) => {
        appendFileSync(log, chunk);
        isServing ||= chunk.includes('the edge serves');
      });
    await waitFor(
      'the agent',
      () => {
        if (agent.exitCode !== null) throw new Error(`the agent ended with ${agent.exitCode}; see ${log}`);
        return isServing;
      },
      patienceSeconds,
    );
  }

  /** SIGTERM, as an upgrade has it, or SIGKILL; nginx serves on. SIGINT ends both. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#agent === undefined) return;
    const ended = once(this.#agent, 'exit');
    this.#agent.kill(signal);
    await ended;
    this.#agent = undefined;
  }

  /** Another release, with other code at the edge, as it lies there before the node is upgraded to it. */
  async layOut(folder: string): Promise<void> {
    await mkdir(join(folder, 'node_modules/@breakwater'), { recursive: true });
    const skipped = /\/(?:node_modules|dist|vectors)(?:\/|$)/;
    const parts = ['apps/agent', 'packages/contract', 'packages/policy', 'packages/edge'];
    for (const part of parts)
      await cp(join(repository, part), join(folder, part), {
        recursive: true,
        filter: (source) => !skipped.test(source.slice(repository.length)),
      });
    for (const name of await readdir(join(repository, 'node_modules')))
      if (name !== '@breakwater')
        await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
    for (const part of parts)
      await symlink(join(folder, part), join(folder, 'node_modules/@breakwater', basename(part)));
    await appendFile(join(folder, 'packages/edge/lua/main.ts'), '\n// Of another release.\n');
    const manifest = join(folder, 'apps/agent/package.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"version": "[^"]*"/, '"version": "99.0.0"'));
    // Else its agent would do it before it starts anything.
    const building = spawn(process.execPath, [join(folder, 'packages/edge/build/build.ts')], {
      stdio: 'inherit',
    });
    const [code] = (await once(building, 'exit')) as [number];
    if (code !== 0) throw new Error(`the other release is not built: ${code}`);
  }

  /** From now on the agent is started as the release in this folder. */
  upgrade(folder: string): void {
    this.#release = folder;
  }

  /** Another setting of the node, which nginx is given by a reload. */
  rename(name: string): void {
    this.#name = name;
  }

  /** What nginx wrote that tells of a fault of its own. */
  async alerts(): Promise<string[]> {
    const folder = join(this.#settings.edgeDir, 'logs');
    const names = (await readdir(folder)).filter((name) => name.startsWith('error.log'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts
      .join('\n')
      .split('\n')
      .filter((line) => /\[(?:alert|emerg|crit)\]|lua (?:entry thread|user thread)|runtime error/.test(line));
  }
}
