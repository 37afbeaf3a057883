import { PgBoss } from 'pg-boss';
import { pruneNonces } from '../delivery/node-signature.ts';
import { pruneAttempts } from '../modules/auth/attempts.ts';
import { readLogRetention } from '../modules/setting/setting.store.ts';
import type { Services } from '../services.ts';

export interface Worker {
  stop(): Promise<void>;
}

/** Work by the clock: name, cron line, what it does. With several servers each runs once, on one of them. */
const schedules: { name: string; cron: string; run: (services: Services) => Promise<unknown> }[] = [
  {
    name: 'log-retention',
    cron: '*/10 * * * *',
    run: async ({ db, logStore }) => logStore.applyRetention(await readLogRetention(db), new Date()),
  },
  { name: 'node-nonces', cron: '* * * * *', run: ({ db }) => pruneNonces(db) },
  { name: 'sign-in-attempts', cron: '*/15 * * * *', run: ({ db }) => pruneAttempts(db) },
];

export async function startWorker(services: Services): Promise<Worker> {
  const boss = new PgBoss({ connectionString: services.database.url, application_name: 'breakwater-jobs' });
  boss.on('error', (error: Error) => services.log.error({ err: error }, 'jobs'));
  await boss.start();
  for (const { name, cron, run } of schedules) {
    await boss.createQueue(name);
    await boss.schedule(name, cron);
    await boss.work(name, async () => {
      const result = await run(services);
      services.log.debug({ job: name, result }, 'job done');
    });
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5000 }) };
}
