import { issueText, type CertificateDetail, type FileAnswer, type Language } from '@breakwater/contract';
import { and, eq } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { listDeliveries } from '../../delivery/delivery-state.ts';
import { owned, type Scope } from '../../scope.ts';
import { keyOf, warningsOf } from './certificate-chain.ts';
import { readUsers } from './certificate-coverage.ts';
import { blocksOf } from './certificate-pem.ts';

/** What is shown of one certificate besides what lists say. */

type Detail = Pick<CertificateDetail, 'chain' | 'warnings' | 'sites' | 'delivery'>;

export async function readDetail(db: Db, scope: Scope, id: number, language: Language): Promise<Detail> {
  const [pem, sites, [delivery]] = await Promise.all([
    readChain(db, scope, id),
    readUsers(db, scope, id),
    listDeliveries(db, [{ kind: 'certificate', key: String(id) }]),
  ]);
  const chain = chainIn(pem);
  return {
    chain: chain.map(present),
    warnings: warningTexts(chain, language),
    sites,
    delivery: delivery ?? null,
  };
}

/** The public part, in PEM. */
async function readChain(db: Db, scope: Scope, id: number): Promise<string> {
  const [row] = await db
    .select({ pem: certificate.certificate })
    .from(certificate)
    .where(and(eq(certificate.id, id), owned(certificate, scope)));
  if (!row) throw notFound();
  return row.pem;
}

/** A file of it. */
export async function downloadCertificate(db: Db, scope: Scope, id: number): Promise<FileAnswer> {
  const content = await readChain(db, scope, id);
  return { name: `certificate-${id}.pem`, content_type: 'application/x-pem-file', content };
}

const chainIn = (pem: string): X509Certificate[] => blocksOf(pem).map((block) => new X509Certificate(block));

const warningTexts = (chain: readonly X509Certificate[], language: Language): string[] =>
  warningsOf(chain, Date.now()).map((issue) => issueText(issue, language)!);

export const warningsOfPem = (pem: string, language: Language): string[] =>
  warningTexts(chainIn(pem), language);

/** The lines of a distinguished name as one. */
const oneLine = (name: string): string => name.replaceAll('\n', ', ');

const present = (one: X509Certificate) => ({
  subject: oneLine(one.subject),
  issuer: oneLine(one.issuer),
  serial: one.serialNumber,
  fingerprint: one.fingerprint256,
  signature: one.signatureAlgorithm ?? '',
  ...keyOf(one),
  not_before: iso(new Date(one.validFrom)),
  not_after: iso(new Date(one.validTo)),
});
