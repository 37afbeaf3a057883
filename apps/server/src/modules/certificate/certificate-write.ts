import { eq } from 'drizzle-orm';
import { mapConstraints, notFound } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { publishToUsers } from '../../delivery/edge-use.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import type { Secrets } from '../../secrets.ts';
import { assertWithin, limitOf } from '../customer-limit/customer-limit.service.ts';
import type { CertificatePair } from './certificate-pem.ts';

/** Certificates as they come into being and are replaced, whoever brings them; always in the transaction of the caller. */

type CertificateRow = typeof certificate.$inferSelect;

/** Keeps a new certificate of a customer, who may have only so many. Answers its id. */
export async function insertCertificate(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  { clientId, name, pair }: { clientId: number; name: string; pair: CertificatePair },
): Promise<number> {
  const limit = await limitOf(tx, clientId, 'certificates');
  const has = await tx.$count(certificate, eq(certificate.clientId, clientId));
  assertWithin(has + 1, limit, 'certificate', 'certificate_count');
  const [row] = await mapConstraints(
    { certificate_client_id_client_id_fk: ['client_id', 'does_not_exist'] },
    () =>
      tx
        .insert(certificate)
        .values({ ...pair, privateKey: secrets.encrypt(pair.privateKey), name, clientId })
        .returning(),
  );
  const { domains, issuer, notAfter } = row!;
  await recordEvent(tx, {
    ...aboutCertificate(row!),
    kind: 'created',
    actor,
    data: { changes: changesOf(undefined, { domains, issuer, not_after: iso(notAfter) }) },
  });
  return row!.id;
}

/**
 * Puts a new chain and key in the place of those of a certificate: all sites that use it follow by its document, and need no
 * change.
 */
export async function replaceCertificate(
  tx: Transaction,
  secrets: Secrets,
  id: number,
  pair: CertificatePair,
  { actor }: { actor: Actor; allowUncovered?: boolean },
): Promise<number | null> {
  const where = eq(certificate.id, id);
  const [before] = await tx.select().from(certificate).where(where).for('update');
  if (!before) throw notFound();
  const values = { ...pair, privateKey: secrets.encrypt(pair.privateKey) };
  const [after] = await tx.update(certificate).set(values).where(where).returning();
  const { name, clientId } = after!;
  return publishToUsers(tx, {
    kind: 'certificate',
    key: String(id),
    ...documentOf(after!, secrets),
    task: {
      type: 'certificate_update',
      title: name,
      objectKind: 'certificate',
      objectId: id,
      clientId,
      createdBy: actor.name,
    },
  });
}

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
