import type { CertificateSelection } from '@breakwater/contract';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, listPage, pageOf } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { changesOf, recordEvents, type Actor } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';
import { selectedCertificates } from './certificate-removal.ts';
import { aboutCertificate } from './certificate-write.ts';

/** Groups of certificates: each has the name of one, and a group is there as long as it has certificates. */

interface GroupQuery {
  name?: string | undefined;
  client_id?: number | undefined;
  current_page: number;
  page_size: number;
}

export async function listGroups(db: Db, scope: Scope, query: GroupQuery) {
  const where = and(
    owned(certificate, scope),
    ne(certificate.groupName, ''),
    contains(certificate.groupName, query.name),
    query.client_id ? eq(certificate.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [list, [counted]] = await Promise.all([
    db
      .select({ name: certificate.groupName, certificates: sql<number>`count(*)::int` })
      .from(certificate)
      .where(where)
      .groupBy(certificate.groupName)
      .orderBy(asc(certificate.groupName))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(DISTINCT ${certificate.groupName})::int` })
      .from(certificate)
      .where(where),
  ]);
  return listPage(query, list, counted?.total ?? 0);
}

interface Move {
  certificates: CertificateSelection;
  group_name: string;
  from?: string | undefined;
}

/** Answers which were moved, by the group they were in. */
export function groupCertificates(
  db: Db,
  scope: Scope,
  actor: Actor,
  { certificates, group_name: groupName, from }: Move,
) {
  return db.transaction(async (tx) => {
    const rows = await selectedCertificates(tx, scope, certificates);
    if (from !== undefined && rows.some((row) => row.groupName !== from)) throw new ApiError('stale_version');
    const changed = rows.filter((row) => row.groupName !== groupName);
    await tx
      .update(certificate)
      .set({ groupName, version: sql`${certificate.version} + 1` })
      .where(
        inArray(
          certificate.id,
          changed.map(({ id }) => id),
        ),
      );
    await recordEvents(
      tx,
      changed.map((row) => ({
        ...aboutCertificate(row),
        kind: 'updated',
        actor,
        data: { changes: changesOf({ group_name: row.groupName }, { group_name: groupName }) },
      })),
    );
    const before = [...Map.groupBy(changed, (row) => row.groupName)].map(([name, moved]) => ({
      group_name: name,
      certificate_ids: moved.map(({ id }) => id),
    }));
    return { changed: changed.length, before };
  });
}
