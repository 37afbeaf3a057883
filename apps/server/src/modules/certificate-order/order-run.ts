import { asc, eq } from 'drizzle-orm';
import { acmeAccount } from '../../db/schema.ts';
import { AcmeProblem } from '../../providers/acme/acme-problem.ts';
import { newOrder, readOrder, type AcmeOrder } from '../../providers/acme/acme-order.ts';
import { renewalId } from '../../providers/acme/certificate-key.ts';
import { assertRoom } from '../certificate/certificate.service.ts';
import { acmeAccess, forgetAccountUrl, type AcmeAccess } from '../acme-account/acme-account.service.ts';
import { proveNames } from './order-challenges.ts';
import { requestCertificate, type Obtained } from './order-finalize.ts';
import { takeRoom } from './order-limits.ts';
import { advance, assertNames, type Try } from './order-try.ts';
import { OrderProblem } from './order-problem.ts';
import { compareResolvers } from './order-resolvers.ts';
import { preflight } from './preflight.ts';
import { currentCertificate } from './order-issue.ts';

/**
 * One step of a try. The authority knows how far its order is, and the row where that order is: so each step reads both and does
 * what is next, and whoever is killed between two steps is followed by another who does the same.
 */

/** Seconds until the next step; or what was obtained. */
export type Step = number | Obtained;

export async function takeStep(attempt: Try): Promise<Step> {
  const { row, services } = attempt;
  if (row.orderAccountId === null) return chooseAccount(attempt);
  const access = await acmeAccess(services, row.orderAccountId);
  try {
    if (row.orderUrl === '') return await makeOrder(attempt, access);
    const order = await readKnownOrder(attempt, access);
    return await goOn(attempt, access, order);
  } catch (error) {
    // A test authority forgets after a restart; the key is registered again, and the order is a new one.
    if (!(error instanceof AcmeProblem) || error.type !== 'accountDoesNotExist') throw error;
    await forgetAccountUrl(services.db, access.account);
    throw new OrderProblem('authority_refused', error.detail);
  }
}

async function goOn(attempt: Try, access: AcmeAccess, order: AcmeOrder): Promise<Step> {
  switch (order.status) {
    case 'pending':
    case 'invalid':
      return proveNames(attempt, access, order);
    case 'ready':
    case 'processing':
    case 'valid':
      return requestCertificate(attempt, access, order);
  }
}

/** The account that was chosen; where none was, the first of the platform's that has not failed in this try. */
async function chooseAccount(attempt: Try): Promise<number> {
  const { services, row } = attempt;
  const rows = await services.db
    .select({ id: acmeAccount.id, name: acmeAccount.name, enabled: acmeAccount.enabled })
    .from(acmeAccount)
    .where(row.acmeAccountId === null ? eq(acmeAccount.enabled, true) : eq(acmeAccount.id, row.acmeAccountId))
    .orderBy(asc(acmeAccount.priority), asc(acmeAccount.id));
  const [chosen] = rows.filter(({ id }) => !row.failedAccountIds.includes(id));
  if (!chosen) throw new OrderProblem('no_account');
  if (!chosen.enabled) throw new OrderProblem('account_disabled', chosen.name);
  await advance(attempt, { orderAccountId: chosen.id, waitingSince: null }, [
    { kind: 'started', facts: { account: chosen.name, names: row.domains.join(', ') } },
  ]);
  return 0;
}

/** What can be checked before, is; then the order's address is kept before anything is done with it. */
async function makeOrder(attempt: Try, access: AcmeAccess): Promise<number> {
  const { services, row, signal } = attempt;
  const { session, account } = access;
  const sites = await assertNames(attempt);
  const { clientId } = row;
  if (row.certificateId === null && clientId !== null)
    await services.db.transaction((tx) => assertRoom(tx, clientId));
  const { meta } = await session.directory();
  const seen = await compareResolvers(attempt);
  if (seen.length > 0) await advance(attempt, {}, seen);
  await preflight(services, row, sites, meta.caaIdentities ?? []);
  signal.throwIfAborted();
  const order = await orderOf(attempt, access);
  await advance(attempt, { orderUrl: order.url, phase: 'ordered', waitingSince: new Date() }, [
    { kind: 'checked' },
    { kind: 'ordered', facts: { account: account.name } },
  ]);
  return 0;
}

/**
 * Names the certificate that it follows, where the authority gives renewal information and takes that; such an order may be
 * free of the authority's limits.
 */
async function orderOf({ services, row }: Try, { session, signer, account }: AcmeAccess): Promise<AcmeOrder> {
  const { db } = services;
  const { renewalInfo } = await session.directory();
  const current = renewalInfo === undefined ? undefined : await currentCertificate(db, row);
  const replaces = current && renewalId(current.certificate);
  const { profile } = account;
  const names = row.domains;
  const isExempt = replaces !== undefined && account.renewalsExempt;
  if (!isExempt) await takeRoom(db, row, account);
  try {
    return await newOrder(session, signer, { names, profile, replaces });
  } catch (error) {
    // Of another authority, of another account, or named before.
    const isAboutThat =
      error instanceof AcmeProblem && /^(?:alreadyReplaced|malformed|unauthorized)$/.test(error.type);
    if (replaces === undefined || !isAboutThat) throw error;
    if (isExempt) await takeRoom(db, row, account);
    return newOrder(session, signer, { names, profile });
  }
}

async function readKnownOrder({ row }: Try, { session, signer }: AcmeAccess): Promise<AcmeOrder> {
  try {
    return await readOrder(session, signer, row.orderUrl);
  } catch (error) {
    if (error instanceof AcmeProblem && (error.status === 404 || error.status === 410))
      throw new OrderProblem('order_expired', error.detail);
    throw error;
  }
}
