import type { ViolationSource } from '@breakwater/contract';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import { recordEvents } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import {
  lockSiteIfThere,
  publishSite,
  siteSubject,
  siteTask,
  systemAuthor,
  toPublished,
} from '../site-publish/site-publish.service.ts';
import type { Found } from './find-violations.ts';

/** Pages of one site that are offline at most: nodes hold them in memory. */
export const offlinePagesMax = 1000;
const perSiteMax = 200;
const textMax = 2000;
/**
 * Of what visitors submitted to a site, that nobody has decided about: anybody can make such rows, so that there are only so many,
 * and of one finding fewer, that it cannot take the room of others.
 */
const submittedMax = 200;
const submittedOfOneMax = 20;

/**
 * Writes what a visit found, and takes pages offline that the setting says so of: all in one transaction. What was found
 * before, and perhaps dismissed, is the same violation, and nothing follows from it anew. What visitors submitted takes no page
 * offline: else any of them could do that to a site.
 */
export async function storeViolations(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  siteId: number,
  found: readonly Found[],
  source: ViolationSource = 'delivered',
): Promise<void> {
  if (found.length === 0) return;
  await db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return;
    const offline = await tx.execute(
      sql`SELECT FROM site_violation WHERE site_id = ${siteId} AND action = 'blocked' LIMIT ${offlinePagesMax}`,
    );
    const mayBlock = source === 'delivered' && (offline.rowCount ?? 0) < offlinePagesMax - perSiteMax;
    const made = found.slice(0, perSiteMax).map((each) => rowOf(each, source, mayBlock));
    const rows = source === 'delivered' ? made : await withRoom(tx, siteId, made);
    if (rows.length === 0) return;
    const written = await rowsOf<{ digest: string; is_new: boolean }>(
      tx,
      sql`INSERT INTO site_violation (site_id, source, host, request_uri, kind, category, word, excerpt, content_hash, digest, action)
          SELECT ${siteId}, ${source}, host, request_uri, kind, category, word, excerpt, content_hash, digest, action
          FROM (SELECT DISTINCT ON (digest) * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (host text,
            request_uri text, kind text, category text, word text, excerpt text, content_hash text, digest text, action text)) d
          ON CONFLICT (site_id, digest) DO UPDATE SET seen_at = now(), content_hash = excluded.content_hash,
            excerpt = excluded.excerpt
          RETURNING digest, xmax = 0 AS is_new`,
    );
    const fresh = new Set(written.flatMap(({ digest, is_new: isNew }) => (isNew ? [digest] : [])));
    const news = rows.filter(({ digest }) => fresh.delete(digest));
    const published = toPublished(row);
    await recordEvents(
      tx,
      news
        .filter(({ wanted }) => wanted !== 'watch')
        .map(({ host, request_uri: uri, category, word }) => ({
          kind: 'violation_found' as const,
          subject: siteSubject(published),
          clientId: published.clientId,
          actor: systemAuthor,
          data: { facts: { page: host + uri, category, word, source } },
        })),
    );
    if (news.some(({ action }) => action === 'blocked'))
      await publishSite(tx, secrets, published, siteTask('site_update', published, systemAuthor));
  });
}

type Row = ReturnType<typeof rowOf>;
type Finding = Pick<Row, 'kind' | 'category' | 'word'>;

/** Rows that are there already, and new ones for which there is room. The site is locked. */
async function withRoom(tx: Queryable, siteId: number, rows: readonly Row[]): Promise<Row[]> {
  const digests = JSON.stringify(rows.map(({ digest }) => digest));
  const there = await rowsOf<{ digest: string }>(
    tx,
    sql`SELECT digest FROM site_violation
        WHERE site_id = ${siteId} AND digest IN (SELECT jsonb_array_elements_text(${digests}::jsonb))`,
  );
  const taken = await rowsOf<Finding & { count: number }>(
    tx,
    sql`SELECT kind, category, word, count(*)::int AS count FROM site_violation
        WHERE site_id = ${siteId} AND source = 'submitted' AND state = 'open' GROUP BY kind, category, word`,
  );
  const findingOf = (each: Finding) => JSON.stringify([each.kind, each.category, each.word]);
  const known = new Set(there.map(({ digest }) => digest));
  const counts = new Map(taken.map((each) => [findingOf(each), each.count]));
  let all = taken.reduce((sum, { count }) => sum + count, 0);
  return rows.filter((row) => {
    if (known.has(row.digest)) return true;
    const count = counts.get(findingOf(row)) ?? 0;
    if (all >= submittedMax || count >= submittedOfOneMax) return false;
    all += 1;
    counts.set(findingOf(row), count + 1);
    known.add(row.digest);
    return true;
  });
}

function rowOf(
  { url, kind, category, word, excerpt, hash, action }: Found,
  source: ViolationSource,
  mayBlock: boolean,
) {
  const { hostname, pathname, search } = new URL(url);
  const uri = (pathname + search).slice(0, textMax);
  const of = [hostname, uri, kind, category, word, ...(source === 'delivered' ? [] : [source])];
  const digest = createHash('sha256').update(JSON.stringify(of));
  return {
    host: hostname,
    request_uri: uri,
    kind,
    category,
    word,
    excerpt,
    content_hash: hash,
    digest: digest.digest('base64url'),
    action: action === 'offline' && mayBlock ? 'blocked' : 'recorded',
    wanted: action,
  };
}
