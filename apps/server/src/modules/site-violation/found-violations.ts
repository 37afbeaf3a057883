import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../delivery/queryable.ts';
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
 * Writes what a visit found, and takes pages offline that the setting says so of: all in one transaction. What was found
 * before, and perhaps dismissed, is the same violation, and nothing follows from it anew.
 */
export async function storeViolations(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  siteId: number,
  found: readonly Found[],
): Promise<void> {
  if (found.length === 0) return;
  await db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, siteId);
    if (!row) return;
    const offline = await tx.execute(
      sql`SELECT FROM site_violation WHERE site_id = ${siteId} AND action = 'blocked' LIMIT ${offlinePagesMax}`,
    );
    const mayBlock = (offline.rowCount ?? 0) < offlinePagesMax - perSiteMax;
    const rows = found.slice(0, perSiteMax).map((each) => rowOf(each, mayBlock));
    const written = await rowsOf<{ digest: string; is_new: boolean }>(
      tx,
      sql`INSERT INTO site_violation (site_id, host, request_uri, kind, category, word, excerpt, content_hash, digest, action)
          SELECT ${siteId}, host, request_uri, kind, category, word, excerpt, content_hash, digest, action
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
          data: { facts: { page: host + uri, category, word } },
        })),
    );
    if (news.some(({ action }) => action === 'blocked'))
      await publishSite(tx, secrets, published, siteTask('site_update', published, systemAuthor));
  });
}

function rowOf({ url, kind, category, word, excerpt, hash, action }: Found, mayBlock: boolean) {
  const { hostname, pathname, search } = new URL(url);
  const uri = (pathname + search).slice(0, textMax);
  const digest = createHash('sha256').update(JSON.stringify([hostname, uri, kind, category, word]));
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
