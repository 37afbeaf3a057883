import type { SiteReject, siteRejectRoutes } from '@breakwater/contract';
import { and, desc, eq, inArray, isNotNull, isNull, gt, lte, or, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError } from '../../api-error.ts';
import type { Database, Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { site, siteDomain, siteReject } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';
import { ruleRefs } from '../statistics/rule-refs.store.ts';

type Query = z.output<typeof siteRejectRoutes.listSiteRejects.query>;

const stateIs = (now: Date): Record<SiteReject['state'], SQL | undefined> => ({
  standing: and(isNull(siteReject.releasedAt), gt(siteReject.expiresAt, now)),
  ended: and(isNull(siteReject.releasedAt), lte(siteReject.expiresAt, now)),
  released: isNotNull(siteReject.releasedAt),
});
const within = (scope: Scope): SQL | undefined => owned(site, scope);

export async function listSiteRejects(db: Db, scope: Scope, query: Query, now: Date) {
  const where = and(
    within(scope),
    query.site_id ? eq(siteReject.siteId, query.site_id) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
    query.remote_addr ? eq(siteReject.remoteAddr, query.remote_addr) : undefined,
    query.decision
      ? or(
          eq(siteReject.decision, query.decision),
          sql`starts_with(${siteReject.decision}, ${`${query.decision} `})`,
        )
      : undefined,
    query.state && stateIs(now)[query.state],
  );
  const { limit, offset } = pageOf(query);
  const rows = await db
    .select({
      reject: siteReject,
      clientId: site.clientId,
      siteName: sql<string>`coalesce((SELECT min(${siteDomain.domain}) FROM ${siteDomain} WHERE ${siteDomain.siteId} = ${site.id}), '')`,
    })
    .from(siteReject)
    .innerJoin(site, eq(site.id, siteReject.siteId))
    .where(where)
    .orderBy(desc(siteReject.createdAt), desc(siteReject.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(siteReject)
    .innerJoin(site, eq(site.id, siteReject.siteId))
    .where(where);
  return listPage(query, await present(db, rows, now), counted?.total ?? 0);
}

interface RejectRow {
  reject: typeof siteReject.$inferSelect;
  clientId: number;
  siteName: string;
}

/** With the rules that the decisions name. */
async function present(db: Db, rows: readonly RejectRow[], now: Date): Promise<SiteReject[]> {
  const rules = await ruleRefs(
    db,
    rows.map(({ reject }) => ({
      site_id: reject.siteId,
      decision: reject.decision,
      at: iso(reject.createdAt),
    })),
  );
  return rows.map(({ reject, clientId, siteName }, index): SiteReject => ({
    id: reject.id,
    site_id: reject.siteId,
    site_name: siteName,
    client_id: clientId,
    remote_addr: reject.remoteAddr,
    decision: reject.decision,
    rule: rules[index] ?? null,
    state: reject.releasedAt ? 'released' : reject.expiresAt > now ? 'standing' : 'ended',
    created_at: iso(reject.createdAt),
    expires_at: iso(reject.expiresAt),
    released_at: isoOrNull(reject.releasedAt),
    released_by: reject.releasedBy,
  }));
}

interface Released {
  ids?: readonly number[];
  site_id?: number | undefined;
  expected_total?: number | undefined;
}

/** Ends those that stand, of these or of one site or of all in the scope; answers how many did. */
export function releaseSiteRejects(
  db: Database['db'],
  scope: Scope,
  which: Released,
  author: { by: string; now: Date },
): Promise<number> {
  return db.transaction(async (tx) => {
    const released = await endRejects(tx, scope, which, author);
    const { expected_total: expected = released } = which;
    if (released <= expected) return released;
    const issue = `total_differs:${expected}:${released}` as const;
    throw new ApiError('selection_changed', [{ path: 'expected_total', issue }]);
  });
}

async function endRejects(
  db: Db,
  scope: Scope,
  which: Released,
  { by, now }: { by: string; now: Date },
): Promise<number> {
  const own = db.select({ id: site.id }).from(site).where(within(scope));
  const rows = await db
    .update(siteReject)
    .set({ releasedAt: now, releasedBy: by })
    .where(
      and(
        inArray(siteReject.siteId, own),
        stateIs(now).standing,
        which.ids && inArray(siteReject.id, [...which.ids]),
        which.site_id ? eq(siteReject.siteId, which.site_id) : undefined,
      ),
    )
    .returning({ id: siteReject.id });
  return rows.length;
}
