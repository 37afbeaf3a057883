import { violationRanksMax, type SiteViolation, type siteViolationRoutes } from '@breakwater/contract';
import { and, desc, eq, gte, lt, ne, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import type { Db } from '../../db/database.ts';
import { among, contains, iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { site, siteViolation } from '../../db/schema.ts';
import { siteNameOf } from '../../db/site-name.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';

type Filters = z.output<typeof siteViolationRoutes.getSiteViolationStats.query>;
type Query = z.output<typeof siteViolationRoutes.listSiteViolations.query>;

const count = sql<number>`count(*)::int`;

function whereOf(scope: Scope, filters: Filters): SQL | undefined {
  return and(
    owned(site, scope),
    filters.site_id ? eq(siteViolation.siteId, filters.site_id) : undefined,
    filters.client_id ? eq(site.clientId, filters.client_id) : undefined,
    filters.host ? eq(siteViolation.host, filters.host.toLowerCase()) : undefined,
    contains(siteViolation.word, filters.word),
    filters.source && eq(siteViolation.source, filters.source),
    filters.action && eq(siteViolation.action, filters.action),
    filters.state && eq(siteViolation.state, filters.state),
    filters.category ? eq(siteViolation.category, filters.category) : undefined,
    // That wait for a decision.
    filters.appealed &&
      sql`${siteViolation.appealedAt} > coalesce(${siteViolation.decidedAt}, '-infinity'::timestamptz)`,
    filters.start_time ? gte(siteViolation.createdAt, new Date(filters.start_time)) : undefined,
    filters.end_time ? lt(siteViolation.createdAt, new Date(filters.end_time)) : undefined,
  );
}

/** Customers are not told who decided. */
export async function listSiteViolations(db: Db, scope: Scope, query: Query, isAdmin: boolean) {
  const where = and(whereOf(scope, query), among(siteViolation.id, query.ids));
  const { limit, offset } = pageOf(query);
  const rows = await db
    .select({ violation: siteViolation, clientId: site.clientId, siteName: siteNameOf(siteViolation.siteId) })
    .from(siteViolation)
    .innerJoin(site, eq(site.id, siteViolation.siteId))
    .where(where)
    .orderBy(desc(siteViolation.createdAt), desc(siteViolation.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await counts(db, where);
  const siteIds = new Set(rows.map(({ violation }) => String(violation.siteId)));
  const deliveries = await summariseDeliveries(db, 'site', [...siteIds]);
  const list = rows.map(({ violation, clientId, siteName }): SiteViolation => ({
    id: violation.id,
    site_id: violation.siteId,
    site_name: siteName,
    client_id: clientId,
    host: violation.host,
    request_uri: violation.requestUri,
    source: violation.source,
    kind: violation.kind,
    category: violation.category,
    word: violation.word,
    excerpt: violation.excerpt,
    content_hash: violation.contentHash,
    action: violation.action,
    state: violation.state,
    note: violation.note,
    decided_by: isAdmin ? violation.decidedBy : '',
    decided_at: isoOrNull(violation.decidedAt),
    appeal: violation.appeal,
    appealed_at: isoOrNull(violation.appealedAt),
    version: violation.version,
    created_at: iso(violation.createdAt),
    seen_at: iso(violation.seenAt),
    delivery: deliveries.get(String(violation.siteId)) ?? {
      status: 'none',
      nodes_applied: 0,
      nodes_total: 0,
    },
  }));
  return listPage(query, list, counted?.total ?? 0);
}

const counts = (db: Db, where: SQL | undefined) =>
  db
    .select({
      total: count,
      blocked: sql<number>`count(*) FILTER (WHERE ${siteViolation.action} = 'blocked')::int`,
      submitted: sql<number>`count(*) FILTER (WHERE ${siteViolation.source} = 'submitted')::int`,
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
  const [[counted], days, sites, words, categories] = await Promise.all([
    counts(db, where),
    countedBy(db, where, day),
    ranked(db, where, siteNameOf(siteViolation.siteId)),
    ranked(db, where, sql<string>`${siteViolation.word}`),
    ranked(db, and(where, ne(siteViolation.category, '')), sql<string>`${siteViolation.category}`),
  ]);
  return {
    total: counted?.total ?? 0,
    blocked: counted?.blocked ?? 0,
    submitted: counted?.submitted ?? 0,
    days: withQuietDays(days),
    sites,
    words,
    categories,
  };
}

/** How far the visits are, of sites that are online. */
export async function readVisits(db: Db) {
  const [row] = await rowsOf<{
    sites: number;
    visited: number;
    due: number;
    failed: number;
    last_at: string | null;
  }>(
    db,
    sql`SELECT count(*)::int AS sites, count(v.last_at)::int AS visited,
          (count(*) FILTER (WHERE v.next_at IS NULL OR v.next_at <= now()))::int AS due,
          (count(*) FILTER (WHERE v.last_at IS NOT NULL AND v.pages = 0))::int AS failed,
          to_char(max(v.last_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_at
        FROM site s LEFT JOIN site_visit v ON v.site_id = s.id WHERE s.removed_at IS NULL AND s.status = 'online'`,
  );
  return row!;
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
