import { and, eq, inArray } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { ApiError, invalid, notFound, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { certificate } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import { blocksOf } from './certificate-pem.ts';
import { documentOf } from './certificate-write.ts';

export { bindingOf, readSiteCertificates, type SiteCertificate } from './certificate-binding.ts';
export { keyOf } from './certificate-chain.ts';
export { warningsOfPem } from './certificate-detail.ts';
export { blocksIn, readCertificatePair, type CertificatePair } from './certificate-pem.ts';
export { readPkcs12 } from './pkcs12.ts';
export { tellOfEndings } from './certificate-notices.ts';
export { assertRoom, insertCertificate, replaceCertificate } from './certificate-write.ts';

/** Certificates for other modules: which ones a site may use, what nodes are told of them, and how new ones come. */

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

/** Refuses certificates that are not of the site's customer; the others stay until the transaction ends. */
export async function checkCertificates(
  tx: Transaction,
  { clientId }: { clientId: number },
  ids: readonly number[],
  path: string,
): Promise<void> {
  const owned = await tx
    .select({ id: certificate.id })
    .from(certificate)
    .where(and(inArray(certificate.id, [...ids]), eq(certificate.clientId, clientId)))
    .orderBy(certificate.id)
    .for('share');
  const known = new Set(owned.map((found) => found.id));
  const fields = ids.flatMap((id, index): FieldIssue[] =>
    known.has(id) ? [] : [{ path: `${path}.${index}`, issue: 'does_not_exist' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

/** The document of a certificate. */
export async function certificateBody(tx: Transaction, secrets: Secrets, key: string) {
  const [row] = await tx
    .select()
    .from(certificate)
    .where(eq(certificate.id, Number(key)));
  if (!row) throw notFound();
  return documentOf(row, secrets);
}
