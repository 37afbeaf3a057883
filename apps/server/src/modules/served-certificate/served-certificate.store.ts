import { and, desc, eq, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, nameOf, pageOf } from '../../db/page.ts';
import { node, servedCheck, servedFault, site } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

interface Filter {
  current_page: number;
  page_size: number;
  site_id?: number | undefined;
  node_id?: number | undefined;
  client_id?: number | undefined;
}

export async function listServedFaults(db: Db, scope: Scope, query: Filter) {
  const where = and(
    owned(site, scope),
    query.site_id ? eq(servedFault.siteId, query.site_id) : undefined,
    query.node_id ? eq(servedFault.nodeId, query.node_id) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const ofSite = eq(site.id, servedFault.siteId);
  const [rows, [counted]] = await Promise.all([
    db
      .select({
        fault: servedFault,
        siteName: sql<string>`coalesce(${site.config} -> 'domains' ->> 0, '')`,
        nodeName: nameOf(node, servedFault.nodeId),
      })
      .from(servedFault)
      .innerJoin(site, ofSite)
      .where(where)
      .orderBy(desc(servedFault.since), desc(servedFault.id))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(servedFault)
      .innerJoin(site, ofSite)
      .where(where),
  ]);
  const list = rows.map(({ fault, siteName, nodeName }) => ({
    id: fault.id,
    site_id: fault.siteId,
    site_name: siteName,
    node_id: fault.nodeId,
    node_name: nodeName,
    domain: fault.domain,
    problem: fault.problem,
    expected_serial: fault.expectedSerial,
    served_serial: fault.servedSerial,
    served_issuer: fault.servedIssuer,
    served_not_after: isoOrNull(fault.servedNotAfter),
    error: fault.error,
    staple_from: isoOrNull(fault.stapleFrom),
    staple_until: isoOrNull(fault.stapleUntil),
    since: iso(fault.since),
  }));
  return listPage(query, list, counted?.total ?? 0);
}

export async function getServedCheck(db: Db, scope: Scope, siteId: number) {
  const [row] = await db
    .select({
      checkedAt: servedCheck.checkedAt,
      dueAt: servedCheck.dueAt,
      stapleUntil: servedCheck.stapleUntil,
    })
    .from(site)
    .leftJoin(servedCheck, eq(servedCheck.siteId, site.id))
    .where(and(eq(site.id, siteId), owned(site, scope)));
  if (!row) throw notFound();
  return {
    checked_at: isoOrNull(row.checkedAt),
    due_at: isoOrNull(row.dueAt),
    staple_until: isoOrNull(row.stapleUntil),
  };
}

/** A site that has certificates is looked at by the next run. */
export async function askForCheck(db: Db, scope: Scope, siteId: number) {
  await getServedCheck(db, scope, siteId);
  await db
    .update(servedCheck)
    .set({ dueAt: sql`now()` })
    .where(eq(servedCheck.siteId, siteId));
  return getServedCheck(db, scope, siteId);
}
