import { taggedNamedMax, type SiteSelection } from '@breakwater/contract';
import { and, inArray, sql } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import type { Database, Db } from '../../db/database.ts';
import { tag } from '../../db/schema.ts';
import { integers, rowsOf } from '../../delivery/queryable.ts';
import { owned, type Scope } from '../../scope.ts';
import { siteIdsOf } from '../site/site.service.ts';

interface Tagging {
  sites: SiteSelection;
  add: readonly number[];
  remove: readonly number[];
}

interface Pair {
  site_id: number;
  tag_id: number;
}

/** Puts tags on sites and takes others away, for all sites or for none. */
export function tagSites(db: Database['db'], scope: Scope, tagging: Tagging) {
  return db.transaction(async (tx) => {
    await checkTags(tx, scope, tagging);
    const ids = await siteIdsOf(tx, scope, tagging.sites);
    const foreign = await rowsOf<{ id: number }>(
      tx,
      sql`SELECT t.id FROM tag t WHERE t.id = ANY(${integers(tagging.add)}) AND t.client_id IS NOT NULL
          AND EXISTS (SELECT FROM site s WHERE s.id = ANY(${integers(ids)}) AND s.client_id <> t.client_id)`,
    );
    if (foreign.length > 0)
      throw refused('add', tagging.add, new Set(foreign.map(({ id }) => id)), 'tag_owner');
    const removed = await rowsOf<Pair>(
      tx,
      sql`DELETE FROM site_tag WHERE site_id = ANY(${integers(ids)}) AND tag_id = ANY(${integers(tagging.remove)})
          RETURNING site_id, tag_id`,
    );
    const added = await rowsOf<Pair>(
      tx,
      sql`INSERT INTO site_tag (site_id, tag_id) SELECT s, t FROM unnest(${integers(ids)}) s, unnest(${integers(tagging.add)}) t
          ORDER BY s, t ON CONFLICT DO NOTHING RETURNING site_id, tag_id`,
    );
    const isNamed = removed.length + added.length <= taggedNamedMax;
    const changed = isNamed ? [...byTag('removed', removed), ...byTag('added', added)] : [];
    return { site_count: ids.length, changed };
  });
}

const byTag = <Change extends string>(change: Change, pairs: readonly Pair[]) =>
  [...Map.groupBy(pairs, (pair) => pair.tag_id)].map(([tag_id, sites]) => ({
    tag_id,
    change,
    site_ids: sites.map(({ site_id: id }) => id),
  }));

/** What is named has to be there and within the scope. Locked, in one order: two who put on what the other takes off wait for each other. */
async function checkTags(tx: Db, scope: Scope, { add, remove }: Tagging): Promise<void> {
  const wanted = [...new Set([...add, ...remove])];
  const found = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(inArray(tag.id, wanted), owned(tag, scope)))
    .orderBy(tag.id)
    .for('no key update');
  const known = new Set(found.map(({ id }) => id));
  const missing = new Set(wanted.filter((id) => !known.has(id)));
  if (add.some((id) => missing.has(id))) throw refused('add', add, missing, 'does_not_exist');
  if (remove.some((id) => missing.has(id))) throw refused('remove', remove, missing, 'does_not_exist');
}

function refused(
  path: string,
  ids: readonly number[],
  bad: ReadonlySet<number>,
  issue: FieldIssue['issue'],
): ApiError {
  const fields = ids.flatMap((id, index): FieldIssue[] =>
    bad.has(id) ? [{ path: `${path}.${index}`, issue }] : [],
  );
  return new ApiError('invalid_input', fields);
}
