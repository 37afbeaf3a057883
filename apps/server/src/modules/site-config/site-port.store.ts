import type { SitePortRange } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { notFound } from '../../api-error.ts';
import type { Db } from '../../db/database.ts';
import { order, product, site } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { readSitePortSetting } from '../setting/setting.store.ts';
import { siteWithin } from '../site-publish/site-publish.service.ts';
import { nodePorts } from '../site-section/site-section.service.ts';

/** What a site may have for ports, and what its nodes have. */
export async function readPortRange(db: Db, scope: Scope, id: number): Promise<SitePortRange> {
  const [row] = await db
    .select({ lineGroupId: site.lineGroupId, limits: product.limits })
    .from(site)
    .innerJoin(order, eq(order.id, site.orderId))
    .innerJoin(product, eq(product.id, order.productId))
    .where(siteWithin(scope, id));
  if (!row) throw notFound();
  const [setting, nodes] = await Promise.all([readSitePortSetting(db), nodePorts(db, row.lineGroupId)]);
  return { ...setting, ports_max: row.limits.ports_per_site ?? null, ...nodes };
}
