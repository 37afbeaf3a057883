import type { GuardPlaceRow, GuardStepRow } from '@breakwater/contract';
import { asc, desc, eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { iso, listPage, pageOf } from '../../db/page.ts';
import { guardPlace, guardStep, node } from '../../db/schema.ts';
import type { Scope } from '../../scope.ts';
import { readConfig } from '../site-config/site-config.store.ts';

interface Page {
  current_page: number;
  page_size: number;
}

export async function listSiteGuardPlaces(db: Db, scope: Scope, siteId: number, query: Page) {
  await readConfig(db, scope, siteId);
  const where = eq(guardPlace.siteId, siteId);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ row: guardPlace, nodeName: node.name })
      .from(guardPlace)
      .innerJoin(node, eq(node.id, guardPlace.nodeId))
      .where(where)
      .orderBy(asc(guardPlace.since), asc(guardPlace.path), asc(guardPlace.nodeId))
      .limit(limit)
      .offset(offset),
    db.$count(guardPlace, where),
  ]);
  const list = rows.map(({ row, nodeName }): GuardPlaceRow => ({
    ...shown(row, nodeName),
    since: iso(row.since),
  }));
  return listPage(query, list, total);
}

export async function listSiteGuardSteps(db: Db, scope: Scope, siteId: number, query: Page) {
  await readConfig(db, scope, siteId);
  const where = eq(guardStep.siteId, siteId);
  const { limit, offset } = pageOf(query);
  const [rows, total] = await Promise.all([
    db
      .select({ row: guardStep, nodeName: node.name })
      .from(guardStep)
      .innerJoin(node, eq(node.id, guardStep.nodeId))
      .where(where)
      .orderBy(desc(guardStep.id))
      .limit(limit)
      .offset(offset),
    db.$count(guardStep, where),
  ]);
  const list = rows.map(({ row, nodeName }): GuardStepRow => ({
    id: row.id,
    ...shown(row, nodeName),
    from: row.fromLevel,
    at: iso(row.at),
  }));
  return listPage(query, list, total);
}

type Shown = Pick<
  typeof guardPlace.$inferSelect,
  'path' | 'level' | 'reason' | 'value' | 'threshold' | 'nodeId'
>;

const shown = ({ path, level, reason, value, threshold, nodeId }: Shown, nodeName: string) => ({
  path,
  level,
  reason,
  value,
  limit: threshold,
  node_id: nodeId,
  node_name: nodeName,
});
