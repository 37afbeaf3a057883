import { sql } from 'drizzle-orm';
import { rowsOf } from '../../delivery/queryable.ts';
import { eachItem } from '../../each-item.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Services } from '../../services.ts';
import { systemAuthor, type Author, type SiteWriter } from './site-author.ts';
import { publishSite } from './site-publish.ts';
import { lockSite, lockSiteIfThere, siteSubject, siteTask, siteWithin, toPublished } from './site-row.ts';

/** Sites that are sent to their nodes again without a change. */

/** Sends the site to its nodes again, as it is. */
export async function forceSync(
  { db, secrets }: SiteWriter,
  { session, scope }: Author,
  id: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const published = toPublished(await lockSite(tx, siteWithin(scope, id)));
    const task = siteTask('site_sync', published, session);
    await recordEvent(tx, {
      kind: 'synced',
      subject: siteSubject(published),
      clientId: published.clientId,
      actor: session,
    });
    const taskId = await publishSite(tx, secrets, published, task, {
      force: true,
    });
    return taskId!;
  });
}

/** Documents that one run of the job sends again at most: other changes of documents wait for each. */
const perRun = 500;
const runSeconds = 300;

/**
 * Sends sites again whose documents an earlier version made: those say everything, so that nothing of it would be
 * inherited, and do not name a product. Returns how many.
 */
export async function refreshDocuments(services: Services): Promise<number> {
  const { db, secrets } = services;
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`SELECT DISTINCT key::int AS id FROM edge_document
        WHERE kind = 'site' AND NOT deleted AND format = 0 ORDER BY id LIMIT ${perRun}`,
  );
  const work = {
    log: services.log,
    about: 'refresh of a document',
    nameOf: ({ id }: { id: number }) => id,
    seconds: runSeconds,
  };
  return eachItem(rows, work, ({ id }) =>
    db.transaction(async (tx) => {
      const row = await lockSiteIfThere(tx, id);
      if (!row) return;
      const published = toPublished(row);
      await publishSite(tx, secrets, published, siteTask('site_sync', published, systemAuthor), {
        force: true,
      });
    }),
  );
}
