import { and, eq, sql } from 'drizzle-orm';
import { ApiError, invalid, notFound, type FieldIssue } from '../../api-error.ts';
import type { Change } from '../../crud.ts';
import type { Transaction } from '../../db/database.ts';
import { acmeAccount, certificate, certificateOrder, dnsAccount } from '../../db/schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import { revokeCertificate, type revocationReasons } from '../../providers/acme/acme-order.ts';
import { derOf } from '../../providers/acme/certificate-key.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import { owned } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { acmeAccess } from '../acme-account/acme-account.service.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { beginTries } from './certificate-order.service.ts';
import { addSteps, orderWithin, type OrderRow } from './certificate-order.store.ts';
import { withdrawAnswers } from './http-challenge.ts';
import { currentCertificate } from './order-issue.ts';
import { giveRoomBack } from './order-limits.ts';
import { foreignNames, servingSites } from './order-names.ts';

/** What people do with an order: they make it, change it, want it now, end it, revoke what it obtained. */

/** After a change, in its transaction: what it asks for is checked, and obtained where it makes another certificate. */
export async function followChange(
  tx: Transaction,
  change: Change<OrderRow>,
  { session }: { session: Session },
): Promise<void> {
  const { before, after } = change;
  if (after === undefined) return void (await withdrawAnswers(tx, before!.id));
  if (before && !makesAnother(before, after)) return;
  await assertPossible(tx, after, session);
  // What is under way is for something else by now.
  await tx
    .update(certificateOrder)
    .set({
      orderUrl: '',
      orderKey: null,
      orderAccountId: null,
      phase: '',
      answers: null,
      failures: 0,
      siteId: siteOf(change),
    })
    .where(eq(certificateOrder.id, after.id));
  await giveRoomBack(tx, after.id);
  await withdrawAnswers(tx, after.id);
  await beginTries(tx, [after.id], {
    by: session.name,
    steps: [{ kind: 'asked', facts: { by: session.name } }],
  });
}

/** Domains that somebody chose are followed no more. */
const siteOf = ({ before, after }: Change<OrderRow>): number | null =>
  before !== undefined && before.domains.join() === after?.domains.join() ? before.siteId : null;

const makesAnother = (before: OrderRow, after: OrderRow): boolean =>
  (['domains', 'challenge', 'acmeAccountId', 'dnsAccountId', 'keyType'] as const).some(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

async function assertPossible(tx: Transaction, row: OrderRow, session: Session): Promise<void> {
  const { clientId, dnsAccountId, acmeAccountId } = row;
  if (clientId !== null) await assertTheirs(tx, { ...row, clientId });
  if (acmeAccountId === null && (await tx.$count(acmeAccount, eq(acmeAccount.enabled, true))) === 0)
    throw invalid('acme_account_id', 'no_acme_account');
  if (dnsAccountId === null) return;
  const [account] = await tx.select().from(dnsAccount).where(eq(dnsAccount.id, dnsAccountId));
  // The platform's own is for those who may see it.
  const isTheirs = account?.clientId === clientId || (account?.clientId === null && session.kind === 'admin');
  if (!isTheirs) throw invalid('dns_account_id', 'does_not_exist');
}

/** The names are the customer's, and by http-01 a site of theirs is served under each. */
async function assertTheirs(
  tx: Transaction,
  { clientId, domains, challenge }: OrderRow & { clientId: number },
): Promise<void> {
  const foreign = await foreignNames(tx, clientId, domains);
  const sites = await servingSites(tx, clientId, domains);
  const fields = domains.flatMap((name, index): FieldIssue[] => {
    const path = `domains.${index}`;
    if (foreign.includes(name)) return [{ path, issue: 'certificate_name' }];
    if (challenge === 'http-01' && !sites.has(name)) return [{ path, issue: 'certificate_name_unserved' }];
    return [];
  });
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

export const runOrder = (services: Services, author: Author, id: number): Promise<void> =>
  services.db.transaction((tx) => runNow(tx, author, orderWithin(author.scope, id), notFound));

/** The spec's "renew": by the certificate. */
export const runOrderOfCertificate = (
  { db }: Services,
  author: Author,
  certificateId: number,
): Promise<void> =>
  db.transaction(async (tx) => {
    const theirs = and(eq(certificate.id, certificateId), owned(certificate, author.scope));
    if ((await tx.$count(certificate, theirs)) === 0) throw notFound();
    const where = and(
      eq(certificateOrder.certificateId, certificateId),
      owned(certificateOrder, author.scope),
    );
    await runNow(tx, author, where, () => new ApiError('certificate_uploaded'));
  });

async function runNow(
  tx: Transaction,
  { session }: Author,
  where: ReturnType<typeof orderWithin>,
  absent: () => ApiError,
): Promise<void> {
  const [row] = await tx
    .select({ id: certificateOrder.id })
    .from(certificateOrder)
    .where(where)
    .for('update');
  if (!row) throw absent();
  await beginTries(tx, [row.id], {
    by: session.name,
    steps: [{ kind: 'asked', facts: { by: session.name } }],
  });
}

export async function revokeOrder(
  services: Services,
  { session, scope }: Author,
  id: number,
  reason: keyof typeof revocationReasons,
): Promise<void> {
  const { db } = services;
  const [row] = await db.select().from(certificateOrder).where(orderWithin(scope, id));
  if (!row) throw notFound();
  const current = await currentCertificate(db, row);
  if (!current || row.issuedAccountId === null) throw new ApiError('certificate_uploaded');
  const { session: authority, signer } = await acmeAccess(services, row.issuedAccountId);
  try {
    await revokeCertificate(authority, signer, { der: derOf(current.certificate), reason });
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    const { issue, detail } = error;
    throw new ApiError('invalid_input', [
      { path: 'reason', issue, detail: detail === '' ? '' : ` (${detail})` },
    ]);
  }
  await db.transaction(async (tx) => {
    await tx
      .update(certificateOrder)
      .set({
        state: 'revoked',
        nextAt: null,
        renewAt: null,
        operationId: null,
        version: sql`${certificateOrder.version} + 1`,
      })
      .where(eq(certificateOrder.id, id));
    await addSteps(tx, id, [{ kind: 'revoked', facts: { by: session.name, reason } }]);
    const { name, clientId } = row;
    const subject = { kind: 'certificate_order', id, name } as const;
    await recordEvent(tx, {
      kind: 'revoked',
      subject,
      clientId,
      actor: session,
      data: { facts: { reason } },
    });
  });
}
