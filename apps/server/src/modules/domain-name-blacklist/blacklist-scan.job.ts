import { eq, inArray, sql } from 'drizzle-orm';
import { domainNameBlacklist, domainNameBlacklistHit, siteDomain } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { defineJob, doubling } from '../../jobs/define-job.ts';
import { blacklistedOf } from '../site-claim/site-claim.service.ts';

const domainsPerStep = 2000;

/**
 * Finds the domains of sites that are on an entry of the blacklist. Found twice they are written once, so a run that was
 * killed begins again; what came in while it ran was refused at its own door.
 */
export const blacklistScanJob = defineJob({
  kind: 'blacklist_scan',
  attempts: 3,
  backoffSeconds: doubling(60),
  timeoutSeconds: 600,
  run: async ({ services: { db }, operation, signal, report }) => {
    const entryId = operation.subjectId!;
    const [entry] = await db
      .select({ enabled: domainNameBlacklist.enabled })
      .from(domainNameBlacklist)
      .where(eq(domainNameBlacklist.id, entryId));
    if (!entry?.enabled) return { state: 'unchanged' };
    let after = { domain: '', site_id: 0 };
    for (let done = 0; ;) {
      signal.throwIfAborted();
      const rows = await rowsOf<typeof after>(
        db,
        sql`SELECT domain, site_id FROM site_domain WHERE (domain, site_id) > (${after.domain}, ${after.site_id})
            ORDER BY domain, site_id LIMIT ${domainsPerStep}`,
      );
      if (rows.length === 0) return { state: 'done' };
      const found = await blacklistedOf(
        db,
        rows.map(({ domain }) => domain),
        entryId,
      );
      await keep(
        db,
        entryId,
        found.map(({ domain }) => domain),
      );
      done += rows.length;
      after = rows.at(-1)!;
      await report(done);
    }
  },
});

/** Of the entry as it is now: one that was removed meanwhile has none, and neither has a domain that left its site. */
const keep = (db: Parameters<typeof blacklistedOf>[0], entryId: number, domains: readonly string[]) =>
  domains.length === 0
    ? undefined
    : db.execute(
        sql`INSERT INTO ${domainNameBlacklistHit} (blacklist_id, domain, site_id)
            SELECT b.id, d.domain, d.site_id
            FROM (SELECT id FROM domain_name_blacklist WHERE id = ${entryId} FOR SHARE) b
            CROSS JOIN (SELECT domain, site_id FROM ${siteDomain} WHERE ${inArray(siteDomain.domain, [...domains])} FOR KEY SHARE) d
            ON CONFLICT DO NOTHING`,
      );
