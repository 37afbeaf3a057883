import { certificateCovers } from '@breakwater/policy/http/host';
import { X509Certificate } from 'node:crypto';
import { downloadCertificate, finalizeOrder, type AcmeOrder } from '../../providers/acme/acme-order.ts';
import { certificateRequest, newCertificateKey, typeOfKey } from '../../providers/acme/certificate-key.ts';
import type { AcmeAccess } from '../acme-account/acme-account.service.ts';
import { readCertificatePair, type CertificatePair } from '../certificate/certificate.service.ts';
import { currentCertificate } from './order-issue.ts';
import { OrderProblem } from './order-problem.ts';
import { advance, assertNames, secondsUntil, type Try } from './order-try.ts';

/** From names that are proven to the certificate. */

export interface Obtained {
  pair: CertificatePair;
  account: string;
  /** Whether the authority says when to renew. */
  hasRenewalInfo: boolean;
}

export async function requestCertificate(
  attempt: Try,
  access: AcmeAccess,
  order: AcmeOrder,
): Promise<number | Obtained> {
  if (order.status === 'ready') return sendRequest(attempt, access, order);
  if (order.status === 'processing') return secondsUntil(order.retryAt, 1);
  return take(attempt, access, order);
}

/** The key is kept before the authority signs anything for it. */
async function sendRequest(attempt: Try, access: AcmeAccess, order: AcmeOrder): Promise<number> {
  const { services, row, signal } = attempt;
  if (row.orderKey === null) {
    const key = await keyFor(attempt, access);
    await advance(attempt, { orderKey: services.secrets.encrypt(key), phase: 'validated' }, [
      { kind: 'validated' },
    ]);
    return 0;
  }
  // A name may have gone to somebody else while it was proven.
  await assertNames(attempt);
  const csr = await certificateRequest(services.secrets.decrypt(row.orderKey), row.domains);
  signal.throwIfAborted();
  const { retryAt } = await finalizeOrder(access.session, access.signer, { order, csr });
  if (row.phase !== 'requested') await advance(attempt, { phase: 'requested' }, [{ kind: 'requested' }]);
  return secondsUntil(retryAt, 0.3);
}

/** A new one; that of the certificate before where it is to be kept, and of the wanted type. */
async function keyFor({ services, row }: Try, { account }: AcmeAccess): Promise<string> {
  const type = row.keyType ?? account.keyType;
  const current = row.reuseKey ? await currentCertificate(services.db, row) : undefined;
  const kept = current && services.secrets.decrypt(current.privateKey);
  return kept !== undefined && typeOfKey(kept) === type ? kept : newCertificateKey(type);
}

async function take(attempt: Try, access: AcmeAccess, order: AcmeOrder): Promise<Obtained> {
  const { services, row } = attempt;
  if (order.certificate === undefined || row.orderKey === null) throw new OrderProblem('authority_answer');
  const chain = await downloadCertificate(access.session, access.signer, order.certificate);
  assertTime(chain);
  const pair = readPair(chain, services.secrets.decrypt(row.orderKey));
  const missing = row.domains.find((name) => !pair.domains.some((each) => certificateCovers(each, name)));
  if (missing !== undefined) throw new OrderProblem('authority_answer', missing);
  const { renewalInfo } = await access.session.directory();
  // Or while the authority issued it: what was issued then is used by nobody, and its key forgotten.
  await assertNames(attempt);
  return { pair, account: access.account.name, hasRenewalInfo: renewalInfo !== undefined };
}

/** What was issued a moment ago has not expired, but by a clock that is off. */
function assertTime(chain: string): void {
  const { validFromDate: from, validToDate: until } = leafOf(chain);
  if (until.getTime() < Date.now())
    throw new OrderProblem('clock_off', `${from.toISOString()} – ${until.toISOString()}`);
}

function leafOf(chain: string): X509Certificate {
  try {
    return new X509Certificate(chain);
  } catch {
    throw new OrderProblem('authority_answer');
  }
}

function readPair(chain: string, key: string): CertificatePair {
  try {
    return readCertificatePair(chain, key);
  } catch {
    throw new OrderProblem('authority_answer');
  }
}
