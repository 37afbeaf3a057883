import { violationRanksMax, type SiteViolation, type siteViolationRoutes } from '@breakwater/contract';
import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import type { Db } from '../../db/database.ts';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { site, siteDomain, siteViolation } from '../../db/schema.ts';
import { owned, type Scope } from '../../scope.ts';

type Filters = z.output<typeof siteViolationRoutes.getSiteViolationStats.query>;
type Query = z.output<typeof siteViolationRoutes.listSiteViolations.query>;

const nameOfSite = sql<string>`coalesce((SELECT min(${siteDomain.domain}) FROM ${siteDomain} WHERE ${siteDomain.siteId} = ${site.id}), '')`;
const count = sql<number>`count(*)::int`;

function whereOf(scope: Scope, filters: Filters): SQL | undefined {
  return and(
    owned(site, scope),
    filters.site_id ? eq(siteViolation.siteId, filters.site_id) : undefined,
    filters.client_id ? eq(site.clientId, filters.client_id) : undefined,
    filters.host ? eq(siteViolation.host, filters.host.toLowerCase()) : undefined,
    contains(siteViolation.word, filters.word),
    filters.action && eq(siteViolation.action, filters.action),
    filters.start_time ? gte(siteViolation.createdAt, new Date(filters.start_time)) : undefined,
    filters.end_time ? lt(siteViolation.createdAt, new Date(filters.end_time)) : undefined,
  );
}

export async function listSiteViolations(db: Db, scope: Scope, query: Query) {
  const where = whereOf(scope, query);
  const { limit, offset } = pageOf(query);
  const rows = await db
    .select({ violation: siteViolation, clientId: site.clientId, siteName: nameOfSite })
    .from(siteViolation)
    .innerJoin(site, eq(site.id, siteViolation.siteId))
    .where(where)
    .orderBy(desc(siteViolation.createdAt), desc(siteViolation.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await counts(db, where);
  const list = rows.map(({ violation, clientId, siteName }): SiteViolation => ({
    id: violation.id,
    site_id: violation.siteId,
    site_name: siteName,
    client_id: clientId,
    host: violation.host,
    request_uri: violation.requestUri,
    word: violation.word,
    excerpt: violation.excerpt,
    action: violation.action,
    created_at: iso(violation.createdAt),
  }));
  return listPage(query, list, counted?.total ?? 0);
}

const counts = (db: Db, where: SQL | undefined) =>
  db
    .select({
      total: count,
      blocked: sql<number>`count(*) FILTER (WHERE ${siteViolation.action} = 'blocked')::int`,
    })
    .from(siteViolation)
    .innerJoin(site, eq(site.id, siteViolation.siteId))
    .where(where);

const countedBy = (db: Db, where: SQL | undefined, name: SQL<string>) =>
  db
    .select({ name, count })
    .from(siteViolation)
    .innerJoin(site, eq(site.id, siteViolation.siteId))
    .where(where)
    .groupBy(sql`1`);

const ranked = (db: Db, where: SQL | undefined, name: SQL<string>) =>
  countedBy(db, where, name)
    .orderBy(sql`2 DESC, 1`)
    .limit(violationRanksMax);

export async function readSiteViolationStats(db: Db, scope: Scope, filters: Filters) {
  const where = whereOf(scope, filters);
  const day = sql<string>`to_char(date_trunc('day', ${siteViolation.createdAt}, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T00:00:00.000Z"')`;
  const [[counted], days, sites, words] = await Promise.all([
    counts(db, where),
    countedBy(db, where, day),
    ranked(db, where, nameOfSite),
    ranked(db, where, sql<string>`${siteViolation.word}`),
  ]);
  return {
    total: counted?.total ?? 0,
    blocked: counted?.blocked ?? 0,
    days: withQuietDays(days),
    sites,
    words,
  };
}

const dayMs = 86_400_000;

/** From the first day to the last: those between on which nothing was found have 0. */
function withQuietDays(days: readonly { name: string; count: number }[]) {
  const counted = new Map(days.map(({ name, count: found }) => [Date.parse(name), found]));
  const first = Math.min(...counted.keys());
  const length = counted.size === 0 ? 0 : (Math.max(...counted.keys()) - first) / dayMs + 1;
  return Array.from({ length }, (_, index) => {
    const day = first + index * dayMs;
    return { time: new Date(day).toISOString(), count: counted.get(day) ?? 0 };
  });
}
