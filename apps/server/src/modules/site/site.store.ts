import type {
  SiteCertificateStatus,
  SiteSnapshot,
  SiteTag,
  siteRevision as siteRevisionSchema,
} from '@breakwater/contract';
import { and, asc, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import {
  certificate,
  client,
  lineGroup,
  order,
  product,
  site,
  siteCertificate,
  siteDomain,
  siteRevision,
} from '../../db/schema.ts';
import { siteTag, tag } from '../../db/site-work-schema.ts';
import { listDeliveries, summariseDeliveries } from '../../delivery/delivery-state.ts';
import { integers } from '../../delivery/queryable.ts';
import type { Scope } from '../../scope.ts';
import { storedForm } from '../../site-values.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { expiringDays, pageOfSites, whereSites, type SiteFilter, type SiteSorting } from './site-filter.ts';
import { isContested } from '../site-claim/site-overlap.ts';
import { maskDiff } from '../site-section/section-secrets.ts';
import { cnameOf, diffJson } from './site.rules.ts';

/** One site, if it lies within the scope. */
export function siteWithin(scope: Scope, id: number): SQL | undefined {
  return and(eq(site.id, id), 'all' in scope ? undefined : eq(site.clientId, scope.clientId));
}

export async function listSites(
  db: Db,
  scope: Scope,
  query: SiteFilter & SiteSorting & { current_page: number; page_size: number },
) {
  const where = whereSites(db, scope, query);
  const [ids, total] = await Promise.all([
    pageOfSites(db, where, query, pageOf(query)),
    db.$count(site, where),
  ]);
  return listPage(query, await readSites(db, scope, ids), total);
}

/** The first of what a list would show, for a file. Throws when that is nothing. */
export async function exportSites(db: Db, scope: Scope, query: SiteFilter & SiteSorting & { count: number }) {
  const where = whereSites(db, scope, query);
  const total = await db.$count(site, where);
  if (total === 0) throw new ApiError('nothing_to_export');
  const ids = await pageOfSites(db, where, query, { limit: query.count, offset: 0 });
  return { sites: await readSites(db, scope, ids), total };
}

/** Sites by their ids, in this order. */
async function readSites(db: Db, scope: Scope, ids: readonly number[]) {
  const rows = await present(db, scope, await selectSites(db).where(sql`${site.id} = ANY(${integers(ids)})`));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function getSite(db: Db, scope: Scope, id: number) {
  const [row] = await present(db, scope, await selectSites(db).where(siteWithin(scope, id)));
  if (!row) throw notFound();
  return row;
}

/** The configuration and the version a save of it has to name. */
export async function readConfig(
  db: Db,
  scope: Scope,
  id: number,
): Promise<{ version: number; clientId: number; productId: number; config: SiteSnapshot }> {
  const [row] = await db
    .select({
      version: site.version,
      clientId: site.clientId,
      productId: order.productId,
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
  const certificates = config.certificate_settings.certificate_ids.map((certificateId) => ({
    kind: 'certificate' as const,
    key: String(certificateId),
  }));
  return { documents: await listDeliveries(db, [{ kind: 'site', key: String(id) }, ...certificates]) };
}

export async function listRevisions(
  db: Db,
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
    ...presentRevision(row),
    diff: maskDiff(
      diffJson(rows[index + 1] ? storedForm(rows[index + 1]!.snapshot) : {}, storedForm(row.snapshot)),
    ),
  }));
  return listPage(query, list, total);
}

export async function compareVersions(db: Db, scope: Scope, id: number, query: { from: number; to: number }) {
  await readConfig(db, scope, id);
  const rows = await db
    .select()
    .from(siteRevision)
    .where(and(eq(siteRevision.siteId, id), inArray(siteRevision.version, [query.from, query.to])));
  const [from, to] = [query.from, query.to].map((version) => rows.find((row) => row.version === version));
  if (!from || !to) throw notFound();
  return {
    from: presentRevision(from),
    to: presentRevision(to),
    diff: maskDiff(diffJson(storedForm(from.snapshot), storedForm(to.snapshot))),
  };
}

function presentRevision(row: typeof siteRevision.$inferSelect) {
  return {
    version: row.version,
    section: row.section as z.infer<typeof siteRevisionSchema>['section'],
    author_type: row.authorType,
    author_name: row.authorName,
    created_at: iso(row.createdAt),
  };
}

function selectSites(db: Db) {
  return db
    .select({
      site,
      clientName: client.name,
      productId: product.id,
      productName: product.name,
      lineGroupId: lineGroup.id,
      lineGroupName: lineGroup.name,
      domainsWaiting: db.$count(
        siteDomain,
        and(eq(siteDomain.siteId, site.id), ne(siteDomain.proof, 'given')),
      ),
      domainsContested: sql<number>`(SELECT count(*)::int FROM site_domain d
        WHERE d.site_id = ${site.id} AND d.proof <> 'given' AND ${isContested(sql`d`, sql`${site.clientId}`)})`,
    })
    .from(site)
    .innerJoin(client, eq(client.id, site.clientId))
    .innerJoin(order, eq(order.id, site.orderId))
    .innerJoin(product, eq(product.id, order.productId))
    .innerJoin(lineGroup, eq(lineGroup.id, order.lineGroupId))
    .$dynamic();
}

async function present(db: Db, scope: Scope, rows: Awaited<ReturnType<typeof selectSites>>) {
  const ids = rows.map((row) => row.site.id);
  const [{ cname_domain: cnameDomain }, deliveries, tags, certificates] = await Promise.all([
    readSiteSetting(db),
    summariseDeliveries(db, 'site', ids.map(String)),
    readTags(db, scope, ids),
    readCertificateStatuses(db, ids),
  ]);
  return rows.map(
    ({ site: row, clientName, productId, productName, lineGroupId, lineGroupName, ...counts }) => ({
      id: row.id,
      domains: row.config.domains,
      status: row.status,
      status_reason: row.statusReason,
      status_note: row.config.status_note,
      domains_waiting: counts.domainsWaiting,
      domains_contested: counts.domainsContested,
      removing_since: isoOrNull(row.removedAt),
      cname: cnameOf(row.cnameLabel, cnameDomain),
      client_id: row.clientId,
      client_name: clientName,
      order_id: row.orderId,
      product_id: productId,
      product_name: productName,
      line_group_id: lineGroupId,
      line_group_name: lineGroupName,
      origins: row.config.origin_server_config.origins.map((origin) => origin.address),
      version: row.version,
      delivery: deliveries.get(String(row.id)) ?? {
        status: 'none' as const,
        nodes_applied: 0,
        nodes_total: 0,
      },
      certificate_status: certificates.get(row.id) ?? ('none' as const),
      tags: tags.get(row.id) ?? [],
      created_at: iso(row.createdAt),
      updated_at: iso(row.updatedAt),
    }),
  );
}

/** The tags of sites, as far as the scope may see them: a customer sees none of the platform's. */
async function readTags(db: Db, scope: Scope, ids: readonly number[]): Promise<Map<number, SiteTag[]>> {
  const rows = await db
    .select({ siteId: siteTag.siteId, id: tag.id, name: tag.name, color: tag.color })
    .from(siteTag)
    .innerJoin(tag, eq(tag.id, siteTag.tagId))
    .where(
      and(
        sql`${siteTag.siteId} = ANY(${integers(ids)})`,
        'all' in scope ? undefined : eq(tag.clientId, scope.clientId),
      ),
    )
    .orderBy(asc(tag.name));
  const bySite = new Map<number, SiteTag[]>();
  for (const { siteId, ...carried } of rows) bySite.set(siteId, [...(bySite.get(siteId) ?? []), carried]);
  return bySite;
}

async function readCertificateStatuses(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, SiteCertificateStatus>> {
  const rows = await db
    .select({ siteId: siteCertificate.siteId, first: sql<string>`min(${certificate.notAfter})` })
    .from(siteCertificate)
    .innerJoin(certificate, eq(certificate.id, siteCertificate.certificateId))
    .where(sql`${siteCertificate.siteId} = ANY(${integers(ids)})`)
    .groupBy(siteCertificate.siteId);
  const soon = Date.now() + expiringDays * 86_400_000;
  return new Map(
    rows.map(({ siteId, first }) => {
      const end = new Date(first).getTime();
      return [siteId, end <= Date.now() ? 'expired' : end <= soon ? 'expiring' : 'valid'];
    }),
  );
}
