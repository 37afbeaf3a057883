import { certificatesRemovedMax, type CertificateSelection } from '@breakwater/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { ApiError, invalid, mapConstraints, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { certificate } from '../../db/schema.ts';
import { assertUnused } from '../../delivery/edge-use.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import { recordEvent, recordEvents, type Actor } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';
import { readPlatformHttps } from '../setting/setting.store.ts';
import { whereCertificates } from './certificate-filter.ts';
import { aboutCertificate } from './certificate-write.ts';

/** Certificates that go. A site that comes to use one locks its row first, so that none goes under its hands. */

export async function removeCertificate(db: Db, scope: Scope, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const where = and(eq(certificate.id, id), owned(certificate, scope));
    const [row] = await tx.select().from(certificate).where(where).for('update');
    if (!row) throw notFound();
    await assertUnused(tx, { kind: 'certificate', key: String(id) });
    if ((await ofPlatform(tx)) === id) throw new ApiError('in_use');
    await mapConstraints({}, () => tx.delete(certificate).where(where));
    await recordEvent(tx, { ...aboutCertificate(row), kind: 'removed', actor });
  });
}

/** Removes those of a selection that no site uses, and answers which were kept for which sites. */
export function removeCertificates(db: Db, scope: Scope, actor: Actor, selection: CertificateSelection) {
  return db.transaction(async (tx) => {
    const rows = await selectedCertificates(tx, scope, selection);
    const users = await usersOf(
      tx,
      rows.map(({ id }) => id),
    );
    const platforms = await ofPlatform(tx);
    const kept = rows.flatMap(({ id, name }) => {
      const { sites = [], count = 0 } = users.get(id) ?? {};
      return users.has(id) || id === platforms ? [{ id, name, sites, site_count: count }] : [];
    });
    const removed = rows.filter(({ id }) => !users.has(id) && id !== platforms);
    await mapConstraints({}, () =>
      tx.delete(certificate).where(
        inArray(
          certificate.id,
          removed.map(({ id }) => id),
        ),
      ),
    );
    await recordEvents(
      tx,
      removed.map((row) => ({ ...aboutCertificate(row), kind: 'removed', actor })),
    );
    return { removed: removed.length, kept };
  });
}

/** The one that the consoles show. To be asked once rows are locked: the setting locks the row it names. */
const ofPlatform = async (tx: Transaction): Promise<number | null> =>
  (await readPlatformHttps(tx)).certificate_id;

/** Locked. One by a filter that lets through more or fewer than whoever chose it was shown is refused. */
export async function selectedCertificates(tx: Transaction, scope: Scope, selection: CertificateSelection) {
  const { certificate_ids: ids, filter = {}, expected_total: expected } = selection;
  const rows = await tx
    .select()
    .from(certificate)
    .where(and(whereCertificates(scope, filter), ids && inArray(certificate.id, ids)))
    .orderBy(asc(certificate.id))
    .limit(certificatesRemovedMax + 1)
    .for('update');
  if (rows.length > certificatesRemovedMax) throw new ApiError('too_many');
  if (expected !== undefined && expected !== rows.length) {
    const issue = `total_differs:${expected}:${rows.length}` as const;
    throw new ApiError('selection_changed', [{ path: 'certificates.expected_total', issue }]);
  }
  if (rows.length === 0) throw invalid('certificates', 'does_not_exist');
  return rows;
}

/** Of each that is kept so many sites are named. */
const namedMax = 20;

interface Users {
  key: string;
  count: number;
  sites: { id: number; domain: string }[];
}

async function usersOf(tx: Transaction, ids: readonly number[]): Promise<Map<number, Users>> {
  const rows = await rowsOf<Users>(
    tx,
    sql`SELECT u.dep_key AS key, count(*)::int AS count, to_jsonb((array_agg(
          jsonb_build_object('id', s.id, 'domain', coalesce(s.config -> 'domains' ->> 0, '')) ORDER BY s.id))[1:${namedMax}]) AS sites
        FROM edge_use u JOIN site s ON s.id = u.user_id
        WHERE u.user_kind = 'site' AND u.dep_kind = 'certificate' AND u.dep_key = ANY(${texts(ids.map(String))})
        GROUP BY u.dep_key`,
  );
  return new Map(rows.map((row) => [Number(row.key), row]));
}
