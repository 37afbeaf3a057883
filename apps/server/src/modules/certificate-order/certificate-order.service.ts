import { inArray, sql } from 'drizzle-orm';
import { eachItem } from '../../each-item.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificateOrder } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';
import { readRenewalInfo } from '../../providers/acme/renewal-info.ts';
import { renewalId } from '../../providers/acme/certificate-key.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { Services } from '../../services.ts';
import { acmeAccess } from '../acme-account/acme-account.service.ts';
import { addSteps, readOrderRow, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { settleAnswers } from './http-challenge.ts';
import { currentCertificate } from './order-issue.ts';
import { forgetUsage } from './order-limits.ts';
import { isClockOff, renewalInWindow } from './order-plan.ts';

export { ownAnswer } from './http-challenge.ts';

/** What is due: tries, and questions to authorities when to renew. */

/** How long a try that has begun keeps others from beginning; after that its task is looked at. */
const guardMinutes = 60;

/**
 * Begins a try for each, as a task of its own, in the caller's transaction. One whose task is not over yet goes on: there is
 * never a second. Answers how many were begun.
 */
export async function beginTries(
  tx: Transaction,
  ids: readonly number[],
  { by, steps = [] }: { by: string; steps?: readonly NewStep[] },
): Promise<number> {
  const rows = await tx
    .select()
    .from(certificateOrder)
    .where(inArray(certificateOrder.id, [...ids]))
    .orderBy(certificateOrder.id)
    .for('update');
  const open = await openOperations(tx, rows);
  let begun = 0;
  for (const row of rows) {
    if (row.operationId !== null && open.has(row.operationId)) {
      await setColumns(tx, row.id, sql`next_at = now() + make_interval(mins => ${guardMinutes})`);
      continue;
    }
    const operationId = await createOperation(tx, {
      kind: 'certificate_order',
      title: row.name,
      subjectKind: 'certificate_order',
      subjectId: row.id,
      clientId: row.clientId ?? undefined,
      createdBy: by,
    });
    await setColumns(
      tx,
      row.id,
      sql`operation_id = ${operationId}, state = 'working', next_at = now() + make_interval(mins => ${guardMinutes})`,
    );
    await addSteps(tx, row.id, steps);
    await addItems(tx, operationId, [{ kind: 'certificate_order', key: String(row.id) }]);
    begun += 1;
  }
  return begun;
}

const setColumns = (tx: Transaction, id: number, columns: ReturnType<typeof sql>) =>
  tx.execute(sql`UPDATE certificate_order SET ${columns} WHERE id = ${id}`);

async function openOperations(tx: Transaction, rows: readonly OrderRow[]): Promise<Set<number>> {
  const ids = rows.flatMap(({ operationId }) => (operationId === null ? [] : [operationId]));
  if (ids.length === 0) return new Set();
  const found = await rowsOf<{ id: number }>(
    tx,
    sql`SELECT id FROM operation WHERE id = ANY(${sql.param(ids)}::integer[]) AND state IN ('pending', 'running')`,
  );
  return new Set(found.map(({ id }) => id));
}

const perRun = 300;

interface Due {
  id: number;
  /** It is valid, and its renewal not due: only the authority is asked when that is to be. */
  asks: boolean;
}

/** Tries under way that due work begins more of; what people ask for by hand comes on top. */
export const triesAtOnce = 20;

const placesLock = 728_141_939;

const isDue = sql`next_at <= now()`;
const isAsked = sql`state = 'valid' AND renew_at > now()`;

/**
 * What is due, the longest first: by an index on the time alone, whatever else there is. Of tries no more than there are places
 * for; those that are under way and were to be over by now are looked at besides.
 */
export const selectDue = (db: Db | Transaction): Promise<Due[]> =>
  rowsOf<Due>(
    db,
    sql`(SELECT id, true AS asks FROM certificate_order WHERE ${isDue} AND ${isAsked} ORDER BY next_at LIMIT ${perRun})
        UNION ALL
        (SELECT id, false FROM certificate_order WHERE ${isDue} AND state = 'working' ORDER BY next_at LIMIT ${perRun})
        UNION ALL
        (SELECT id, false FROM certificate_order WHERE ${isDue} AND state <> 'working' AND (${isAsked}) IS NOT TRUE ORDER BY next_at
          LIMIT greatest(0, ${triesAtOnce} - (SELECT count(*) FROM certificate_order WHERE state = 'working')))`,
  );

/** The job by the clock. */
export async function runDueOrders(services: Services, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const due = await services.db.transaction(async (tx) => {
    // Whoever counts the places takes them before another does.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${placesLock})`);
    const found = await selectDue(tx);
    const tries = found.flatMap(({ id, asks }) => (asks ? [] : [id]));
    await beginTries(tx, tries, { by: 'system' });
    return found;
  });
  const asking = due.filter(({ asks }) => asks);
  const work = {
    log: services.log,
    about: 'renewal information of a certificate',
    nameOf: ({ id }: Due) => id,
    seconds: askSeconds,
  };
  await eachItem(asking, work, ({ id }) => askWhenToRenew(services, id));
  await settleAnswers(services.db);
  await forgetUsage(services.db);
  return due.length;
}

const askSeconds = 300;
const hour = 3_600_000;

/** Asks the authority when a certificate is to be renewed; without its word it stays as planned by the lifetime. */
async function askWhenToRenew(services: Services, id: number): Promise<void> {
  const { db } = services;
  const row = await readOrderRow(db, id);
  const current = row && (await currentCertificate(db, row));
  if (row?.state !== 'valid' || row.renewAt === null || !current) return;
  // By a clock that is ahead every window is over: what has just been renewed stays as planned.
  const isFresh = current.updatedAt.getTime() > Date.now() - 24 * hour;
  const isOff = isFresh && isClockOff(current.notBefore, current.notAfter);
  const info = isOff ? undefined : await renewalInfoOf(services, row, current.certificate);
  // An authority that is away is asked again, but not for ever: the renewal comes in any case.
  const asked = info?.nextAt ?? new Date(Date.now() + 6 * hour);
  const isInside = info && row.renewAt >= info.start && row.renewAt <= info.end;
  const renewAt = info && !isInside ? renewalInWindow(info.start, info.end) : row.renewAt;
  const nextAt = info === null ? renewAt : new Date(Math.min(asked.getTime(), renewAt.getTime()));
  const steps: NewStep[] =
    info && !isInside
      ? [
          info.explanationUrl === ''
            ? { kind: 'renewal_planned', facts: { at: iso(renewAt), by: 'authority' } }
            : { kind: 'renewal_asked_early', detail: info.explanationUrl, facts: { at: iso(renewAt) } },
        ]
      : [];
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(
      sql`UPDATE certificate_order SET renew_at = ${iso(renewAt)}, next_at = ${iso(nextAt)}
          WHERE id = ${id} AND state = 'valid' AND next_at = ${iso(row.nextAt!)}`,
    );
    if (rowCount === 1) await addSteps(tx, id, steps);
  });
}

/** Null where nobody says; undefined where that could not be learnt now. */
async function renewalInfoOf(services: Services, row: OrderRow, pem: string) {
  const known = renewalId(pem);
  if (known === undefined || row.issuedAccountId === null) return null;
  try {
    const { session } = await acmeAccess(services, row.issuedAccountId);
    return (await readRenewalInfo(session, known)) ?? null;
  } catch (error) {
    if (error instanceof ProviderProblem) return undefined;
    throw error;
  }
}
