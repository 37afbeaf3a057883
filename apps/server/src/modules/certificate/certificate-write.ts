import { eq } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { publishToUsers } from '../../delivery/edge-use.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import type { Secrets } from '../../secrets.ts';
import { assertWithin, limitOf } from '../customer-limit/customer-limit.service.ts';
import { checkUsersSoon } from '../served-certificate/served-certificate.service.ts';
import { domainsLost } from './certificate-coverage.ts';
import { nextNotice } from './certificate-notice-times.ts';
import type { CertificatePair } from './certificate-pem.ts';

/** Certificates as they come into being and are replaced, whoever brings them; always in the transaction of the caller. */

type CertificateRow = typeof certificate.$inferSelect;

interface NewCertificate {
  clientId: number | null;
  name: string;
  groupName?: string;
  pair: CertificatePair;
}

/** Keeps a new certificate of a customer, who may have only so many, or of the platform. Answers its id. */
export async function insertCertificate(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  { clientId, name, groupName = '', pair }: NewCertificate,
): Promise<number> {
  if (clientId !== null) await assertRoom(tx, clientId);
  const [row] = await mapConstraints(
    { certificate_client_id_client_id_fk: ['client_id', 'does_not_exist'] },
    () =>
      tx
        .insert(certificate)
        .values({ ...valuesOf(pair, secrets), name, groupName, clientId })
        .returning(),
  );
  await recordEvent(tx, {
    ...aboutCertificate(row!),
    kind: 'created',
    actor,
    data: { changes: changesOf(undefined, toldOf(row!)) },
  });
  return row!.id;
}

/** Refuses one more, or so many, where the customer then had more than they may. */
export async function assertRoom(tx: Transaction, clientId: number, more = 1): Promise<void> {
  const limit = await limitOf(tx, clientId, 'certificates');
  const has = await tx.$count(certificate, eq(certificate.clientId, clientId));
  assertWithin(has + more, limit, 'certificate', 'certificate_count');
}

interface Replacement {
  actor: Actor;
  /** Also where domains of sites lose their certificate by it. */
  allowUncovered?: boolean;
}

/**
 * Puts a new chain and key in the place of those of a certificate: all sites that use it follow by its document, and need no
 * change. Answers the task that ends with the last node's confirmation; null where nodes have nothing new to learn. Locks the
 * certificate, then the counter of documents: whoever writes anything else does it before (`delivery/revisions.ts`).
 *
 * Errors: `not_found`, and `invalid_input` at `certificate` with the domains that no certificate of their site would cover.
 */
export async function replaceCertificate(
  tx: Transaction,
  secrets: Secrets,
  id: number,
  pair: CertificatePair,
  { actor, allowUncovered = false }: Replacement,
): Promise<number | null> {
  const where = eq(certificate.id, id);
  const [before] = await tx.select().from(certificate).where(where).for('update');
  if (!before) throw notFound();
  const lost = allowUncovered ? [] : await domainsLost(tx, id, pair.domains);
  if (lost.length > 0) throw uncovered(lost);
  const [after] = await tx
    .update(certificate)
    .set({ ...valuesOf(pair, secrets), version: before.version + 1 })
    .where(where)
    .returning();
  await recordEvent(tx, {
    ...aboutCertificate(after!),
    kind: 'replaced',
    actor,
    data: { changes: changesOf(toldOf(before), toldOf(after!)) },
  });
  await checkUsersSoon(tx, id);
  return publishCertificate(tx, secrets, after!, actor);
}

/** An answer names no more than somebody reads. */
const namedMax = 20;

function uncovered(domains: readonly string[]): ApiError {
  const more = domains.length > namedMax ? ` … (${domains.length})` : '';
  const detail = domains.slice(0, namedMax).join(', ') + more;
  return new ApiError('invalid_input', [{ path: 'certificate', issue: 'certificate_uncovers', detail }]);
}

/** The columns that follow from a pair. */
const valuesOf = (pair: CertificatePair, secrets: Secrets) => ({
  ...pair,
  privateKey: secrets.encrypt(pair.privateKey),
  noticeAt: nextNotice(pair.notAfter, Date.now()),
});

/** What events tell of one. */
const toldOf = ({ domains, issuer, fingerprint, notAfter }: CertificateRow) => ({
  domains,
  issuer,
  fingerprint,
  not_after: iso(notAfter),
});

export const aboutCertificate = ({ id, name, clientId }: CertificateRow) =>
  ({ subject: { kind: 'certificate', id, name }, clientId }) as const;

/** What nodes are told of a certificate, sealed where it is stored. */
export function documentOf(row: CertificateRow, secrets: Secrets) {
  const body = {
    certificate_id: row.id,
    domains: row.domains,
    certificate: row.certificate,
    private_key: secrets.decrypt(row.privateKey),
  };
  return { body, encrypt: secrets.encrypt };
}

const publishCertificate = (
  tx: Transaction,
  secrets: Secrets,
  row: CertificateRow,
  actor: Actor,
): Promise<number | null> =>
  publishToUsers(tx, {
    kind: 'certificate',
    key: String(row.id),
    ...documentOf(row, secrets),
    task: {
      type: 'certificate_update',
      title: row.name,
      objectKind: 'certificate',
      objectId: row.id,
      clientId: row.clientId ?? undefined,
      createdBy: actor.name,
    },
  });
