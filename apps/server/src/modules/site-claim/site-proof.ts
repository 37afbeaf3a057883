import type { SiteStatus, domainProofs } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { siteDomain } from '../../db/schema.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import type { Session } from '../../plugins/session.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { blacklistedOf } from './blacklisted.ts';
import { isContested, lockClaims, recheckOverlapped, weighClaims } from './site-overlap.ts';

/** Which domains a site holds, and whether they are proven to be its customer's. */

export type Proof = (typeof domainProofs)[number];
/**
 * What the DNS proves of a name, whoever else has one that overlaps. `own`: a record of the name itself names this site, by
 * its TXT token or its CNAME. `led`: a CNAME of somebody between leads to the site. An address proves nothing: it outlives
 * who set it, and all sites of a node share it.
 */
export type Evidence = 'own' | 'led' | 'none';

interface Owner {
  id: number;
  clientId: number;
}

/**
 * What new domains of a customer begin with, once no other claim can come between. Names that overlap with another
 * customer's wait, whoever adds them; others where the platform asks customers for proof, unless the customer's own
 * wildcard serves them already. What an operator adds needs no proof.
 */
export async function newProofs(
  tx: Transaction,
  session: Session,
  clientId: number,
  domains: readonly string[],
): Promise<Map<string, Proof>> {
  await lockClaims(tx);
  const asks = session.kind !== 'admin' && (await readSiteSetting(tx)).site_check;
  const claims = await weighClaims(tx, clientId, domains);
  return new Map(
    claims.map(({ domain, contested, covered }) => [
      domain,
      contested || (asks && !covered) ? 'waiting' : 'given',
    ]),
  );
}

/**
 * Takes the domains for a site; those that another site of its customer has, and new ones on the blacklist, are field errors. Domains that the site has
 * already keep their proof and their last check. New ones are checked within a minute.
 */
export async function claimDomains(
  tx: Transaction,
  site: Owner,
  domains: readonly string[],
  proofs: ReadonlyMap<string, Proof>,
): Promise<void> {
  const own = await rowsOf<{ domain: string }>(
    tx,
    sql`SELECT o.domain FROM site_domain o JOIN site os ON os.id = o.site_id
        WHERE o.domain = ANY(${texts(domains)}) AND os.client_id = ${site.clientId} AND o.site_id <> ${site.id}`,
  );
  const taken = new Set(own.map(({ domain }) => domain));
  // What the site had before is dealt with by operators, and is in nobody's way here.
  const blacklisted = new Set((await blacklistedOf(tx, [...proofs.keys()])).map(({ domain }) => domain));
  const fields = domains.flatMap((domain, index): FieldIssue[] => {
    const path = `domains.${index}`;
    if (taken.has(domain)) return [{ path, issue: 'domain_taken' }];
    return blacklisted.has(domain) ? [{ path, issue: 'domain_blacklisted' }] : [];
  });
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
  const { check_hours: hours } = await readSiteSetting(tx);
  const proofOf = domains.map((domain) => proofs.get(domain) ?? 'waiting');
  await tx.execute(
    sql`INSERT INTO site_domain (domain, site_id, position, proof, next_check_at, check_until)
        SELECT domain, ${site.id}, place - 1, proof, now(), now() + make_interval(hours => ${hours})
        FROM unnest(${texts(domains)}, ${texts(proofOf)}) WITH ORDINALITY AS d(domain, proof, place)
        ORDER BY domain
        ON CONFLICT (domain, site_id) DO UPDATE SET position = excluded.position`,
  );
  await recheckOverlapped(tx, site.id, site.clientId);
}

/** Whether the proof of its domains decides what a site is. */
export const followsProof = (status: SiteStatus): boolean => status !== 'offline' && status !== 'suspended';

/** What a site that is to be online is, by the proof of its domains: one that is served suffices to open it. */
export async function proofStatus(tx: Transaction, siteId: number): Promise<SiteStatus> {
  const rows = await tx
    .selectDistinct({ proof: siteDomain.proof, wasServed: siteDomain.wasServed })
    .from(siteDomain)
    .where(eq(siteDomain.siteId, siteId));
  const has = (proof: Proof) => rows.some((row) => row.proof === proof);
  if (rows.length === 0 || has('given') || rows.some((row) => row.wasServed)) return 'online';
  return has('waiting') ? 'checking' : 'check_failed';
}

/** What speaks for the domains of a site that are not given yet. */
export interface Reasons {
  /** What the DNS said of them. */
  evidence?: ReadonlyMap<string, Evidence>;
  /** Where nobody else has a name that overlaps, none is needed: the platform asks for none, or an operator vouches. */
  unopposed?: boolean;
  /** An operator gives this one, whoever else has it. */
  granted?: string;
}

/**
 * Gives to a site what is proven, and ends the wait of what was not proven in time. Other sites lose a name that this one
 * proves as its own: returns them, to be published without it, and how many names were given.
 */
export async function settleDomains(
  tx: Transaction,
  site: Owner,
  { evidence, unopposed = false, granted }: Reasons,
): Promise<{ given: number; lost: number[] }> {
  await lockClaims(tx);
  const rows = await rowsOf<{ domain: string; proof: Proof; was_served: boolean; contested: boolean }>(
    tx,
    sql`SELECT d.domain, d.proof, d.was_served, ${isContested(sql`d`, sql`${site.clientId}`)} AS contested
        FROM site_domain d WHERE d.site_id = ${site.id} AND d.proof <> 'given'`,
  );
  const given = rows.filter(({ domain, proof, was_served: wasServed, contested }) => {
    if (domain === granted) return true;
    if (!contested && (unopposed || wasServed)) return true;
    // What has failed is not given by a check of the job: two who can both prove a name would take turns.
    const found = proof === 'waiting' ? evidence?.get(domain) : undefined;
    return found === 'own' || (found === 'led' && !contested);
  });
  const lost = await giveDomains(
    tx,
    site.id,
    given.map(({ domain }) => domain),
  );
  if (given.length > 0) await recheckOverlapped(tx, site.id, site.clientId);
  await tx.execute(
    sql`UPDATE site_domain SET proof = 'failed', was_served = false
        WHERE site_id = ${site.id} AND proof = 'waiting' AND next_check_at IS NULL AND check_until <= now()`,
  );
  return { given: given.length, lost };
}

/** A site that loses a name may prove it anew, with another token. */
async function giveDomains(tx: Transaction, siteId: number, domains: readonly string[]): Promise<number[]> {
  if (domains.length === 0) return [];
  const lost = await rowsOf<{ site_id: number }>(
    tx,
    sql`UPDATE site_domain SET proof = 'failed', token = DEFAULT, next_check_at = NULL, check_until = now()
        WHERE domain = ANY(${texts(domains)}) AND site_id <> ${siteId} AND proof = 'given' RETURNING site_id`,
  );
  await tx.execute(
    sql`UPDATE site_domain SET proof = 'given', was_served = false,
          next_check_at = CASE WHEN verdict IN ('cname', 'address', 'txt') THEN NULL ELSE next_check_at END
        WHERE domain = ANY(${texts(domains)}) AND site_id = ${siteId}`,
  );
  return lost.map((row) => row.site_id);
}
