import { nodeSilentSeconds, type HttpFilterSetting } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import { everything } from '../../scope.ts';
import { paced } from '../../paced.ts';
import type { Services } from '../../services.ts';
import { readHttpFilterSetting } from '../setting/setting.store.ts';
import { isServed } from '../site-claim/site-claim.service.ts';
import { storeViolations } from './found-violations.ts';
import { categoriesOf, searchPages } from './search-pages.ts';
import type { NodeAt } from './visit-page.ts';
import { visitSite } from './visit-site.ts';

/**
 * Work by the clock: visits the pages of sites through their nodes. A site is taken for some minutes, so that of several runs,
 * or after one that was killed, each is visited once, or again.
 */

const runSeconds = 50;
const sitesAtOnce = 2;
const takenMinutes = 10;

interface DueSite {
  id: number;
  line_group_id: number;
  domains: string[];
}

/** Returns how many sites it visited. */
export async function visitSites(services: Services, signal: AbortSignal): Promise<number> {
  const setting = await readHttpFilterSetting(services.db);
  if (!setting.enabled) return 0;
  await services.db.execute(
    sql`INSERT INTO site_visit (site_id) SELECT id FROM site WHERE removed_at IS NULL
        AND NOT EXISTS (SELECT FROM site_visit v WHERE v.site_id = site.id) ON CONFLICT DO NOTHING`,
  );
  const turn = paced(setting.pages_per_second);
  const deadline = Date.now() + runSeconds * 1000;
  let visited = 0;
  const work = async () => {
    while (Date.now() < deadline && !signal.aborted) {
      const site = await takeDue(services.db);
      if (!site) return;
      try {
        await visitOne(services, setting, site, turn, signal);
        visited += 1;
      } catch (err) {
        if (!signal.aborted) services.log.error({ err, site: site.id }, 'visit of a site');
      }
    }
  };
  await Promise.all(Array.from({ length: sitesAtOnce }, work));
  return visited;
}

async function takeDue(db: Queryable): Promise<DueSite | undefined> {
  const [site] = await rowsOf<DueSite>(
    db,
    sql`WITH due AS (
          UPDATE site_visit SET next_at = now() + make_interval(mins => ${takenMinutes})
          WHERE site_id = (
            SELECT v.site_id FROM site_visit v JOIN site s ON s.id = v.site_id
            WHERE v.next_at <= now() AND s.removed_at IS NULL AND s.status = 'online'
            ORDER BY v.next_at, v.site_id LIMIT 1 FOR UPDATE OF v SKIP LOCKED)
          RETURNING site_id)
        SELECT s.id, s.line_group_id, coalesce((SELECT jsonb_agg(d.domain ORDER BY d.position) FROM site_domain d
          WHERE d.site_id = s.id AND ${isServed(sql`d`)}), '[]') AS domains
        FROM due JOIN site s ON s.id = due.site_id`,
  );
  return site;
}

/** Those that report. Another one is first each time, so that all are looked at in turn. */
async function nodesOf(db: Queryable, lineGroupId: number): Promise<NodeAt[]> {
  return rowsOf<NodeAt>(
    db,
    sql`SELECT i.ip, (n.state -> 'http_ports' ->> 0)::integer AS http, (n.state -> 'https_ports' ->> 0)::integer AS https
        FROM node_line_group l JOIN node n ON n.id = l.node_id AND n.enabled
          JOIN LATERAL (SELECT ip FROM node_ip WHERE node_id = n.id AND enabled ORDER BY id LIMIT 1) i ON true
        WHERE l.line_group_id = ${lineGroupId} AND n.status_time > now() - make_interval(secs => ${nodeSilentSeconds})
          AND (n.state ->> 'nginx_running')::boolean
        ORDER BY random() LIMIT 3`,
  );
}

async function visitOne(
  services: Services,
  setting: HttpFilterSetting,
  site: DueSite,
  turn: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { db } = services;
  const nodes = await nodesOf(db, site.line_group_id);
  if (nodes.length === 0) return comeBack(db, site.id);
  const categories = categoriesOf(setting, site.line_group_id);
  const asked = await mostAsked(services, site, setting.pages_per_site);
  const { domains } = site;
  const visited = await visitSite({
    nodes,
    domains,
    asked,
    pagesMax: setting.pages_per_site,
    categories,
    turn,
    signal,
  });
  const found = await searchPages(db, setting, categories, visited);
  await storeViolations(services, site.id, found);
  await db.execute(
    sql`UPDATE site_visit SET last_at = now(), pages = ${visited.pages.length},
          next_at = now() + make_interval(hours => ${setting.interval_hours}) WHERE site_id = ${site.id}`,
  );
}

/** No node reports: it is tried again soon. */
async function comeBack(db: Queryable, siteId: number): Promise<void> {
  await db.execute(
    sql`UPDATE site_visit SET next_at = now() + interval '1 minute' WHERE site_id = ${siteId}`,
  );
}

/** Of the last day; none where the logs do not tell. */
async function mostAsked({ logStore, log }: Services, site: DueSite, top: number): Promise<string[]> {
  const now = Date.now();
  const filter = {
    site_id: site.id,
    start_time: new Date(now - 86_400_000).toISOString(),
    end_time: new Date(now).toISOString(),
    top,
    top_type: 'request' as const,
    refused: 'no' as const,
  };
  try {
    const { ranks } = await logStore.rank(everything, 'cdn', 'top_url', filter);
    return ranks.flatMap(({ name }) => URL.parse(`http://${name}`)?.href ?? []);
  } catch (err) {
    log.warn({ err, site: site.id }, 'pages of a site that are asked for most');
    return [];
  }
}
