import { readTips, type DnsVerdict, type Tip, type domainProofs } from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { client, order, product, site, siteDomain } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { txtNameOf } from './dns-check.ts';
import { readExpected } from './domain-check.ts';
import { cnameOf } from './site.rules.ts';
import { siteWithin } from './site.store.ts';

export async function readCname(db: Db, scope: Scope, id: number): Promise<string | null> {
  const [row] = await db.select({ label: site.cnameLabel }).from(site).where(siteWithin(scope, id));
  if (!row) throw notFound();
  return cnameOf(row.label, (await readSiteSetting(db)).cname_domain);
}

/** What the domains of a site are to say in the DNS, and what they said last. */
export async function readDnsCheck(db: Db, scope: Scope, id: number) {
  await readCname(db, scope, id);
  const [expected, rows] = await Promise.all([
    readExpected(db, [id]),
    db.select().from(siteDomain).where(eq(siteDomain.siteId, id)).orderBy(asc(siteDomain.position)),
  ]);
  return {
    expected: expected.get(id)!,
    domains: rows.map((row) => ({ ...presentCheck(row), txt_name: txtNameOf(row.domain) })),
  };
}

/** The domains of a site, for whoever may see it. */
export async function domainsOf(db: Db, scope: Scope, id: number): Promise<string[]> {
  await readCname(db, scope, id);
  const rows = await db
    .select({ domain: siteDomain.domain })
    .from(siteDomain)
    .where(eq(siteDomain.siteId, id));
  return rows.map((row) => row.domain);
}

/** Of these domains those that the scope holds. */
export async function domainsWithin(db: Db, scope: Scope, domains: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ domain: siteDomain.domain })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .where(
      and(
        inArray(siteDomain.domain, [...domains]),
        'all' in scope ? undefined : eq(site.clientId, scope.clientId),
      ),
    );
  return rows.map((row) => row.domain);
}

/** Of these domains those that the scope holds, with their sites. */
export async function ownersOfDomains(
  db: Db,
  scope: Scope,
  domains: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .select({ domain: siteDomain.domain, siteId: siteDomain.siteId })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .where(
      and(
        inArray(siteDomain.domain, [...domains]),
        'all' in scope ? undefined : eq(site.clientId, scope.clientId),
      ),
    );
  return new Map(rows.map((row) => [row.domain, row.siteId]));
}

export async function readSiteTips(db: Db, scope: Scope, id: number): Promise<Tip[]> {
  const cname = await readCname(db, scope, id);
  const [row] = await db
    .select({ prompts: product.prompts })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .innerJoin(product, eq(product.id, order.productId))
    .where(eq(site.id, id));
  return readTips(row?.prompts ?? '', cname);
}

export interface DomainFilter {
  current_page: number;
  page_size: number;
  domain?: string | undefined;
  site_id?: number | undefined;
  client_id?: number | undefined;
  username?: string | undefined;
  verdict?: DnsVerdict | 'unchecked' | undefined;
  proof?: (typeof domainProofs)[number] | undefined;
}

export async function listSiteDomains(db: Db, scope: Scope, query: DomainFilter) {
  const { limit, offset } = pageOf(query);
  const { verdict } = query;
  const where = and(
    'all' in scope ? undefined : eq(site.clientId, scope.clientId),
    contains(siteDomain.domain, query.domain),
    query.site_id ? eq(siteDomain.siteId, query.site_id) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
    contains(client.name, query.username),
    verdict === 'unchecked' ? isNull(siteDomain.verdict) : verdict && eq(siteDomain.verdict, verdict),
    query.proof && eq(siteDomain.proof, query.proof),
  );
  const [{ cname_domain: cnameDomain }, rows, [counted]] = await Promise.all([
    readSiteSetting(db),
    db
      .select({ siteDomain, site, clientName: client.name })
      .from(siteDomain)
      .innerJoin(site, eq(site.id, siteDomain.siteId))
      .innerJoin(client, eq(client.id, site.clientId))
      .where(where)
      .orderBy(asc(siteDomain.domain))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(siteDomain)
      .innerJoin(site, eq(site.id, siteDomain.siteId))
      .innerJoin(client, eq(client.id, site.clientId))
      .where(where),
  ]);
  const list = rows.map((row) => ({
    ...presentCheck(row.siteDomain),
    site_id: row.site.id,
    site_status: row.site.status,
    client_id: row.site.clientId,
    client_name: row.clientName,
    cname: cnameOf(row.site.cnameLabel, cnameDomain),
  }));
  return listPage(query, list, counted?.total ?? 0);
}

function presentCheck(row: typeof siteDomain.$inferSelect) {
  return {
    domain: row.domain,
    proof: row.proof,
    verdict: row.verdict,
    seen: row.seen,
    checked_at: isoOrNull(row.checkedAt),
    next_check_at: row.nextCheckAt && iso(row.nextCheckAt),
  };
}
