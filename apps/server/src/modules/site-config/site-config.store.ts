import type { SiteSnapshot, siteRevision as siteRevisionSchema } from '@breakwater/contract';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type * as z from 'zod';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { order, site, siteRevision } from '../../db/schema.ts';
import { listDeliveries } from '../../delivery/delivery-state.ts';
import { authorName, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { siteWithin } from '../site-publish/site-publish.service.ts';
import { configDiff, usesOf } from '../site-section/site-section.service.ts';

/** The configuration and the version a save of it has to name. */
export async function readConfig(
  db: Db,
  scope: Scope,
  id: number,
): Promise<{
  version: number;
  clientId: number;
  productId: number;
  lineGroupId: number;
  config: SiteSnapshot;
}> {
  const [row] = await db
    .select({
      version: site.version,
      clientId: site.clientId,
      productId: order.productId,
      lineGroupId: site.lineGroupId,
      config: site.config,
    })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .where(siteWithin(scope, id));
  if (!row) throw notFound();
  return row;
}

export async function readDelivery(db: Db, scope: Scope, id: number) {
  const { config } = await readConfig(db, scope, id);
  const certificates = usesOf(config).certificates.map((certificateId) => ({
    kind: 'certificate' as const,
    key: String(certificateId),
  }));
  return { documents: await listDeliveries(db, [{ kind: 'site', key: String(id) }, ...certificates]) };
}

export async function listRevisions(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  scope: Scope,
  id: number,
  query: { current_page: number; page_size: number },
) {
  await readConfig(db, scope, id);
  const where = eq(siteRevision.siteId, id);
  const { limit, offset } = pageOf(query);
  // One more than the page: what the oldest on it is compared with.
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(siteRevision)
      .where(where)
      .orderBy(desc(siteRevision.version))
      .limit(limit + 1)
      .offset(offset),
    db.$count(siteRevision, where),
  ]);
  const list = rows.slice(0, limit).map((row, index) => ({
    id: row.id,
    ...presentRevision(row, scope),
    diff: configDiff(rows[index + 1]?.snapshot, row.snapshot, secrets),
  }));
  return listPage(query, list, total);
}

export async function compareVersions(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  scope: Scope,
  id: number,
  query: { from: number; to: number },
) {
  await readConfig(db, scope, id);
  const rows = await db
    .select()
    .from(siteRevision)
    .where(and(eq(siteRevision.siteId, id), inArray(siteRevision.version, [query.from, query.to])));
  const [from, to] = [query.from, query.to].map((version) => rows.find((row) => row.version === version));
  if (!from || !to) throw notFound();
  return {
    from: presentRevision(from, scope),
    to: presentRevision(to, scope),
    diff: configDiff(from.snapshot, to.snapshot, secrets),
  };
}

function presentRevision(row: typeof siteRevision.$inferSelect, scope: Scope) {
  return {
    version: row.version,
    section: row.section as z.infer<typeof siteRevisionSchema>['section'],
    author_type: row.authorType,
    author_name: authorName(scope, row.authorType, row.authorName),
    created_at: iso(row.createdAt),
  };
}
