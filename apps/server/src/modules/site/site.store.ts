import {
  certificateSoonDays,
  site as sitePresented,
  type Origin,
  type OriginServerConfig,
  type FileAnswer,
  type SiteCertificateStatus,
  type SiteTag,
} from '@breakwater/contract';
import { and, asc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { among, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import {
  certificate,
  client,
  lineGroup,
  order,
  product,
  site,
  edgeUse,
  siteDomain,
  siteTag,
  tag,
} from '../../db/schema.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { integers } from '../../delivery/queryable.ts';
import { declared } from '../../plugins/validation.ts';
import { owned, type Scope } from '../../scope.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { siteWithin } from '../site-publish/site-publish.service.ts';
import { pageOfSites, whereSites, type SiteFilter, type SiteSorting } from './site-filter.ts';
import { isContested } from '../site-claim/site-claim.service.ts';
import { cnameOf } from '../site-domain/site-domain.service.ts';

/** An origin with the port that is asked of it. */
function originText(
  { address, http_port: http, https_port: https }: Origin,
  protocol: OriginServerConfig['protocol'],
): string {
  const ports = { http: `${http}`, https: `${https}`, follow: `${http}/${https}` };
  return `${address.includes(':') ? `[${address}]` : address}:${ports[protocol]}`;
}

export async function listSites(
  db: Db,
  scope: Scope,
  query: SiteFilter & SiteSorting & { ids?: number[] | undefined; current_page: number; page_size: number },
) {
  const where = and(whereSites(db, scope, query), among(site.id, query.ids));
  const [ids, total] = await Promise.all([
    pageOfSites(db, where, query, pageOf(query)),
    db.$count(site, where),
  ]);
  return listPage(query, await readSites(db, scope, ids), total);
}

/** The first of what a list would show, for a file. Throws when that is nothing. */
export async function exportSites(
  db: Db,
  scope: Scope,
  query: SiteFilter & SiteSorting & { count: number },
): Promise<FileAnswer> {
  const where = whereSites(db, scope, query);
  const ids = await pageOfSites(db, where, query, { limit: query.count, offset: 0 });
  if (ids.length === 0) throw new ApiError('nothing_to_export');
  const content = siteLines(db, scope, ids);
  return { name: 'sites.jsonl', content_type: 'application/jsonl; charset=utf-8', content };
}

/** Few at a time: between them the server does other work, and waits for a reader that is slow. */
async function* siteLines(db: Db, scope: Scope, ids: readonly number[]): AsyncGenerator<string> {
  for (let at = 0; at < ids.length; at += sitesPerRead) {
    const rows = await readSites(db, scope, ids.slice(at, at + sitesPerRead));
    yield rows.map((row) => `${JSON.stringify(declared(sitePresented, row))}\n`).join('');
  }
}
const sitesPerRead = 50;

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

/** Of a configuration what a list shows: to read the whole of each would take most of the time. */
const listed = {
  domains: sql<string[]>`${site.config} -> 'domains'`,
  statusNote: sql<string>`coalesce(${site.config} ->> 'status_note', '')`,
  origins: sql<Origin[]>`${site.config} -> 'origin_server_config' -> 'origins'`,
  protocol: sql<OriginServerConfig['protocol']>`${site.config} -> 'origin_server_config' ->> 'protocol'`,
};

function selectSites(db: Db) {
  const { config: _, own: __, ...columns } = getTableColumns(site);
  return db
    .select({
      site: { ...columns, ...listed },
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
    .innerJoin(lineGroup, eq(lineGroup.id, site.lineGroupId))
    .$dynamic();
}

async function present(db: Db, scope: Scope, rows: Awaited<ReturnType<typeof selectSites>>) {
  const ids = rows.map((row) => row.site.id);
  const [{ cname_domain: cnameDomain }, deliveries, tags, certificates] = await Promise.all([
    readSiteSetting(db),
    summariseDeliveries(db, 'site', ids.map(String)),
    readTags(db, scope, ids),
    readCertificateStates(db, ids),
  ]);
  return rows.map(
    ({ site: row, clientName, productId, productName, lineGroupId, lineGroupName, ...counts }) => ({
      id: row.id,
      domains: row.domains,
      status: row.status,
      status_reason: row.statusReason,
      status_note: row.statusNote,
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
      origins: row.origins.map((origin) => originText(origin, row.protocol)),
      version: row.version,
      delivery: deliveries.get(String(row.id)) ?? {
        status: 'none' as const,
        nodes_applied: 0,
        nodes_total: 0,
      },
      ...(certificates.get(row.id) ?? noCertificate),
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
    .where(and(sql`${siteTag.siteId} = ANY(${integers(ids)})`, owned(tag, scope)))
    .orderBy(asc(tag.name));
  const bySite = new Map<number, SiteTag[]>();
  for (const { siteId, ...carried } of rows) bySite.set(siteId, [...(bySite.get(siteId) ?? []), carried]);
  return bySite;
}

/** A key of another kind need not be a number. */
const usedCertificate = sql`CASE WHEN ${edgeUse.depKind} = 'certificate' THEN ${edgeUse.depKey}::integer END`;

interface CertificateState {
  certificate_status: SiteCertificateStatus;
  certificate_expires_soon: boolean;
}
const noCertificate: CertificateState = {
  certificate_status: 'not_enabled',
  certificate_expires_soon: false,
};

async function readCertificateStates(db: Db, ids: readonly number[]): Promise<Map<number, CertificateState>> {
  const rows = await db
    .select({ siteId: edgeUse.userId, first: sql<string>`min(${certificate.notAfter})` })
    .from(edgeUse)
    .innerJoin(certificate, eq(certificate.id, usedCertificate))
    .where(
      and(
        eq(edgeUse.userKind, 'site'),
        eq(edgeUse.depKind, 'certificate'),
        sql`${edgeUse.userId} = ANY(${integers(ids)})`,
      ),
    )
    .groupBy(edgeUse.userId);
  const now = Date.now();
  const soon = now + certificateSoonDays * 86_400_000;
  return new Map(
    rows.map(({ siteId, first }) => {
      const end = new Date(first).getTime();
      const isOver = end <= now;
      return [
        siteId,
        {
          certificate_status: isOver ? 'expired' : 'enabled',
          certificate_expires_soon: !isOver && end <= soon,
        },
      ];
    }),
  );
}
