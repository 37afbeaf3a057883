import { asc, lte, sql } from 'drizzle-orm';
import { certificate } from '../../db/schema.ts';
import { integers } from '../../delivery/queryable.ts';
import { recordEvents, systemActor } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { iso } from '../../db/page.ts';
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
    await recordEvents(
      tx,
      rows.map((row) => ({
        ...aboutCertificate(row),
        kind: row.notAfter.getTime() <= now ? 'expired' : 'expires_soon',
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
    return rows.length;
  });
}
