import type { certificateRoutes } from '@breakwater/contract';
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, invalid, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { certificate, client } from '../../db/schema.ts';
import { assertUnused, countUsers } from '../../delivery/edge-use.ts';
import { changesOf, recordEvent, type Actor } from '../../events/record-event.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import type { Secrets } from '../../secrets.ts';
import { readCertificatePair } from './certificate-pem.ts';
import { aboutCertificate, insertCertificate, replaceCertificate } from './certificate-write.ts';

const within = (scope: Scope) => owned(certificate, scope);

export interface CertificateFilter {
  current_page: number;
  page_size: number;
  name?: string | undefined;
  domain?: string | undefined;
  keyword?: string | undefined;
  ids?: number[] | undefined;
  client_id?: number | undefined;
}

const domainText = sql`array_to_string(${certificate.domains}, ' ')`;

export async function listCertificates(db: Db, scope: Scope, query: CertificateFilter) {
  const where = and(
    within(scope),
    contains(certificate.name, query.name),
    contains(domainText, query.domain),
    or(...[certificate.name, domainText].map((column) => contains(column, query.keyword))),
    query.ids && inArray(certificate.id, query.ids),
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

export async function getCertificate(db: Db, scope: Scope, id: number) {
  const [row] = await selectCertificates(db).where(and(eq(certificate.id, id), within(scope)));
  if (!row) throw notFound();
  return present(row);
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

/** A customer's upload is their own; an administrator names the customer. */
export async function createCertificate(
  db: Db,
  scope: Scope,
  secrets: Secrets,
  actor: Actor,
  input: { name: string; certificate: string; private_key: string; client_id?: number | undefined },
): Promise<number> {
  const pair = readCertificatePair(input.certificate, input.private_key);
  const clientId = ownerOfNew(scope, input.client_id);
  if (clientId === null) throw invalid('client_id', 'required');
  return db.transaction((tx) => insertCertificate(tx, secrets, actor, { clientId, name: input.name, pair }));
}

/** Answers the task that brings a replaced certificate to the nodes. Throws `stale_version` for a change of an older one. */
export function updateCertificate(
  db: Db,
  scope: Scope,
  secrets: Secrets,
  actor: Actor,
  id: number,
  { version, name, certificate: pem = '', private_key: key = '', ...input }: z.output<Change>,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    const where = and(eq(certificate.id, id), within(scope));
    const [before] = await tx.select().from(certificate).where(where).for('update');
    if (!before) throw notFound();
    if (before.version !== version) throw new ApiError('stale_version');
    const isReplaced = pem !== '';
    const [after] = await tx
      .update(certificate)
      .set({ name, version: isReplaced ? version : version + 1 })
      .where(where)
      .returning();
    const changes = changesOf({ name: before.name }, { name });
    if (changes.length > 0)
      await recordEvent(tx, { ...aboutCertificate(after!), kind: 'updated', actor, data: { changes } });
    if (!isReplaced) return null;
    const pair = readCertificatePair(pem, key === '' ? secrets.decrypt(before.privateKey) : key);
    return replaceCertificate(tx, secrets, id, pair, { actor, allowUncovered: input.allow_uncovered });
  });
}
type Change = typeof certificateRoutes.updateCertificate.body;

export async function removeCertificate(db: Db, scope: Scope, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const where = and(eq(certificate.id, id), within(scope));
    const [row] = await tx.select().from(certificate).where(where).for('update');
    if (!row) throw notFound();
    await assertUnused(tx, { kind: 'certificate', key: String(id) });
    await tx.delete(certificate).where(where);
    await recordEvent(tx, { ...aboutCertificate(row), kind: 'removed', actor });
  });
}

function selectCertificates(db: Db) {
  return db
    .select({
      certificate,
      clientName: client.name,
      siteCount: countUsers('site', { kind: 'certificate', id: sql`${certificate.id}` }),
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
    version: row.version,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}
