import type { SiteBatchInput } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { siteBatch } from '../../db/schema.ts';
import { defineJob, doubling, type ItemWork, type Outcome } from '../../jobs/define-job.ts';
import type { Services } from '../../services.ts';
import { withIpData } from '../ip-data/ip-data.service.ts';
import { applyLine } from './site-batch-apply.ts';
import { accessOf, readAuthor } from './site-batch-author.ts';
import { siteIdOf } from './site-batch.store.ts';
import { SnippetTrials } from './site-batch-trial.ts';

/** A line of a batch, in one transaction with its result. */
export const siteBatchJob = defineJob({
  kind: 'site_batch',
  attempts: 4,
  backoffSeconds: doubling(30),
  timeoutSeconds: 300,
  run: (work) => withIpData(work.services, () => runLine(work)),
  permission: async (db, operationId) => accessOf[(await readInput(db, operationId)).kind].permission,
});

async function runLine({ services, operation, item, transact }: ItemWork): Promise<Outcome> {
  const { input, trials } = await batchOf(services, operation.id);
  // Asked for each line: a batch may take longer than its author stays one.
  const author = await readAuthor(services.db, operation, input.kind);
  if (!author) throw new ApiError('forbidden');
  await trials.check(siteIdOf(item));
  return transact((tx) => applyLine({ ...services, db: tx }, { input, line: item, author }));
}

interface Batch {
  input: SiteBatchInput;
  trials: SnippetTrials;
  usedAt: number;
}

/**
 * What the lines of a batch share, for each database: its number is good there alone. Forgotten soon after its last line, since an
 * import may bring a megabyte.
 */
const batchesOf = new WeakMap<Db, Map<number, Batch>>();
const unusedMilliseconds = 10_000;

async function batchOf(services: Services, id: number): Promise<Batch> {
  const now = Date.now();
  const batches = batchesOf.get(services.db) ?? new Map<number, Batch>();
  batchesOf.set(services.db, batches);
  for (const [other, { usedAt }] of batches) if (now - usedAt > unusedMilliseconds) batches.delete(other);
  const known = batches.get(id);
  if (known) {
    known.usedAt = now;
    return known;
  }
  const input = await readInput(services.db, id);
  const batch = batches.get(id) ?? { input, trials: new SnippetTrials(services, input), usedAt: now };
  batches.set(id, batch);
  return batch;
}

async function readInput(db: Db, operationId: number): Promise<SiteBatchInput> {
  const [batch] = await db.select().from(siteBatch).where(eq(siteBatch.operationId, operationId));
  if (!batch) throw notFound();
  return batch.input;
}
