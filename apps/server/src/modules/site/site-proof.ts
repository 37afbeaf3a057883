import type { SiteStatus, domainProofs } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { siteDomain } from '../../db/schema.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import type { Session } from '../../plugins/session.ts';
import { readSiteSetting } from '../setting/setting.store.ts';

/** Which domains a site holds, and whether they are proven to be its customer's. */

type Proof = (typeof domainProofs)[number];

/** Customers prove new domains where the platform asks for it; what an operator adds needs no proof. */
export async function mustProve(tx: Transaction, session: Session): Promise<boolean> {
  return session.kind === 'client' && (await readSiteSetting(tx)).site_check;
}

/**
 * Takes the domains for a site; those that another one has are field errors. Domains that the site has already keep
 * their proof and their last check. New ones are checked within a minute.
 */
export async function claimDomains(
  tx: Transaction,
  siteId: number,
  domains: readonly string[],
  proof: Proof,
): Promise<void> {
  const { check_hours: hours } = await readSiteSetting(tx);
  const held = await rowsOf<{ domain: string }>(
    tx,
    sql`INSERT INTO site_domain (domain, site_id, position, proof, next_check_at, check_until)
        SELECT domain, ${siteId}, place - 1, ${proof}, now(), now() + make_interval(hours => ${hours})
        FROM unnest(${texts([...domains])}) WITH ORDINALITY AS d(domain, place)
        ORDER BY domain
        ON CONFLICT (domain) DO UPDATE SET position = excluded.position
        WHERE site_domain.site_id = excluded.site_id RETURNING domain`,
  );
  const claimed = new Set(held.map((row) => row.domain));
  const fields = domains.flatMap((domain, index): FieldIssue[] =>
    claimed.has(domain) ? [] : [{ path: `domains.${index}`, issue: 'domain_taken' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

/** Whether the proof of its domains decides what a site is. */
export const followsProof = (status: SiteStatus): boolean => status !== 'offline' && status !== 'suspended';

/** What a site that is to be online is, by the proof of its domains: one that is proven suffices to open it. */
export async function proofStatus(tx: Transaction, siteId: number): Promise<SiteStatus> {
  const rows = await tx
    .selectDistinct({ proof: siteDomain.proof })
    .from(siteDomain)
    .where(eq(siteDomain.siteId, siteId));
  const has = (proof: Proof) => rows.some((row) => row.proof === proof);
  if (has('given') || rows.length === 0) return 'online';
  return has('waiting') ? 'checking' : 'check_failed';
}

/** An operator vouches for every domain of a site. */
export async function vouchForDomains(tx: Transaction, siteId: number): Promise<void> {
  await tx.update(siteDomain).set({ proof: 'given' }).where(eq(siteDomain.siteId, siteId));
}
