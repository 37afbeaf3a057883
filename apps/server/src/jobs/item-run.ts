import { ApiError, databaseError, isDatabaseAway } from '../api-error.ts';
import type { ItemError } from '../db/schema.ts';
import type { Services } from '../services.ts';
import { Later, LeaseLost, type Job, type Outcome } from './define-job.ts';
import {
  cancelItem,
  failItem,
  finishItem,
  holdItem,
  releaseItem,
  wakeOperation,
  type Claimed,
} from './item-claims.ts';
import { reportProgress } from './operation.store.ts';

/** Why a worker lets go of an item before it ended. */
export type Interruption = 'cancelled' | 'lost' | 'stopping' | 'timed_out';

class Interrupted extends Error {
  readonly why: Interruption;

  constructor(why: Interruption) {
    super(why);
    this.why = why;
  }
}

export const interrupt = (controller: AbortController, why: Interruption): void =>
  controller.abort(new Interrupted(why));

/** Whatever an item does when it is told to end: after so long its worker turns to the next. */
const graceMilliseconds = 3000;

/** Does one item and writes what came of it. Throws only when the database does: then the lease runs out, and another tries. */
export async function runItem(
  services: Services,
  job: Job,
  claimed: Claimed,
  controller: AbortController,
): Promise<void> {
  const { claim, item, operation } = claimed;
  const { db } = services;
  try {
    // Whoever had it before ended without a word.
    if (item.attempt > job.attempts) await failItem(db, claim, { error: 'work_interrupted', fields: [] });
    else await attempt(services, job, claimed, controller);
  } catch (error) {
    await leave(services, job, claimed, controller.signal, error);
  }
  await wakeOperation(db, operation.id);
}

async function attempt(
  services: Services,
  job: Job,
  { claim, item, operation }: Claimed,
  controller: AbortController,
): Promise<void> {
  const { db } = services;
  const { signal } = controller;
  let written = false;
  const timer = setTimeout(() => interrupt(controller, 'timed_out'), job.timeoutSeconds * 1000);
  const transact = (work: Parameters<Parameters<Job['run']>[0]['transact']>[0]): Promise<Outcome> =>
    db
      .transaction(async (tx) => {
        signal.throwIfAborted();
        if (!(await holdItem(tx, claim))) throw new LeaseLost();
        const outcome = await work(tx);
        await finishItem(tx, claim, outcome);
        return outcome;
      })
      .then((outcome) => {
        written = true;
        return outcome;
      });
  const report = async (progress: number): Promise<void> => {
    if (!(await reportProgress(db, claim, progress))) throw new LeaseLost();
  };
  try {
    const run = job.run({ services, operation, item, signal, transact, report });
    const outcome = await Promise.race([run, whenOverdue(signal)]);
    if (!written) await finishItem(db, claim, outcome);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects when it was told to end and has not done so after a while. */
function whenOverdue(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => setTimeout(() => reject(signal.reason as Error), graceMilliseconds).unref();
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

/** After an end that was none, or a bad one. */
async function leave(
  { db, log }: Services,
  job: Job,
  { claim, item, operation }: Claimed,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const why = signal.reason instanceof Interrupted ? signal.reason.why : undefined;
  if (why === 'lost' || error instanceof LeaseLost) return;
  if (why === 'cancelled') return void (await cancelItem(db, claim));
  if (why === 'stopping') return void (await releaseItem(db, claim, { afterSeconds: 0, counts: false }));
  if (error instanceof Later && why === undefined)
    return void (await releaseItem(db, claim, { afterSeconds: error.seconds, counts: false }));
  if (error instanceof ApiError && why === undefined)
    return void (await failItem(db, claim, { error: error.error, fields: [...error.fields] }));
  const reason: ItemError = { error: why === 'timed_out' ? 'work_timed_out' : 'internal', fields: [] };
  const about = { err: error, kind: operation.kind, operation: operation.id, attempt: item.attempt };
  if (item.attempt >= job.attempts && !isPassing(error)) {
    log.error(about, 'an item of an operation failed');
    await failItem(db, claim, reason);
    return;
  }
  log.warn(about, 'an item of an operation is tried again');
  const afterSeconds = job.backoffSeconds(item.attempt);
  await releaseItem(db, claim, { afterSeconds, counts: !isPassing(error), error: reason });
}

/** What another transaction or a lost connection caused is no fault of the item. */
const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || /^(?:08|40|57)/.test(databaseError(error)?.code ?? '');
