import type { SiteBatchLineStatus } from '@breakwater/contract';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { ApiError, databaseError } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { siteBatch, siteBatchLine } from '../../db/schema.ts';
import type { Services } from '../../services.ts';
import { IpDataMissing, withIpData } from '../ip-data/ip-data.service.ts';
import { readAuthor, type BatchAuthor } from './site-batch-author.ts';
import { applyLine } from './site-batch-apply.ts';
import { SnippetTrials } from './site-batch-trial.ts';

/** Working through a batch: it may be stopped between any two lines, and taken up again by another server. */

type Batch = typeof siteBatch.$inferSelect;

export async function unfinishedSiteBatches(db: Db): Promise<number[]> {
  const rows = await db.select({ id: siteBatch.id }).from(siteBatch).where(isNull(siteBatch.finishedAt));
  return rows.map((row) => row.id);
}

/** Throws when it is stopped before the end, so that the job is done again. */
export async function runSiteBatch(services: Services, id: number, stopping: AbortSignal): Promise<void> {
  const [batch] = await services.db.select().from(siteBatch).where(eq(siteBatch.id, id));
  if (!batch) return;
  const author = await readAuthor(services.db, batch);
  const trials = new SnippetTrials(services, batch.input);
  while (!stopping.aborted)
    if (!(await withIpData(services, () => runNextLine(services, batch, author, trials))))
      return finish(services.db, id);
  throw new Error(`site batch ${id} goes on when a server is up again`);
}

/**
 * One line in one transaction, its result included: whatever ends the server, a line is done and marked, or neither.
 * False when no line waits.
 */
async function runNextLine(
  services: Services,
  batch: Batch,
  author: BatchAuthor | undefined,
  trials: SnippetTrials,
): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const [line] = await tx
      .select()
      .from(siteBatchLine)
      .where(and(eq(siteBatchLine.batchId, batch.id), eq(siteBatchLine.status, 'pending')))
      .orderBy(asc(siteBatchLine.position))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!line) return false;
    const result = await attempt(services, tx, async () => {
      if (!author) throw new ApiError('forbidden');
      await trials.check(line.siteId);
      return { batch, line, author };
    });
    await tx
      .update(siteBatchLine)
      .set({ ...result, finishedAt: new Date() })
      .where(eq(siteBatchLine.id, line.id));
    return true;
  });
}

interface LineResult {
  status: SiteBatchLineStatus;
  siteId?: number;
  error?: (typeof siteBatchLine.$inferSelect)['error'];
}

/** The line's change in a savepoint, so that a bad one leaves nothing behind but its reason. */
async function attempt(
  services: Services,
  tx: Transaction,
  prepare: () => Promise<Parameters<typeof applyLine>[1]>,
): Promise<LineResult> {
  try {
    const work = await prepare();
    return await tx.transaction((inner) => applyLine({ ...services, db: inner }, work));
  } catch (error) {
    if (error instanceof ApiError)
      return { status: 'failed', error: { error: error.error, fields: [...error.fields] } };
    if (error instanceof IpDataMissing) throw error;
    // What another transaction or a lost connection caused is no fault of the line.
    if (/^(?:08|40|57)/.test(databaseError(error)?.code ?? '')) throw error;
    services.log.error({ err: error }, 'a line of a site batch');
    return { status: 'failed', error: { error: 'internal', fields: [] } };
  }
}

async function finish(db: Db, id: number): Promise<void> {
  await db
    .update(siteBatch)
    .set({ finishedAt: new Date() })
    .where(
      and(
        eq(siteBatch.id, id),
        isNull(siteBatch.finishedAt),
        sql`NOT EXISTS (SELECT FROM site_batch_line l WHERE l.batch_id = ${id} AND l.status = 'pending')`,
      ),
    );
}
