import type { prefetchOutcomes } from '@breakwater/contract';
import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import {
  client,
  node,
  operation,
  site,
  sitePrefetch,
  sitePrefetchNode,
  sitePrefetchResult,
  sitePrefetchUrl,
} from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { authorName, everything, owned, type Scope } from '../../scope.ts';
import { isFailed, variantOf, variantsOf, type Prefetch } from './prefetch-requests.ts';

interface Paging {
  current_page: number;
  page_size: number;
}

export async function listPrefetches(
  db: Db,
  scope: Scope,
  query: Paging & { site_id?: number | undefined; client_id?: number | undefined },
) {
  const where = and(
    owned(sitePrefetch, scope),
    query.site_id ? eq(sitePrefetch.siteId, query.site_id) : undefined,
    query.client_id ? eq(sitePrefetch.clientId, query.client_id) : undefined,
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    selectPrefetches(db).where(where).orderBy(desc(sitePrefetch.id)).limit(limit).offset(offset),
    db.$count(sitePrefetch, where),
  ]);
  return listPage(
    query,
    rows.map((row) => present(scope, row)),
    total,
  );
}

export async function getPrefetch(db: Db, scope: Scope, id: number) {
  const [row] = await selectPrefetches(db).where(and(eq(sitePrefetch.id, id), owned(sitePrefetch, scope)));
  if (!row) throw notFound();
  const { sitemap, concurrency, rate, encodings, languages, playlists, truncated } = row.prefetch;
  return { ...present(scope, row), sitemap, concurrency, rate, encodings, languages, playlists, truncated };
}

export async function listResults(
  db: Db,
  scope: Scope,
  id: number,
  query: Paging & { outcome?: (typeof prefetchOutcomes)[number] | undefined; node_id?: number | undefined },
) {
  const [prefetch] = await db
    .select()
    .from(sitePrefetch)
    .where(and(eq(sitePrefetch.id, id), owned(sitePrefetch, scope)));
  if (!prefetch) throw notFound();
  const where = and(
    eq(sitePrefetchResult.prefetchId, id),
    query.node_id ? eq(sitePrefetchResult.nodeId, query.node_id) : undefined,
    outcomes[query.outcome ?? 'all'],
  );
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ result: sitePrefetchResult, url: sitePrefetchUrl.url, nodeName: node.name })
      .from(sitePrefetchResult)
      .innerJoin(sitePrefetchUrl, eq(sitePrefetchUrl.id, sitePrefetchResult.urlId))
      .innerJoin(node, eq(node.id, sitePrefetchResult.nodeId))
      .where(where)
      .orderBy(desc(sitePrefetchResult.createdAt), sitePrefetchResult.urlId, sitePrefetchResult.nodeId)
      .limit(limit)
      .offset(offset),
    db.$count(sitePrefetchResult, where),
  ]);
  const list = rows.map(({ result, url, nodeName }) => {
    const { encoding, language } = variantOf(prefetch, result.variant);
    return {
      id: `${result.urlId}-${result.nodeId}-${result.variant}`,
      url,
      node_id: result.nodeId,
      node_name: nodeName,
      encoding,
      language: language ?? '',
      status: result.status,
      bytes: result.bytes,
      milliseconds: result.milliseconds,
      cache: result.cache,
      error: result.error,
      at: iso(result.createdAt),
    };
  });
  return listPage(query, list, total);
}

const outcomes: Record<'all' | (typeof prefetchOutcomes)[number], SQL | undefined> = {
  all: undefined,
  ok: sql`NOT ${isFailed}`,
  failed: isFailed,
};

function selectPrefetches(db: Db) {
  return db
    .select({
      prefetch: sitePrefetch,
      status: operation.state,
      siteName: sql<string>`coalesce(${site.config} -> 'domains' ->> 0, '')`,
      clientName: client.name,
      first: sql<string>`coalesce((SELECT u.url FROM site_prefetch_url u WHERE u.prefetch_id = ${sitePrefetch.id} ORDER BY u.id LIMIT 1), '')`,
      urls: sql<number>`(SELECT count(*)::integer FROM site_prefetch_url u WHERE u.prefetch_id = ${sitePrefetch.id})`,
      nodes: sql<number>`(SELECT count(*)::integer FROM site_prefetch_node n WHERE n.prefetch_id = ${sitePrefetch.id})`,
    })
    .from(sitePrefetch)
    .innerJoin(operation, eq(operation.id, sitePrefetch.operationId))
    .innerJoin(site, eq(site.id, sitePrefetch.siteId))
    .innerJoin(client, eq(client.id, sitePrefetch.clientId))
    .$dynamic();
}

function present(scope: Scope, row: Awaited<ReturnType<typeof selectPrefetches>>[number]) {
  const { prefetch, status, siteName, clientName, first, urls, nodes } = row;
  return {
    id: prefetch.id,
    site_id: prefetch.siteId,
    site_name: siteName,
    client_id: prefetch.clientId,
    client_name: clientName,
    first,
    status,
    task_id: prefetch.operationId,
    urls,
    nodes,
    total: urls * nodes * variantsOf(prefetch),
    done: prefetch.done,
    failed: prefetch.failed,
    bytes: prefetch.bytes,
    created_by: authorName(scope, prefetch.authorType, prefetch.createdBy),
    created_at: iso(prefetch.createdAt),
  };
}

/** For who does it: whose it is has been asked when it was made. */
export async function readPrefetch(db: Db, id: number): Promise<Prefetch | undefined> {
  const [row] = await db
    .select()
    .from(sitePrefetch)
    .where(and(eq(sitePrefetch.id, id), owned(sitePrefetch, everything)));
  return row;
}

export async function nodesOf(db: Db, prefetchId: number): Promise<number[]> {
  const rows = await db
    .select({ id: sitePrefetchNode.nodeId })
    .from(sitePrefetchNode)
    .where(eq(sitePrefetchNode.prefetchId, prefetchId));
  return rows.map(({ id }) => id);
}

/** URLs times variants times nodes. */
export async function requestsOf(db: Db, prefetchId: number): Promise<number> {
  const [row] = await rowsOf<{ total: number }>(
    db,
    sql`SELECT ((SELECT count(*) FROM site_prefetch_url WHERE prefetch_id = p.id)
          * (SELECT count(*) FROM site_prefetch_node WHERE prefetch_id = p.id)
          * cardinality(p.encodings) * greatest(1, cardinality(p.languages)))::integer AS total
        FROM site_prefetch p WHERE p.id = ${prefetchId}`,
  );
  return row?.total ?? 0;
}

export async function readProgress(db: Db, prefetchId: number): Promise<{ done: number; total: number }> {
  const [row] = await rowsOf<{ done: number }>(
    db,
    sql`SELECT done FROM site_prefetch WHERE id = ${prefetchId}`,
  );
  return { done: row?.done ?? 0, total: await requestsOf(db, prefetchId) };
}
