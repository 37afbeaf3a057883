import { and, asc, inArray, lte, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate, certificateOrder } from '../../db/schema.ts';
import { integers } from '../../delivery/queryable.ts';
import { recordEvents, systemActor } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { nextNotice } from './certificate-notice-times.ts';
import { aboutCertificate } from './certificate-write.ts';

/** Certificates that are about to end, or have ended, are told of: each at its times, found by when the next one is. */

const perRun = 500;

/** The job. Returns how many events it wrote. */
export function tellOfEndings({ db }: Pick<Services, 'db'>): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(certificate)
      .where(lte(certificate.noticeAt, sql`now()`))
      .orderBy(asc(certificate.noticeAt))
      .limit(perRun)
      .for('update', { skipLocked: true });
    if (rows.length === 0) return 0;
    const now = Date.now();
    const isOver = (row: CertificateRow) => row.notAfter.getTime() <= now;
    const renewed = await renewedAmong(
      tx,
      rows.map(({ id }) => id),
    );
    const told = rows.filter((row) => isOver(row) || !renewed.has(row.id));
    await recordEvents(
      tx,
      told.map((row) => ({
        ...aboutCertificate(row),
        kind: isOver(row) ? 'expired' : 'expires_soon',
        actor: systemActor,
        data: { facts: { not_after: iso(row.notAfter) } },
      })),
    );
    const times = rows.map((row) => nextNotice(row.notAfter, now)?.toISOString() ?? null);
    // Nothing of the certificate has changed.
    await tx.execute(
      sql`UPDATE certificate c SET notice_at = n.at
          FROM unnest(${integers(rows.map(({ id }) => id))}, ${sql.param(times)}::timestamptz[]) AS n (id, at) WHERE c.id = n.id`,
    );
    return told.length;
  });
}

type CertificateRow = typeof certificate.$inferSelect;

/** Those that an order renews: where that fails, the order tells of it at its own times. */
async function renewedAmong(tx: Transaction, ids: number[]): Promise<ReadonlySet<number | null>> {
  const rows = await tx
    .select({ id: certificateOrder.certificateId })
    .from(certificateOrder)
    .where(and(inArray(certificateOrder.certificateId, ids), ne(certificateOrder.state, 'revoked')));
  return new Set(rows.map(({ id }) => id));
}
