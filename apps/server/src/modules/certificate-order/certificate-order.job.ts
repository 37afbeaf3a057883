import { and, eq, ne, notInArray } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import { acmeAccount, certificateOrder } from '../../db/schema.ts';
import { defineJob, doubling, Later, LeaseLost, type ItemWork, type Outcome } from '../../jobs/define-job.ts';
import type { Services } from '../../services.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import { Overtaken, readOrderRow, type OrderRow } from './certificate-order.store.ts';
import { removeRecords } from './dns-challenge.ts';
import { storeFailure, storeIssued } from './order-issue.ts';
import { LimitReached } from './order-limits.ts';
import { OrderProblem, orderProblemOf } from './order-problem.ts';
import { takeStep } from './order-run.ts';
import { bindCertificate } from './order-sites.ts';

const attempts = 5;

/** One try to obtain a certificate, step by step. Between steps it waits without a place among the worker's items. */
export const certificateOrderJob = defineJob({
  kind: 'certificate_order',
  attempts,
  backoffSeconds: doubling(300),
  timeoutSeconds: 300,
  run: async (work) => {
    const id = Number(work.item.key);
    for (;;) {
      const row = await readOrderRow(work.services.db, id);
      // This one is over, and its server was killed before what follows was done.
      if (row?.operationId === null) return followUp(work.services, row);
      // Another has begun since.
      if (row?.operationId !== work.operation.id) return { state: 'unchanged' };
      const ended = await oneStep(work, row);
      if (ended) return ended;
    }
  },
});

/** After a certificate was obtained: the records go, and its site uses it. Done twice it changes nothing. */
async function followUp(services: Services, row: OrderRow): Promise<Outcome> {
  // Where a try has failed and its order goes on, the authority has not seen the records yet.
  if (row.phase === '') await cleanUp(services, row);
  if (row.state !== 'valid') return { state: 'unchanged' };
  await bindCertificate(services, row.id);
  return { state: 'done' };
}

async function oneStep(work: ItemWork, row: OrderRow): Promise<Outcome | undefined> {
  const { services, signal } = work;
  try {
    signal.throwIfAborted();
    const step = await takeStep({ services, row, signal });
    if (step === 0) return undefined;
    if (typeof step === 'number') throw new Later(step);
    signal.throwIfAborted();
    // The item ends later than that: whoever is killed in between is followed by one who does the rest.
    await services.db.transaction((tx) => storeIssued(tx, services, row, step));
    return undefined;
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    return endTry(work, row, orderProblemOf(error) ?? lastFailure(work, error));
  }
}

/** What nobody foresaw is tried again by the worker; the last time it is told in the timeline, and the next try is planned. */
function lastFailure({ services, item, signal }: ItemWork, error: unknown): OrderProblem {
  const isWait = error instanceof Later || error instanceof LeaseLost;
  if (isWait || signal.aborted || item.attempt < attempts) throw error;
  services.log.error({ err: error, order: item.key }, 'a certificate could not be obtained');
  return new OrderProblem('internal', '', { endsOrder: false });
}

/** Undefined where another authority is tried at once. An order that waits for the authority's limits has not failed. */
async function endTry(
  { services, signal }: ItemWork,
  row: OrderRow,
  failure: OrderProblem,
): Promise<Outcome | undefined> {
  signal.throwIfAborted();
  const { db } = services;
  const others = await hasOthers(services, row);
  const goesOn = await db
    .transaction((tx) => storeFailure(tx, row, failure, others))
    .catch((error: unknown) => {
      if (error instanceof Overtaken) return true;
      throw error;
    });
  if (goesOn || failure.endsOrder) await cleanUp(services, row);
  if (goesOn) return undefined;
  if (failure instanceof LimitReached) return { state: 'unchanged' };
  throw new ApiError('certificate_not_issued');
}

/** Whether the platform has another account to try, where none was chosen. */
async function hasOthers({ db }: Services, row: OrderRow): Promise<boolean> {
  if (row.acmeAccountId !== null || row.orderAccountId === null) return false;
  const left = and(
    eq(acmeAccount.enabled, true),
    ne(acmeAccount.id, row.orderAccountId),
    notInArray(acmeAccount.id, [0, ...row.failedAccountIds]),
  );
  return (await db.$count(acmeAccount, left)) > 0;
}

/** Takes records away that the authority has seen. What cannot be taken away now does no harm, and is tried again by the next try. */
async function cleanUp(services: Services, { id, dnsAccountId, records }: OrderRow): Promise<void> {
  if (dnsAccountId === null || records.length === 0) return;
  try {
    await removeRecords(await dnsClientOf(services, dnsAccountId), records);
    await services.db.update(certificateOrder).set({ records: [] }).where(eq(certificateOrder.id, id));
  } catch (error) {
    services.log.warn({ err: error, order: id }, 'records of a challenge could not be removed');
  }
}
