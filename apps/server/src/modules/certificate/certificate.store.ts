import type { certificateRoutes, Language } from '@breakwater/contract';
import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { certificate, client } from '../../db/schema.ts';
import { countUsers } from '../../delivery/edge-use.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readDetail, warningsOfPem } from './certificate-detail.ts';
import { statusOf, whereCertificates, type CertificateFilter } from './certificate-filter.ts';
import { holdsCertificate, pairOf } from './certificate-input.ts';
import { aboutCertificate, insertCertificate, replaceCertificate } from './certificate-write.ts';

const within = (scope: Scope) => owned(certificate, scope);

export async function listCertificates(
  db: Db,
  scope: Scope,
  query: CertificateFilter & { current_page: number; page_size: number },
) {
  const where = whereCertificates(scope, query);
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

export async function getCertificate(db: Db, scope: Scope, id: number, language: Language) {
  const [row] = await selectCertificates(db).where(and(eq(certificate.id, id), within(scope)));
  if (!row) throw notFound();
  return { ...present(row), ...(await readDetail(db, scope, id, language)) };
}

interface Ending {
  /** What ends within so many days is about to end. */
  days: number;
  most: number;
}

/** How many have ended or are about to, and the first of both. */
export async function readEndingCertificates(db: Db, scope: Scope, { days, most }: Ending) {
  const isOver = sql`${certificate.notAfter} <= now()`;
  const isClose = sql`${certificate.notAfter} <= now() + make_interval(days => ${days})`;
  const [[counts], rows] = await Promise.all([
    db
      .select({
        total: sql<number>`count(*)::int`,
        ending: sql<number>`count(*) FILTER (WHERE ${isClose} AND NOT ${isOver})::int`,
        expired: sql<number>`count(*) FILTER (WHERE ${isOver})::int`,
      })
      .from(certificate)
      .where(within(scope)),
    selectCertificates(db)
      .where(and(within(scope), isClose))
      .orderBy(asc(certificate.notAfter), asc(certificate.id))
      .limit(most),
  ]);
  return { ...counts!, list: rows.map(present) };
}

type Writing = Pick<Services, 'db' | 'secrets'>;

/** A customer's upload is their own; an administrator names the customer, or nobody: then it is the platform's. */
export async function createCertificate(
  { db, secrets }: Writing,
  scope: Scope,
  actor: Actor,
  input: z.output<typeof certificateRoutes.createCertificate.body>,
  language: Language,
) {
  const pair = await pairOf(input);
  const clientId = ownerOfNew(scope, input.client_id);
  const { name, group_name: groupName } = input;
  const id = await db.transaction((tx) =>
    insertCertificate(tx, secrets, actor, { clientId, name, groupName, pair }),
  );
  return { id, warnings: warningsOfPem(pair.certificate, language) };
}

/** Answers the task that brings a replaced certificate to the nodes. Throws `stale_version` for a change of an older one. */
export async function updateCertificate(
  { db, secrets }: Writing,
  scope: Scope,
  actor: Actor,
  { id, name, version, ...input }: { id: number } & z.output<typeof certificateRoutes.updateCertificate.body>,
  language: Language,
) {
  const where = and(eq(certificate.id, id), within(scope));
  const pair = holdsCertificate(input) ? await pairOf(input, () => formerKey(db, secrets, where)) : undefined;
  const task_id = await db.transaction(async (tx) => {
    const [before] = await tx.select().from(certificate).where(where).for('update');
    if (!before) throw notFound();
    if (before.version !== version) throw new ApiError('stale_version');
    const group = input.group_name ?? before.groupName;
    const [after] = await tx
      .update(certificate)
      .set({ name, groupName: group, version: pair ? version : version + 1 })
      .where(where)
      .returning();
    const changes = changesOf(
      { name: before.name, group_name: before.groupName },
      { name, group_name: group },
    );
    if (changes.length > 0)
      await recordEvent(tx, { ...aboutCertificate(after!), kind: 'updated', actor, data: { changes } });
    return pair
      ? replaceCertificate(tx, secrets, id, pair, { actor, allowUncovered: input.allow_uncovered })
      : null;
  });
  return { task_id, warnings: pair ? warningsOfPem(pair.certificate, language) : [] };
}

async function formerKey(db: Db, secrets: Services['secrets'], where: SQL | undefined): Promise<string> {
  const [row] = await db.select({ key: certificate.privateKey }).from(certificate).where(where);
  if (!row) throw notFound();
  return secrets.decrypt(row.key);
}

function selectCertificates(db: Db) {
  return db
    .select({
      certificate,
      clientName: client.name,
      siteCount: countUsers('site', { kind: 'certificate', id: sql`${certificate.id}` }),
    })
    .from(certificate)
    .leftJoin(client, eq(client.id, certificate.clientId))
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
    group_name: row.groupName,
    domains: row.domains,
    issuer: row.issuer,
    fingerprint: row.fingerprint,
    not_before: iso(row.notBefore),
    not_after: iso(row.notAfter),
    status: statusOf(row.notAfter),
    site_count: siteCount,
    version: row.version,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
