import { idText, sitesSelectedMax, type DocumentResult, type SiteSelection } from '@breakwater/contract';
import { asc } from 'drizzle-orm';
import { ApiError, invalid } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { site } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { whereSelected } from './site-filter.ts';
import { finishRemovals } from './site-removal.ts';

/** What other modules may ask of sites. */

export { moveOrder } from './order-move.ts';
export { createSite } from './site-create.ts';
export { importNewSite } from './site-new-file.ts';
export { finishRemovals, removeSite, removeSiteForced } from './site-removal.ts';
export { setSiteStatus, settleSuspensions } from './site-status.ts';

/** To be called after a node has acknowledged documents: a site it was the last to drop is gone. */
export async function siteRemovalsAcknowledged(
  tx: Transaction,
  results: readonly DocumentResult[],
): Promise<void> {
  // A key is any text to the contract; of a site it is its id.
  const ids = results.flatMap(({ kind, key }) => {
    const siteId = idText.safeParse(key);
    return kind === 'site' && siteId.success ? [siteId.data] : [];
  });
  if (ids.length > 0) await finishRemovals(tx, ids);
}

/**
 * The sites of a selection within the scope, in order. A selection of nothing or of too many is refused, and one by a filter
 * that lets through more or fewer than whoever chose it was shown.
 */
export async function siteIdsOf(db: Db, scope: Scope, selection: SiteSelection): Promise<number[]> {
  const where = whereSelected(db, scope, selection);
  const rows = await db
    .select({ id: site.id })
    .from(site)
    .where(where)
    .orderBy(asc(site.id))
    .limit(sitesSelectedMax + 1);
  const { expected_total: expected } = selection;
  if (expected !== undefined && expected !== rows.length) {
    const issue = `total_differs:${expected}:${await db.$count(site, where)}` as const;
    throw new ApiError('selection_changed', [{ path: 'sites.expected_total', issue }]);
  }
  if (rows.length === 0) throw invalid('sites', 'does_not_exist');
  if (rows.length > sitesSelectedMax) throw new ApiError('too_many');
  return rows.map((row) => row.id);
}
