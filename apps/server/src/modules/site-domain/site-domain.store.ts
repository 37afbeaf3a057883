import {
  readTips,
  type DnsExpected,
  type DnsVerdict,
  type Tip,
  type domainProofs,
} from '@breakwater/contract';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { contains, containsDomain, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { client, order, product, site, siteDomain } from '../../db/schema.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import { owned, seesAll, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { txtNameOf, cnameOf, zoneOf } from './dns-check.ts';
import { readExpected, settleProof, type ClaimedName } from './domain-check.ts';
import { isContested, isWithheld, overlapsOf } from '../site-claim/site-claim.service.ts';
import { siteWithin, type Author } from '../site-publish/site-publish.service.ts';

export async function readCname(db: Db, scope: Scope, id: number): Promise<string | null> {
  const [row] = await db.select({ label: site.cnameLabel }).from(site).where(siteWithin(scope, id));
  if (!row) throw notFound();
  return cnameOf(row.label, (await readSiteSetting(db)).cname_domain);
}

const waitsBesideOthers = sql<boolean>`(${siteDomain.proof} <> 'given' AND ${isContested(sql`site_domain`, sql`${site.clientId}`)})`;

/** What the domains of a site are to say in the DNS, and what they said last. */
export async function readDnsCheck(db: Db, scope: Scope, id: number) {
  await readCname(db, scope, id);
  const [expected, rows, overlaps] = await Promise.all([
    readExpected(db, [id]),
    db
      .select({ siteDomain, contested: waitsBesideOthers })
      .from(siteDomain)
      .innerJoin(site, eq(site.id, siteDomain.siteId))
      .where(eq(siteDomain.siteId, id))
      .orderBy(asc(siteDomain.position)),
    // Whose names those are is no business of another customer.
    seesAll(scope) ? overlapsOf(db, id) : undefined,
  ]);
  return {
    expected: expectedFor(scope, expected.get(id)!),
    domains: rows.map((row) => ({
      ...presentCheck(row),
      zone: zoneOf(row.siteDomain.domain),
      txt_name: txtNameOf(row.siteDomain.domain),
      txt_value: row.siteDomain.token,
      overlaps: overlaps?.get(row.siteDomain.domain) ?? [],
    })),
  };
}

/** Enough to point a domain at where there is no CNAME. */
const addressesMax = 4;

/** Where all nodes are is the operators' business: customers are told what they have to write into their DNS. */
function expectedFor(scope: Scope, { cname, addresses }: DnsExpected): DnsExpected {
  if (seesAll(scope)) return { cname, addresses };
  return { cname, addresses: cname === null ? addresses.slice(0, addressesMax) : [] };
}

/** The domains of a site, for whoever may see it. */
export async function domainsOf(db: Db, scope: Scope, id: number): Promise<ClaimedName[]> {
  await readCname(db, scope, id);
  return db
    .select({ domain: siteDomain.domain, site_id: siteDomain.siteId })
    .from(siteDomain)
    .where(eq(siteDomain.siteId, id));
}

/** Of these domains those that the scope holds. */
export async function domainsWithin(
  db: Db,
  scope: Scope,
  domains: readonly string[],
): Promise<ClaimedName[]> {
  return db
    .select({ domain: siteDomain.domain, site_id: siteDomain.siteId })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .where(and(inArray(siteDomain.domain, [...domains]), owned(site, scope)));
}

/** Which sites nodes know these names by, whoever's they are. */
export async function ownersOnNodes(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsOf<{ domain: string; site_id: number }>(
    db,
    sql`SELECT d.domain, d.site_id FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.domain = ANY(${texts(names)}) AND NOT ${isWithheld(sql`d`, sql`s.client_id`)}`,
  );
  return new Map(rows.map((row) => [row.domain, row.site_id]));
}

/** An operator decides whose a domain is that waits beside names of others. */
export async function grantDomain(
  services: Services,
  { scope, session }: Author,
  id: number,
  domain: string,
): Promise<void> {
  const [row] = await services.db
    .select({ proof: siteDomain.proof })
    .from(siteDomain)
    .innerJoin(site, eq(site.id, siteDomain.siteId))
    .where(and(siteWithin(scope, id), eq(siteDomain.domain, domain)));
  if (!row) throw notFound();
  if (row.proof !== 'given') await settleProof(services, id, { granted: domain }, session);
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
    owned(site, scope),
    containsDomain(siteDomain.domain, query.domain),
    query.site_id ? eq(siteDomain.siteId, query.site_id) : undefined,
    query.client_id ? eq(site.clientId, query.client_id) : undefined,
    contains(client.name, query.username),
    verdict === 'unchecked' ? isNull(siteDomain.verdict) : verdict && eq(siteDomain.verdict, verdict),
    query.proof && eq(siteDomain.proof, query.proof),
  );
  const [{ cname_domain: cnameDomain }, rows, [counted]] = await Promise.all([
    readSiteSetting(db),
    db
      .select({ siteDomain, site, clientName: client.name, contested: waitsBesideOthers })
      .from(siteDomain)
      .innerJoin(site, eq(site.id, siteDomain.siteId))
      .innerJoin(client, eq(client.id, site.clientId))
      .where(where)
      .orderBy(asc(siteDomain.domain), asc(siteDomain.siteId))
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
    ...presentCheck(row),
    site_id: row.site.id,
    site_status: row.site.status,
    client_id: row.site.clientId,
    client_name: row.clientName,
    cname: cnameOf(row.site.cnameLabel, cnameDomain),
  }));
  return listPage(query, list, counted?.total ?? 0);
}

function presentCheck({
  siteDomain: row,
  contested,
}: {
  siteDomain: typeof siteDomain.$inferSelect;
  contested: boolean;
}) {
  return {
    domain: row.domain,
    proof: row.proof,
    contested,
    verdict: row.verdict,
    seen: row.seen,
    checked_at: isoOrNull(row.checkedAt),
    next_check_at: row.nextCheckAt && iso(row.nextCheckAt),
  };
}
