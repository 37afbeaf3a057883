import { and, asc, eq, inArray } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { ApiError, invalid, notFound, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { certificate, order, site, siteCertificate } from '../../db/schema.ts';
import { publishDocument } from '../../delivery/publish.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Secrets } from '../../secrets.ts';
import { blocksOf } from './certificate-pem.ts';

/** Certificates on their way to the nodes, and which sites use them; always in the transaction of the change. */

/** Refuses what holds no certificates of authorities, for visitors' certificates to be checked against. */
export function checkAuthorities(pem: string, path: string): void {
  const blocks = blocksOf(pem);
  const isGood = blocks.every((block) => {
    try {
      return new X509Certificate(block).ca;
    } catch {
      return false;
    }
  });
  if (!isGood || blocks.length === 0) throw invalid(path, 'authority_invalid');
}

/** Notes which certificates a site uses from now on: those of its own customer only. */
export async function useCertificates(
  tx: Transaction,
  { id: siteId, clientId }: { id: number; clientId: number },
  ids: readonly number[],
  path: string,
): Promise<void> {
  const owned = await tx
    .select({ id: certificate.id })
    .from(certificate)
    .where(and(inArray(certificate.id, [...ids]), eq(certificate.clientId, clientId)))
    .for('share');
  const known = new Set(owned.map((found) => found.id));
  const fields = ids.flatMap((id, index): FieldIssue[] =>
    known.has(id) ? [] : [{ path: `${path}.${index}`, issue: 'does_not_exist' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
  await tx.delete(siteCertificate).where(eq(siteCertificate.siteId, siteId));
  const rows = [...known].map((certificateId) => ({ siteId, certificateId }));
  if (rows.length > 0) await tx.insert(siteCertificate).values(rows);
}

/** A certificate goes wherever a site that uses it is served, and nowhere else. */
export async function publishCertificate(
  tx: Transaction,
  secrets: Secrets,
  id: number,
  task: NewTask | { id: number },
): Promise<number | null> {
  const [row] = await tx.select().from(certificate).where(eq(certificate.id, id));
  if (!row) throw notFound();
  const groups = await tx
    .selectDistinct({ id: order.lineGroupId })
    .from(siteCertificate)
    .innerJoin(site, eq(site.id, siteCertificate.siteId))
    .innerJoin(order, eq(order.id, site.orderId))
    .where(eq(siteCertificate.certificateId, id))
    .orderBy(asc(order.lineGroupId));
  const { taskId } = await publishDocument(tx, {
    kind: 'certificate',
    key: String(id),
    lineGroupIds: groups.map((group) => group.id),
    body: {
      certificate_id: id,
      domains: row.domains,
      certificate: row.certificate,
      private_key: secrets.decrypt(row.privateKey),
    },
    task,
    encrypt: secrets.encrypt,
  });
  return taskId;
}
