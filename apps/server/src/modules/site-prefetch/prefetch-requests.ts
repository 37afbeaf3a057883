import {
  prefetchRequestsMax,
  prefetchUrlsMax,
  type FollowKind,
  type PrefetchError,
} from '@breakwater/contract';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { sitePrefetch, sitePrefetchNode, sitePrefetchUrl } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';

/** What is still to be fetched, and what came of it. */

export type Prefetch = typeof sitePrefetch.$inferSelect;

/** Each URL in each encoding, and of these each in every language. */
export const variantsOf = ({ encodings, languages }: Pick<Prefetch, 'encodings' | 'languages'>): number =>
  encodings.length * Math.max(1, languages.length);

export function variantOf(
  { encodings, languages }: Pick<Prefetch, 'encodings' | 'languages'>,
  index: number,
) {
  return {
    encoding: encodings[index % encodings.length]!,
    language: languages[Math.floor(index / encodings.length)],
  };
}

export interface Due {
  url_id: number;
  url: string;
  follow: FollowKind | null;
  variant: number;
}

/** What a node was not answered yet, in the order of the URLs. */
const dueOf = (prefetch: Prefetch, nodeId: SQL) => sql`
  site_prefetch_url u CROSS JOIN generate_series(0, ${variantsOf(prefetch) - 1}::integer) AS v (variant)
  WHERE u.prefetch_id = ${prefetch.id} AND NOT EXISTS (
    SELECT FROM site_prefetch_result r
    WHERE r.url_id = u.id AND r.node_id = ${nodeId} AND r.variant = v.variant)`;

export function dueRequests(db: Db, prefetch: Prefetch, nodeId: number, most: number): Promise<Due[]> {
  return rowsOf<Due>(
    db,
    sql`SELECT u.id::float8 AS url_id, u.url, u.follow, v.variant FROM ${dueOf(prefetch, sql`${nodeId}`)}
        ORDER BY u.id, v.variant LIMIT ${most}`,
  );
}

export async function isAnythingDue(db: Db, prefetch: Prefetch): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`SELECT 1 FROM site_prefetch_node n WHERE n.prefetch_id = ${prefetch.id}
        AND EXISTS (SELECT FROM ${dueOf(prefetch, sql`n.node_id`)}) LIMIT 1`,
  );
  return rows.length > 0;
}

export interface Result {
  url_id: number;
  variant: number;
  status: number | null;
  bytes: number;
  milliseconds: number;
  cache: string;
  error: PrefetchError | null;
}

/** No answer, or one that says no. */
export const isFailed = sql`(status IS NULL OR status >= 400)`;

/** Each once: what another run has written meanwhile stays. */
export async function storeResults(
  tx: Transaction,
  { id }: Prefetch,
  nodeId: number,
  results: readonly Result[],
): Promise<void> {
  const [sums] = await rowsOf<{ done: number; failed: number; bytes: number }>(
    tx,
    sql`WITH new AS (
          INSERT INTO site_prefetch_result (prefetch_id, url_id, node_id, variant, status, bytes, milliseconds, cache, error)
          SELECT ${id}, r.url_id, ${nodeId}, r.variant, r.status, r.bytes, r.milliseconds, r.cache, r.error
          FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS r
            (url_id bigint, variant smallint, status smallint, bytes bigint, milliseconds integer, cache text, error text)
          WHERE EXISTS (SELECT FROM site_prefetch_node n WHERE n.prefetch_id = ${id} AND n.node_id = ${nodeId})
          ON CONFLICT DO NOTHING RETURNING status, bytes)
        SELECT count(*)::integer AS done, count(*) FILTER (WHERE ${isFailed})::integer AS failed,
          coalesce(sum(bytes), 0)::float8 AS bytes FROM new`,
  );
  const { done, failed, bytes } = sums!;
  await tx
    .update(sitePrefetch)
    .set({
      done: sql`${sitePrefetch.done} + ${done}`,
      failed: sql`${sitePrefetch.failed} + ${failed}`,
      bytes: sql`${sitePrefetch.bytes} + ${bytes}`,
    })
    .where(eq(sitePrefetch.id, id));
}

/** Of a node that does not answer: all that it was still to fetch. */
export async function giveUpNode(tx: Transaction, prefetch: Prefetch, nodeId: number): Promise<void> {
  const due = await dueRequests(tx, prefetch, nodeId, prefetchRequestsMax);
  const none = { status: null, bytes: 0, milliseconds: 0, cache: '', error: 'node_away' } as const;
  const results = due.map(({ url_id, variant }) => ({ url_id, variant, ...none }));
  await storeResults(tx, prefetch, nodeId, results);
}

/** A node that answered, or did not; how often it has not by now. */
export async function noteAnswer(
  tx: Db,
  prefetchId: number,
  nodeId: number,
  answered: boolean,
): Promise<number> {
  const [row] = await tx
    .update(sitePrefetchNode)
    .set({ misses: answered ? 0 : sql`${sitePrefetchNode.misses} + 1` })
    .where(and(eq(sitePrefetchNode.prefetchId, prefetchId), eq(sitePrefetchNode.nodeId, nodeId)))
    .returning({ misses: sitePrefetchNode.misses });
  return row?.misses ?? 0;
}

export interface NewUrl {
  url: string;
  follow: FollowKind | null;
}

export async function addUrls(tx: Transaction, prefetchId: number, urls: readonly NewUrl[]): Promise<void> {
  await tx.execute(
    sql`INSERT INTO site_prefetch_url (prefetch_id, url, follow)
        SELECT ${prefetchId}, u.url, u.follow
        FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(urls)}::jsonb) AS (url text, follow text)) WITH ORDINALITY AS u (url, follow, place)
        ORDER BY u.place ON CONFLICT DO NOTHING`,
  );
}

/** Which of them it has not, and for how many there is room. */
export async function newAmong(tx: Transaction, prefetch: Prefetch, urls: readonly NewUrl[]) {
  const each = [...new Map(urls.map((one) => [one.url, one])).values()];
  const known = await rowsOf<{ url: string }>(
    tx,
    sql`SELECT url FROM site_prefetch_url WHERE prefetch_id = ${prefetch.id} AND url IN (
          SELECT jsonb_array_elements_text(${JSON.stringify(each.map(({ url }) => url))}::jsonb))`,
  );
  const [has, nodes] = await Promise.all([
    tx.$count(sitePrefetchUrl, eq(sitePrefetchUrl.prefetchId, prefetch.id)),
    tx.$count(sitePrefetchNode, eq(sitePrefetchNode.prefetchId, prefetch.id)),
  ]);
  const most = Math.min(
    prefetchUrlsMax,
    Math.floor(prefetchRequestsMax / (variantsOf(prefetch) * Math.max(1, nodes))),
  );
  const held = new Set(known.map(({ url }) => url));
  return { found: each.filter(({ url }) => !held.has(url)), room: Math.max(0, most - has) };
}
