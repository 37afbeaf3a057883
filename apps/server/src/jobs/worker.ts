import { PgBoss } from 'pg-boss';
import { pruneNonces } from '../delivery/node-signature.ts';
import { pruneAttempts } from '../modules/auth/attempts.ts';
import { refreshDueLists } from '../modules/address-list/address-list-fetch.ts';
import { pruneOriginHealth } from '../modules/origin-health/origin-health.service.ts';
import { writeDataExport } from '../modules/data-export/data-export.service.ts';
import { removeOldDataExports, unfinishedDataExports } from '../modules/data-export/data-export.store.ts';
import { refreshIpData } from '../modules/ip-data/ip-data.service.ts';
import { pruneNodeResources } from '../modules/node/node-resource.store.ts';
import { refreshDueFiles } from '../modules/ip-data/ip-source.service.ts';
import { pruneOldRows } from '../modules/retention/retention.service.ts';
import { readLogRetention } from '../modules/setting/setting.store.ts';
import { runSiteBatch, unfinishedSiteBatches } from '../modules/site-batch/site-batch-run.ts';
import { finishRemovals, settleSuspensions } from '../modules/site/site.service.ts';
import { refreshDocuments } from '../modules/site-publish/site-publish.service.ts';
import { runDueChecks } from '../modules/site-domain/site-domain.service.ts';
import type { Services } from '../services.ts';
import { createJobQueue, type JobData } from './jobs.ts';

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
  { name: 'log-sums', cron: '* * * * *', run: ({ logStore }) => logStore.sumUp(new Date()) },
  { name: 'node-nonces', cron: '* * * * *', run: ({ db }) => pruneNonces(db) },
  { name: 'node-resources', cron: '37 * * * *', run: ({ db }) => pruneNodeResources(db, new Date()) },
  { name: 'origin-health', cron: '17 * * * *', run: ({ db }) => pruneOriginHealth(db) },
  { name: 'site-suspensions', cron: '* * * * *', run: settleSuspensions },
  { name: 'site-removals', cron: '* * * * *', run: ({ db }) => db.transaction((tx) => finishRemovals(tx)) },
  { name: 'address-lists', cron: '* * * * *', run: refreshDueLists },
  { name: 'ip-data', cron: '*/10 * * * *', run: refreshIpData },
  { name: 'ip-files', cron: '*/5 * * * *', run: refreshDueFiles },
  { name: 'site-documents', cron: '* * * * *', run: refreshDocuments },
  { name: 'domain-checks', cron: '* * * * *', run: runDueChecks },
  { name: 'data-exports', cron: '23 * * * *', run: ({ db }) => removeOldDataExports(db, new Date()) },
  { name: 'retention', cron: '*/10 * * * *', run: (services) => pruneOldRows(services) },
  { name: 'sign-in-attempts', cron: '*/15 * * * *', run: ({ db }) => pruneAttempts(db) },
];

/** `connections`: of the queue; what jobs ask goes over the services' database. */
export async function startWorker(services: Services, connections: number): Promise<Worker> {
  const boss = new PgBoss({
    connectionString: services.database.url,
    application_name: 'breakwater-jobs',
    max: connections,
  });
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
  const stopping = new AbortController();
  await workOnSiteBatches(boss, services, stopping.signal);
  await workOnDataExports(boss, services, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return boss.stop({ graceful: true, timeout: 5000 });
    },
  };
}

/** What a stopped server left undone is taken up at once; where two work on a batch they share its lines. */
async function workOnSiteBatches(boss: PgBoss, services: Services, stopping: AbortSignal): Promise<void> {
  await createJobQueue(boss, 'site-batch');
  for (const id of await unfinishedSiteBatches(services.db)) await boss.send('site-batch', { batch_id: id });
  const options = { pollingIntervalSeconds: 1, localConcurrency: 2 };
  await boss.work<JobData['site-batch']>('site-batch', options, async (jobs) => {
    for (const { data } of jobs) await runSiteBatch(services, data.batch_id, stopping);
  });
}

async function workOnDataExports(boss: PgBoss, services: Services, stopping: AbortSignal): Promise<void> {
  await createJobQueue(boss, 'data-export');
  for (const id of await unfinishedDataExports(services.db))
    await boss.send('data-export', { export_id: id });
  await boss.work<JobData['data-export']>('data-export', { pollingIntervalSeconds: 1 }, async (jobs) => {
    for (const { data } of jobs) await writeDataExport(services, data.export_id, stopping);
  });
}
