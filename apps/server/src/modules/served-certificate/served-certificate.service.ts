import { sql } from 'drizzle-orm';
import type { Queryable } from '../../delivery/queryable.ts';

export { runServedChecks } from './served-run.ts';

/** What others tell of certificates that nodes are to serve from now on. */

/** Nodes take a moment to learn of a change. */
const afterSeconds = 3;
const soon = sql`now() + make_interval(secs => ${afterSeconds})`;

/** What nodes serve of a site is looked at soon. To be called before the counter of documents is locked. */
export async function checkServedSoon(tx: Queryable, siteId: number): Promise<void> {
  await tx.execute(
    sql`INSERT INTO served_check (site_id, due_at) VALUES (${siteId}, ${soon})
        ON CONFLICT (site_id) DO UPDATE SET due_at = excluded.due_at`,
  );
}

/** The same of all sites that use a certificate. */
export async function checkUsersSoon(tx: Queryable, certificateId: number): Promise<void> {
  await tx.execute(
    sql`INSERT INTO served_check (site_id, due_at)
        SELECT user_id, ${soon} FROM edge_use
        WHERE user_kind = 'site' AND dep_kind = 'certificate' AND dep_key = ${String(certificateId)} ORDER BY user_id
        ON CONFLICT (site_id) DO UPDATE SET due_at = excluded.due_at`,
  );
}
