import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Transaction } from '../db/database.ts';

/** Work that a request leaves to a worker, by the name of its queue and what it is told. */
export interface JobData {
  'site-batch': { batch_id: number };
  'data-export': { export_id: number };
}
export type JobName = keyof JobData;

/** A worker that was killed says nothing: after so many seconds without a beat its job goes to another one. */
const heartbeatSeconds = 30;
const longestSeconds = 6 * 3600;

export async function createJobQueue(boss: PgBoss, name: JobName): Promise<void> {
  const options = { heartbeatSeconds, expireInSeconds: longestSeconds, retryLimit: 1000, retryDelay: 5 };
  await boss.createQueue(name, options);
}

/** Sends jobs, from any server; those with the role of a worker do them. */
export interface Jobs {
  /** Part of the caller's transaction: the job is there when what it works on is. */
  send<Name extends JobName>(tx: Transaction, name: Name, data: JobData[Name]): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is opened before the first job: most servers never send one in their first minutes. */
export function openJobs(databaseUrl: string, connections: number, log: Logger): Jobs {
  let opened: Promise<PgBoss> | undefined;
  const open = async () => {
    const boss = new PgBoss({
      connectionString: databaseUrl,
      application_name: 'breakwater-jobs-sender',
      max: connections,
      supervise: false,
      schedule: false,
    });
    boss.on('error', (error: Error) => log.error({ err: error }, 'jobs'));
    await boss.start();
    return boss;
  };
  return {
    async send(tx, name, data) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const boss = await opened;
      await createJobQueue(boss, name);
      await boss.send(name, data, { db: fromDrizzle(tx, sql) });
    },
    async close() {
      await (await opened)?.stop({ graceful: false });
    },
  };
}
