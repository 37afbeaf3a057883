import type { LevelDocument, LevelRef } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import { publishDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { LevelValues } from '../../site-values.ts';
import { compileOwn, publishAsked, usesOf } from '../site-section/site-section.service.ts';
import { levelKey, readLevel } from './site-level.store.ts';

/** Documents of levels: one each, however many sites inherit from it. */

/** Changes of levels wait for sites that are being published and the other way round: see `publishMissingLevels`. */
const levelsLock = 728_141_903;

/** To be taken before anything else of a change of a level. */
export async function lockLevels(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${levelsLock})`);
}

/** Sends a level to the nodes that serve its sites; the platform's, to all. */
export async function publishLevel(
  tx: Transaction,
  ref: LevelRef,
  values: LevelValues,
  task: NewTask | { id: number },
): Promise<number | null> {
  const groups = await rowsOf<{ id: number }>(tx, groupsOf(ref));
  const groupIds = groups.map(({ id }) => id);
  const following = await publishAsked(tx, usesOf(values), groupIds, task);
  const { access_control: access } = values;
  const body: LevelDocument = {
    level: ref.level,
    ...(ref.level === 'global' ? {} : { target_id: ref.target_id }),
    ...compileOwn(values),
    ...(access === undefined ? {} : { access_control: access }),
  };
  const { taskId } = await publishDocument(tx, {
    kind: 'level',
    key: levelKey(ref),
    lineGroupIds: groupIds,
    body,
    task: following,
  });
  return taskId ?? ('id' in following ? following.id : null);
}

function groupsOf({ level, target_id: id }: LevelRef) {
  if (level === 'global') return sql`SELECT id FROM line_group ORDER BY id`;
  const whose = level === 'client' ? sql`o.client_id = ${id}` : sql`o.product_id = ${id}`;
  return sql`SELECT DISTINCT o.line_group_id AS id FROM "order" o
    WHERE ${whose} AND EXISTS (SELECT 1 FROM site s WHERE s.order_id = o.id) ORDER BY 1`;
}

/**
 * The levels of a site that its nodes do not have yet: it may be the first of its customer in a line group. A level stays
 * with nodes after its last site there, and a list that it names may have left them since. To be called before the site
 * itself is published, so that no node has it without what it inherits.
 */
export async function publishMissingLevels(
  tx: Transaction,
  site: { clientId: number; productId: number; lineGroupId: number },
  task: NewTask | { id: number },
): Promise<NewTask | { id: number }> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${levelsLock})`);
  const missing = await rowsOf<LevelRef>(
    tx,
    sql`SELECT l.level, l.target_id FROM site_level l
        WHERE (l.level = 'global' OR l.level = 'product' AND l.target_id = ${site.productId}
            OR l.level = 'client' AND l.target_id = ${site.clientId})
          AND (NOT EXISTS (
            SELECT 1 FROM edge_document d WHERE d.kind = 'level' AND d.line_group_id = ${site.lineGroupId}
              AND NOT d.deleted
              AND d.key = CASE WHEN l.level = 'global' THEN 'global' ELSE l.level || '-' || l.target_id END)
          OR EXISTS (
            SELECT 1 FROM level_address_list u WHERE u.level_id = l.id AND NOT EXISTS (
              SELECT 1 FROM edge_document d WHERE d.kind = 'address_list' AND d.line_group_id = ${site.lineGroupId}
                AND NOT d.deleted AND d.key = u.address_list_id::text)))`,
  );
  let following = task;
  for (const ref of missing) {
    const { values } = await readLevel(tx, ref);
    const taskId = await publishLevel(tx, ref, values, following);
    if (taskId !== null) following = { id: taskId };
  }
  return following;
}
