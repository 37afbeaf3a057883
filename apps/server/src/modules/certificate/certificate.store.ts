import { and, asc, eq, sql } from 'drizzle-orm';
import { ApiError, mapConstraints, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { certificate, client, siteCertificate } from '../../db/schema.ts';
import { removeDocument } from '../../delivery/publish.ts';
import type { Scope } from '../../scope.ts';
import type { Secrets } from '../../secrets.ts';
import { readCertificatePair } from './certificate-pem.ts';

const within = (scope: Scope) => ('all' in scope ? undefined : eq(certificate.clientId, scope.clientId));

export interface CertificateFilter {
  current_page: number;
  page_size: number;
  name?: string | undefined;
  domain?: string | undefined;
  client_id?: number | undefined;
}

export async function listCertificates(db: Db, scope: Scope, query: CertificateFilter) {
  const where = and(
    within(scope),
    contains(certificate.name, query.name),
    contains(sql`array_to_string(${certificate.domains}, ' ')`, query.domain),
    query.client_id ? eq(certificate.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectCertificates(db)
      .where(where)
      .orderBy(asc(certificate.notAfter), asc(certificate.id))
      .limit(limit)
      .offset(offset),
    db.$count(certificate, where),
  ]);
  return listPage(query, rows.map(present), total);
}

/** A customer's upload is their own; an administrator names the customer. */
export async function createCertificate(
  db: Db,
  scope: Scope,
  secrets: Secrets,
  input: { name: string; certificate: string; private_key: string; client_id?: number | undefined },
): Promise<number> {
  const pair = readCertificatePair(input.certificate, input.private_key);
  const clientId = 'all' in scope ? input.client_id : scope.clientId;
  if (clientId === undefined) throw new ApiError('invalid_input', [{ path: 'client_id', issue: 'required' }]);
  const [row] = await mapConstraints(
    { certificate_client_id_client_id_fk: ['client_id', 'does_not_exist'] },
    () =>
      db
        .insert(certificate)
        .values({ ...pair, name: input.name, clientId, privateKey: secrets.encrypt(pair.privateKey) })
        .returning({ id: certificate.id }),
  );
  return row!.id;
}

export async function removeCertificate(db: Db, scope: Scope, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await mapConstraints({}, () =>
      tx
        .delete(certificate)
        .where(and(eq(certificate.id, id), within(scope)))
        .returning({ id: certificate.id }),
    );
    if (rows.length === 0) throw notFound();
    await removeDocument(tx, { kind: 'certificate', key: String(id) });
  });
}

function selectCertificates(db: Db) {
  return db
    .select({
      certificate,
      clientName: client.name,
      siteCount: db.$count(siteCertificate, eq(siteCertificate.certificateId, certificate.id)),
    })
    .from(certificate)
    .innerJoin(client, eq(client.id, certificate.clientId))
    .$dynamic();
}

function present({
  certificate: row,
  clientName,
  siteCount,
}: Awaited<ReturnType<typeof selectCertificates>>[number]) {
  return {
    id: row.id,
    client_id: row.clientId,
    client_name: clientName,
    name: row.name,
    domains: row.domains,
    issuer: row.issuer,
    fingerprint: row.fingerprint,
    not_before: iso(row.notBefore),
    not_after: iso(row.notAfter),
    site_count: siteCount,
    created_at: iso(row.createdAt),
  };
}
