import type { World } from '@breakwater/test-world';
import { and, eq, isNotNull } from 'drizzle-orm';
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { operation } from '../db/schema.ts';
import type { Services } from '../services.ts';
import { startWorker } from './worker.ts';

/** For tests of a server without the role of a worker: does what waits until this operation is over. */
export async function workThrough(services: Services, operationId: number, workers = 1): Promise<void> {
  const registry = { jobs: services.jobs.jobs, schedules: [] };
  const started = await Promise.all(
    Array.from({ length: workers }, () => startWorker(services, registry, { slots: 2 })),
  );
  const isOver = and(eq(operation.id, operationId), isNotNull(operation.finishedAt));
  try {
    while ((await services.db.$count(operation, isOver)) === 0) await sleep(20);
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
  }
}

/**
 * A worker in a process of its own, on the same database and keys, that can be killed in the middle of its work.
 * @param file of the job, which it exports as `name`.
 */
export const startWorkerProcess = (
  world: Pick<World, 'server' | 'dataDir'>,
  { file, name }: { file: URL; name: string },
): ChildProcess =>
  startServicesProcess(
    world,
    `
      const { startWorker } = await import(${here('./worker.ts')});
      const { ${name}: job } = await import(${JSON.stringify(file.href)});
      await startWorker(services, { jobs: [job], schedules: [] }, { slots: 1, leaseSeconds: 3 });
    `,
  );

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** A process of its own, on the same database and keys, that does this with `services`. */
export function startServicesProcess(
  { server, dataDir }: Pick<World, 'server' | 'dataDir'>,
  does: string,
): ChildProcess {
  const script = `
    const { readConfig } = await import(${here('../config.ts')});
    const { openDatabase } = await import(${here('../db/database.ts')});
    const { loadKeys } = await import(${here('../keys/key-file.ts')});
    const { makeSecrets } = await import(${here('../secrets.ts')});
    const config = readConfig(process.env);
    const secrets = makeSecrets(await loadKeys(config));
    const database = openDatabase(process.env.DATABASE_URL, { connections: 6 });
    const log = { debug() {}, info() {}, warn: console.error, error: console.error };
    const services = { config, secrets, database, db: database.db, log };
    ${does}
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      DATABASE_URL: server.services.database.url,
      BREAKWATER_DATA: dataDir,
      PRIVATE_ORIGINS: 'true',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
