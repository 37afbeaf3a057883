import { eq, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { recordEvent, systemActor } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { insertCertificate, replaceCertificate } from '../certificate/certificate.service.ts';
import { advanceOrder, trimSteps, type NewStep, type OrderRow } from './certificate-order.store.ts';
import { withdrawAnswers } from './http-challenge.ts';
import type { Obtained } from './order-finalize.ts';
import { countFailures, giveRoomBack, keepRoom, LimitReached } from './order-limits.ts';
import { isClockOff, nextTry, renewalByLifetime, warningDue } from './order-plan.ts';
import { isOfAuthority, type OrderProblem } from './order-problem.ts';

/** How a try ends: with a certificate in its place, or with what went wrong and when the next one is. */

export async function currentCertificate(db: Db, { certificateId }: OrderRow) {
  if (certificateId === null) return undefined;
  const [row] = await db.select().from(certificate).where(eq(certificate.id, certificateId));
  return row;
}

/** Of a try that is over, in either way. */
const atRest = {
  operationId: null,
  orderAccountId: null,
  failedAccountIds: [],
  orderUrl: '',
  orderKey: null,
  phase: '',
  answers: null,
  waitingSince: null,
};

const aboutOrder = ({ id, name, clientId }: OrderRow) =>
  ({ subject: { kind: 'certificate_order', id, name }, clientId, actor: systemActor }) as const;

/** Puts what was obtained in the place of the certificate before, so that every site that uses it follows. */
export async function storeIssued(
  tx: Transaction,
  { secrets }: Pick<Services, 'secrets'>,
  row: OrderRow,
  { pair, account, hasRenewalInfo }: Obtained,
): Promise<void> {
  const renewAt = renewalByLifetime(pair.notBefore, pair.notAfter);
  const certificateId = row.certificateId ?? (await insertNew(tx, secrets, row, pair));
  await advanceOrder(
    tx,
    row,
    {
      ...atRest,
      certificateId,
      issuedAccountId: row.orderAccountId,
      state: 'valid',
      renewAt,
      nextAt: hasRenewalInfo ? new Date() : renewAt,
      failures: 0,
      problem: null,
      problemDetail: '',
      warnedDays: null,
    },
    [
      { kind: 'issued', facts: { account, issuer: pair.issuer, until: iso(pair.notAfter) } },
      ...clockSteps(pair),
      { kind: 'renewal_planned', facts: { at: iso(renewAt) } },
    ],
  );
  await keepRoom(tx, row.id);
  await trimSteps(tx, row.id);
  const facts = { account, domains: row.domains.join(', ') };
  await recordEvent(tx, { ...aboutOrder(row), kind: 'issued', data: { facts } });
  if (row.certificateId !== null)
    await replaceCertificate(tx, secrets, row.certificateId, pair, {
      actor: systemActor,
      allowUncovered: true,
    });
  await withdrawAnswers(tx, row.id);
}

const clockSteps = ({ notBefore, notAfter }: Obtained['pair']): NewStep[] =>
  isClockOff(notBefore, notAfter)
    ? [{ kind: 'clock_differs', facts: { from: iso(notBefore), until: iso(notAfter) } }]
    : [];

const insertNew = (
  tx: Transaction,
  secrets: Services['secrets'],
  { clientId, name }: OrderRow,
  pair: Obtained['pair'],
): Promise<number> => insertCertificate(tx, secrets, systemActor, { clientId, name, pair });

/**
 * Notes what went wrong. Answers whether the try goes on with another authority; else the next try is planned, and what is under
 * way with the authority goes on then, unless it is of no use any more.
 */
export async function storeFailure(
  tx: Transaction,
  row: OrderRow,
  failure: OrderProblem,
  others: boolean,
): Promise<boolean> {
  const { problem, detail, facts, retryAt, endsOrder } = failure;
  const failed: NewStep = { kind: 'failed', problem, detail, facts: { ...facts } };
  const { orderAccountId: accountId } = row;
  if (others && accountId !== null && isOfAuthority(failure)) {
    const failedAccountIds = [...row.failedAccountIds, accountId];
    await giveRoomBack(tx, row.id);
    const again = {
      orderAccountId: null,
      failedAccountIds,
      orderUrl: '',
      orderKey: null,
      phase: '',
      answers: null,
    };
    await advanceOrder(tx, row, again, [failed]);
    return true;
  }
  if (accountId !== null) await countFailures(tx, accountId, failure.names);
  if (endsOrder) await giveRoomBack(tx, row.id);
  if (failure instanceof LimitReached) return waitForRoom(tx, row, failure);
  const failures = row.failures + 1;
  const nextAt = nextTry(failures, retryAt);
  const kept = { operationId: null, failedAccountIds: [], waitingSince: row.waitingSince };
  await advanceOrder(
    tx,
    row,
    {
      ...(endsOrder ? atRest : kept),
      state: 'failed',
      failures,
      nextAt,
      problem,
      problemDetail: detail,
    },
    [failed, { kind: 'next_try', facts: { at: iso(nextAt) } }],
  );
  await trimSteps(tx, row.id);
  await tell(tx, row, failure);
  if (endsOrder) await withdrawAnswers(tx, row.id);
  return false;
}

/** No failure: the authority was not asked. */
async function waitForRoom(tx: Transaction, row: OrderRow, failure: LimitReached): Promise<false> {
  const { problem, detail, facts } = failure;
  const nextAt = failure.retryAt!;
  await advanceOrder(tx, row, { ...atRest, state: 'waiting', nextAt, problem, problemDetail: detail }, [
    { kind: 'limited', facts: { ...facts, at: iso(nextAt) } },
  ]);
  await trimSteps(tx, row.id);
  if (row.certificateId !== null) await tell(tx, row, failure);
  return false;
}

/** Once where none was obtained yet; of a renewal as the end comes closer. */
async function tell(tx: Transaction, row: OrderRow, { problem, detail }: OrderProblem): Promise<void> {
  const facts = { problem, ...(detail === '' ? {} : { detail: detail.slice(0, 500) }) };
  if (row.certificateId === null) {
    if (row.failures === 0)
      await recordEvent(tx, { ...aboutOrder(row), kind: 'issuance_failed', data: { facts } });
    return;
  }
  const [current] = await tx
    .select({ notAfter: certificate.notAfter })
    .from(certificate)
    .where(eq(certificate.id, row.certificateId));
  const days = current && warningDue(current.notAfter, row.warnedDays);
  if (days === undefined) return;
  await tx
    .update(certificateOrder)
    .set({ warnedDays: days, updatedAt: sql`${certificateOrder.updatedAt}` })
    .where(eq(certificateOrder.id, row.id));
  await recordEvent(tx, { ...aboutOrder(row), kind: 'issuance_failed', data: { facts: { ...facts, days } } });
}
