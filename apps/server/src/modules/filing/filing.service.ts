import { sql } from 'drizzle-orm';
import { rowsOf } from '../../delivery/queryable.ts';
import { eachItem } from '../../each-item.ts';
import type { Services } from '../../services.ts';
import { lacksFiling } from '../site-claim/site-claim.service.ts';
import {
  lockSiteIfThere,
  publishSite,
  siteTask,
  systemAuthor,
  toPublished,
} from '../site-publish/site-publish.service.ts';
import { askDue } from './filing-check.ts';

/** Sites that one run of the job publishes at most; the next one goes on. */
const perRun = 5000;
const runSeconds = 300;

/** The job: asks the provider, and tells nodes what follows from numbers and from line groups that ask for them. */
export async function runFilings(services: Services): Promise<{ asked: number; published: number }> {
  const asked = await askDue(services);
  return { asked, published: await publishFilings(services) };
}

async function publishFilings(services: Services): Promise<number> {
  const sites = await rowsOf<{ id: number }>(
    services.db,
    sql`SELECT DISTINCT s.id FROM site_domain d JOIN site s ON s.id = d.site_id
          JOIN line_group g ON g.id = s.line_group_id
        WHERE s.removed_at IS NULL AND (g.filing_required OR d.unfiled)
          AND d.unfiled <> (g.filing_required AND ${lacksFiling(sql`d`, sql`s.client_id`)})
        ORDER BY s.id LIMIT ${perRun}`,
  );
  const work = {
    log: services.log,
    about: 'filing numbers of a site',
    nameOf: ({ id }: { id: number }) => id,
    seconds: runSeconds,
  };
  return eachItem(sites, work, ({ id }) =>
    services.db.transaction(async (tx) => {
      const row = await lockSiteIfThere(tx, id);
      if (!row) return;
      const published = toPublished(row);
      await publishSite(tx, services.secrets, published, siteTask('site_update', published, systemAuthor));
    }),
  );
}
