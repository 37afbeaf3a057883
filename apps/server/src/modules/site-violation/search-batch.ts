import type { HttpFilterSetting } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { integers, rowsOf, type Queryable } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { readHttpFilterSetting } from '../setting/setting.store.ts';
import { isServed } from '../site-claim/site-claim.service.ts';

/** What a node hands over of one kind, in turn, by site. */
interface Search<Sample> {
  /** Servers that are at one now. */
  busy: WeakSet<Services>;
  /** Whether operators want this kind searched. */
  isOn: (setting: HttpFilterSetting) => boolean;
  /** Returns how many were searched. */
  searchSite: (
    services: Services,
    setting: HttpFilterSetting,
    site: SampledSite,
    samples: readonly Sample[],
  ) => Promise<number>;
}

export interface SampledSite {
  id: number;
  line_group_id: number;
  domains: string[];
}

/** Sites that the node serves. What it says of others is not looked at. */
const sitesOf = (db: Queryable, nodeId: number, ids: readonly number[]): Promise<SampledSite[]> =>
  rowsOf(
    db,
    sql`SELECT s.id, s.line_group_id, coalesce((SELECT jsonb_agg(d.domain) FROM site_domain d
          WHERE d.site_id = s.id AND ${isServed(sql`d`)}), '[]') AS domains
        FROM site s JOIN node_line_group l ON l.line_group_id = s.line_group_id AND l.node_id = ${nodeId}
        WHERE s.id = ANY(${integers(ids)}) AND s.removed_at IS NULL`,
  );

/** Returns how many were searched: none while another batch is. */
export async function searchBatch<Sample extends { site_id: number }>(
  services: Services,
  nodeId: number,
  samples: readonly Sample[],
  { busy, isOn, searchSite }: Search<Sample>,
): Promise<number> {
  if (busy.has(services)) return 0;
  busy.add(services);
  try {
    const setting = await readHttpFilterSetting(services.db);
    if (!setting.enabled || !isOn(setting)) return 0;
    const bySite = Map.groupBy(samples, (sample) => sample.site_id);
    let searched = 0;
    for (const site of await sitesOf(services.db, nodeId, [...bySite.keys()]))
      searched += await searchSite(services, setting, site, bySite.get(site.id)!);
    return searched;
  } finally {
    busy.delete(services);
  }
}
