import type { LevelDocument, LevelRef } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/database.ts';
import {
  followed,
  groupsOfUser,
  replaceUses,
  withdrawUnused,
  type EdgeUser,
  type Following,
  type UsedDocument,
} from '../../delivery/edge-use.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Secrets } from '../../secrets.ts';
import { askedOf, type LevelValues } from '../../site-values.ts';
import { compileOwn, documentsUsedBy, supplyUses, withNeeds } from '../site-section/site-section.service.ts';
import { levelKey, readLevel } from './site-level.store.ts';

/** Documents of levels: one each, however many sites inherit from it. */

/** Changes of levels wait for sites that are being published and the other way round: see `missingLevels`. */
const levelsLock = 728_141_903;

/** To be taken before anything else of a change of a level. */
export async function lockLevels(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${levelsLock})`);
}

/** A level with what it says, as it is to be published. */
export interface PublishedLevel {
  id: number;
  ref: LevelRef;
  values: LevelValues;
  uses: UsedDocument[];
}

const userOf = ({ id }: { id: number }): EdgeUser => ({ kind: 'level', id });

/** Sends a level that was changed to the nodes that serve its sites, the platform's to all; what it uses goes before it. */
export async function publishLevel(
  tx: Transaction,
  secrets: Secrets,
  level: PublishedLevel,
  task: NewTask,
): Promise<number | null> {
  const former = await replaceUses(tx, userOf(level), level.uses);
  const following = await sendLevel(tx, secrets, level, task);
  await withdrawUnused(tx, former, following);
  return 'id' in following ? following.id : null;
}

/** Takes a level from the nodes, whose row is gone, with what they had for it alone. */
export async function unpublishLevel(tx: Transaction, id: number, ref: LevelRef): Promise<void> {
  const former = await replaceUses(tx, userOf({ id }), []);
  await removeDocument(tx, { kind: 'level', key: levelKey(ref) });
  await withdrawUnused(tx, former);
}

/** What nodes are told of a level. */
export const documentOfLevel = (ref: LevelRef, values: LevelValues): LevelDocument =>
  withNeeds({
    level: ref.level,
    ...(ref.level === 'global' ? {} : { target_id: ref.target_id }),
    ...compileOwn(values),
    ...askedOf(values),
  });

async function sendLevel(
  tx: Transaction,
  secrets: Secrets,
  level: PublishedLevel,
  task: Following,
): Promise<Following> {
  const { ref, uses, values } = level;
  const lineGroupIds = await groupsOfUser(tx, userOf(level));
  const following = await supplyUses(tx, secrets, uses, lineGroupIds, task);
  const body = documentOfLevel(ref, values);
  const { taskId } = await publishDocument(tx, {
    kind: 'level',
    key: levelKey(ref),
    lineGroupIds,
    body,
    task: following,
  });
  return followed(taskId, following);
}

/**
 * The levels of a site that its nodes do not have yet, or lack a document for: it may be the first of its customer in a line
 * group. A level stays with nodes after its last site there, and what it uses may have left them since.
 */
export async function missingLevels(
  tx: Transaction,
  site: { clientId: number; productId: number; lineGroupId: number },
): Promise<PublishedLevel[]> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${levelsLock})`);
  const isLive = sql`d.line_group_id = ${site.lineGroupId} AND NOT d.deleted`;
  const missing = await rowsOf<LevelRef>(
    tx,
    sql`SELECT l.level, l.target_id FROM site_level l
        WHERE (l.level = 'global' OR l.level = 'product' AND l.target_id = ${site.productId}
            OR l.level = 'client' AND l.target_id = ${site.clientId})
          AND (NOT EXISTS (
            SELECT 1 FROM edge_document d WHERE d.kind = 'level' AND ${isLive}
              AND d.key = CASE WHEN l.level = 'global' THEN 'global' ELSE l.level || '-' || l.target_id END)
          OR EXISTS (
            SELECT 1 FROM edge_use u WHERE u.user_kind = 'level' AND u.user_id = l.id AND NOT EXISTS (
              SELECT 1 FROM edge_document d WHERE d.kind = u.dep_kind AND d.key = u.dep_key AND ${isLive})))
        ORDER BY l.id`,
  );
  const levels: PublishedLevel[] = [];
  for (const ref of missing) {
    const { id, values } = await readLevel(tx, ref);
    levels.push({ id: id!, ref, values, uses: documentsUsedBy(values) });
  }
  return levels;
}

/** To be called before the site itself is published, so that no node has it without what it inherits. */
export async function publishLevels(
  tx: Transaction,
  secrets: Secrets,
  levels: readonly PublishedLevel[],
  task: Following,
): Promise<Following> {
  let following = task;
  for (const level of levels) following = await sendLevel(tx, secrets, level, following);
  return following;
}
