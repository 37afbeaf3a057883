import type { BlacklistHit, BlacklistHitState, domainNameBlacklistRoutes } from '@breakwater/contract';
import { and, desc, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { among, containsDomain, iso, isoOrNull, listPage, nameOf, pageOf } from '../../db/page.ts';
import { client, domainNameBlacklist, domainNameBlacklistHit, site } from '../../db/schema.ts';
import { siteNameOf } from '../../db/site-name.ts';
import { recordEvent } from '../../events/record-event.ts';
import { owned, type Scope } from '../../scope.ts';
import { setSiteStatus } from '../site/site.service.ts';
import type { Author, SiteWriter } from '../site-publish/site-publish.service.ts';

type Query = z.output<typeof domainNameBlacklistRoutes.listBlacklistHits.query>;
const hit = domainNameBlacklistHit;

/** Customers see what is theirs, and neither entries nor who decided. */
export async function listBlacklistHits(db: Db, scope: Scope, query: Query, isAdmin: boolean) {
  const where = and(
    owned(site, scope),
    among(hit.id, query.ids),
    query.site_id ? eq(hit.siteId, query.site_id) : undefined,
    query.blacklist_id && isAdmin ? eq(hit.blacklistId, query.blacklist_id) : undefined,
    containsDomain(hit.domain, query.domain),
    query.state && eq(hit.state, query.state),
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({
        hit,
        clientId: site.clientId,
        siteName: siteNameOf(hit.siteId),
        clientName: nameOf(client, site.clientId),
        entry: nameOf(domainNameBlacklist, hit.blacklistId),
      })
      .from(hit)
      .innerJoin(site, eq(site.id, hit.siteId))
      .where(where)
      .orderBy(desc(hit.id))
      .limit(limit)
      .offset(offset),
    db.$count(db.select({ id: hit.id }).from(hit).innerJoin(site, eq(site.id, hit.siteId)).where(where)),
  ]);
  const list = rows.map((row): BlacklistHit => ({
    id: row.hit.id,
    domain: row.hit.domain,
    site_id: row.hit.siteId,
    site_name: row.siteName,
    client_id: row.clientId,
    client_name: row.clientName ?? '',
    state: row.hit.state,
    entry: isAdmin ? (row.entry ?? '') : '',
    decided_by: isAdmin ? row.hit.decidedBy : '',
    decided_at: isoOrNull(row.hit.decidedAt),
    note: row.hit.note,
    version: row.hit.version,
    created_at: iso(row.hit.createdAt),
  }));
  return listPage(query, list, total);
}

/**
 * Suspending is done with the decision, or neither is. That an operator leaves it open again puts no site online. Throws
 * `stale_version` where somebody has decided since that version.
 */
export function decideBlacklistHit(
  services: SiteWriter,
  author: Author,
  hitId: number,
  { version, state, note }: { version: number; state: BlacklistHitState; note: string },
): Promise<void> {
  return services.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ siteId: hit.siteId, domain: hit.domain, blacklistId: hit.blacklistId })
      .from(hit)
      .innerJoin(site, eq(site.id, hit.siteId))
      .where(and(eq(hit.id, hitId), owned(site, author.scope)));
    if (!found) throw notFound();
    // Sites are locked before what hangs on them.
    if (state === 'suspended')
      await setSiteStatus({ ...services, db: tx }, author, found.siteId, { status: 'suspended', note });
    const decided =
      state === 'open'
        ? { decidedBy: '', decidedAt: null }
        : { decidedBy: author.session.name, decidedAt: new Date() };
    const [before] = await tx.select().from(hit).where(eq(hit.id, hitId)).for('update');
    if (!before) throw notFound();
    if (before.version !== version) throw new ApiError('stale_version');
    await tx
      .update(hit)
      .set({ state, note, ...decided, version: version + 1 })
      .where(eq(hit.id, hitId));
    await recordEvent(tx, {
      kind: 'blacklist_decided',
      subject: { kind: 'domain_name_blacklist', id: found.blacklistId, name: found.domain },
      actor: author.session,
      data: { facts: { site: found.siteId, state } },
    });
  });
}
