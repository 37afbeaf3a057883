import { prefetchRequestsMax, type FollowKind, type sitePrefetchRoutes } from '@breakwater/contract';
import { and, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { invalid, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { operation, sitePrefetch, sitePrefetchNode } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { recordEvent } from '../../events/record-event.ts';
import { addItems, cancelOperation, createOperation } from '../../jobs/operation.store.ts';
import { clientIdOf } from '../../plugins/session.ts';
import { owned } from '../../scope.ts';
import { holdQuota, useQuota } from '../refresh-quota/refresh-quota.service.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import { partsOfUrls, type RefreshPart } from '../site-refresh/site-refresh.service.ts';
import { isPlaylist, plainUrl } from './prefetch-found.ts';
import { addUrls, isFailed, variantsOf, type NewUrl, type Prefetch } from './prefetch-requests.ts';
import { requestsOf } from './site-prefetch.store.ts';

type Wanted = z.output<typeof sitePrefetchRoutes.createSitePrefetch.body>;

/** All of it or nothing; one for each site. */
export function prefetchUrls(db: Db, author: Author, wanted: Wanted): Promise<{ ids: number[] }> {
  return db.transaction(async (tx) => {
    const clientId = clientIdOf(author.session);
    const quota = clientId === null ? null : await holdQuota(tx, clientId, 'prefetch_urls_per_day');
    const parts = await partsOf(tx, author, wanted);
    const field = wanted.urls.length > 0 ? 'urls' : 'sitemap';
    const urls = parts.reduce((sum, { targets }) => sum + targets.length, 0);
    if (quota) await useQuota(tx, quota, urls, field);
    const nodes = await Promise.all(parts.map((part) => nodesFor(tx, part, wanted.node_ids, field)));
    const variants = variantsOf(wanted);
    const requests = parts.reduce(
      (sum, { targets }, index) => sum + targets.length * variants * nodes[index]!.length,
      0,
    );
    if (requests > prefetchRequestsMax) throw invalid(field, `prefetch_requests:${prefetchRequestsMax}`);
    const ids: number[] = [];
    for (const [index, part] of parts.entries())
      ids.push(await begin(tx, author, wanted, part, nodes[index]!));
    return { ids };
  });
}

/** A sitemap is a URL as well, and stands last. */
function partsOf(tx: Transaction, { scope }: Author, { urls, sitemap }: Wanted): Promise<RefreshPart[]> {
  const all = sitemap === undefined ? urls : [...urls, sitemap];
  return partsOfUrls(tx, scope, 'clean_url', all, (index) =>
    index < urls.length ? `urls.${index}` : 'sitemap',
  );
}

/** Those that serve the site; one that is wanted and does not is refused. */
async function nodesFor(
  tx: Transaction,
  { lineGroupId }: RefreshPart,
  wanted: readonly number[],
  field: string,
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`SELECT n.id FROM node n JOIN node_line_group l ON l.node_id = n.id
        WHERE l.line_group_id = ${lineGroupId} AND n.enabled ORDER BY n.id`,
  );
  const serving = rows.map(({ id }) => id);
  const missing = wanted.findIndex((id) => !serving.includes(id));
  if (missing >= 0) throw invalid(`node_ids.${missing}`, 'does_not_exist');
  if (serving.length === 0) throw invalid(field, 'prefetch_no_nodes');
  return wanted.length > 0 ? [...new Set(wanted)] : serving;
}

async function begin(
  tx: Transaction,
  { session }: Author,
  wanted: Wanted,
  part: RefreshPart,
  nodes: readonly number[],
): Promise<number> {
  const { siteId, clientId, name, targets } = part;
  const title = targets.length === 1 ? targets[0]! : `${targets[0]!} (+${targets.length - 1})`;
  const operationId = await create(tx, title, clientId, session.name);
  const urls = urlsOf(wanted, targets);
  const { concurrency, rate, playlists } = wanted;
  const [row] = await tx
    .insert(sitePrefetch)
    .values({
      siteId,
      clientId,
      operationId,
      concurrency,
      rate,
      playlists,
      sitemap: urls.find(({ follow }) => follow === 'sitemap')?.url ?? '',
      encodings: [...new Set(wanted.encodings)],
      languages: [...new Set(wanted.languages)],
      limited: clientIdOf(session) !== null,
      authorType: session.kind,
      createdBy: session.name,
    })
    .returning();
  await addUrls(tx, row!.id, urls);
  await tx.insert(sitePrefetchNode).values(nodes.map((nodeId) => ({ prefetchId: row!.id, nodeId })));
  await recordEvent(tx, {
    kind: 'cache_prefetched',
    subject: { kind: 'site', id: siteId, name },
    clientId,
    actor: session,
    data: { facts: { count: targets.length } },
  });
  await run(tx, row!, operationId);
  return row!.id;
}

function urlsOf({ sitemap, playlists }: Wanted, targets: readonly string[]): NewUrl[] {
  const plain = sitemap === undefined ? undefined : plainUrl(sitemap);
  const followOf = (url: string): FollowKind | null => {
    if (url === plain) return 'sitemap';
    return playlists && isPlaylist(url) ? 'playlist' : null;
  };
  return targets.map((url) => ({ url, follow: followOf(url) }));
}

/** Nothing of it is done before it has an item. */
const create = (tx: Transaction, title: string, clientId: number, createdBy: string): Promise<number> =>
  createOperation(tx, {
    kind: 'site_prefetch',
    title,
    subjectKind: 'site_prefetch',
    clientId,
    total: 0,
    createdBy,
  });

/** Gives it to the workers. */
async function run(tx: Transaction, prefetch: Prefetch, operationId: number): Promise<void> {
  await tx
    .update(operation)
    .set({ subjectId: prefetch.id, total: await requestsOf(tx, prefetch.id), progress: prefetch.done })
    .where(eq(operation.id, operationId));
  await addItems(tx, operationId, [{ kind: 'site_prefetch', key: String(prefetch.id) }]);
}

export function stopPrefetch(db: Db, author: Author, id: number): Promise<Record<string, never>> {
  return db.transaction(async (tx) => {
    const { operationId } = await lockPrefetch(tx, author, id);
    await cancelOperation(tx, operationId);
    return {};
  });
}

/** What failed is forgotten, and done with what a stopped one had not come to; answers how many requests that are. */
export function retryPrefetch(db: Db, author: Author, id: number): Promise<{ requests: number }> {
  return db.transaction(async (tx) => {
    const prefetch = await lockPrefetch(tx, author, id);
    const [former] = await tx.select().from(operation).where(eq(operation.id, prefetch.operationId));
    if (former!.state === 'pending' || former!.state === 'running') return { requests: 0 };
    await tx.execute(sql`DELETE FROM site_prefetch_result WHERE prefetch_id = ${id} AND ${isFailed}`);
    await tx.execute(sql`UPDATE site_prefetch_node SET misses = 0 WHERE prefetch_id = ${id}`);
    const done = prefetch.done - prefetch.failed;
    const requests = (await requestsOf(tx, id)) - done;
    if (requests <= 0) return { requests: 0 };
    const operationId = await create(tx, former!.title, prefetch.clientId, author.session.name);
    await tx.update(sitePrefetch).set({ operationId, done, failed: 0 }).where(eq(sitePrefetch.id, id));
    await run(tx, { ...prefetch, done }, operationId);
    return { requests };
  });
}

async function lockPrefetch(tx: Transaction, { scope }: Author, id: number): Promise<Prefetch> {
  const [row] = await tx
    .select()
    .from(sitePrefetch)
    .where(and(eq(sitePrefetch.id, id), owned(sitePrefetch, scope)))
    .for('update');
  if (!row) throw notFound();
  return row;
}
