import {
  refreshHours,
  type SiteRefreshMode,
  type siteRefreshRoutes,
  type SiteRefreshType,
} from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import { invalid, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { siteRefresh } from '../../db/schema.ts';
import { summariseDeliveries } from '../../delivery/delivery-state.ts';
import { followed } from '../../delivery/edge-use.ts';
import { publishDocument, removeDocument } from '../../delivery/publish.ts';
import { rowsOf, texts } from '../../delivery/queryable.ts';
import { lockCounter } from '../../delivery/revisions.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import { recordEvents } from '../../events/record-event.ts';
import { clientIdOf } from '../../plugins/session.ts';
import { everything } from '../../scope.ts';
import { holdQuota, pruneRefreshUse, useQuota } from '../refresh-quota/refresh-quota.service.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import {
  documentOf,
  partsOfSites,
  partsOfUrls,
  type RefreshKind,
  type RefreshPart,
} from './refresh-targets.ts';

export { partsOfUrls, sitesOfHosts, type RefreshPart } from './refresh-targets.ts';

type RefreshedBy = Pick<typeof siteRefresh.$inferSelect, 'authorType' | 'createdBy'>;
type Wanted = z.output<typeof siteRefreshRoutes.createSiteRefresh.body>;

/** All of it or nothing. Every node of the sites hears of it, and the task ends when all have acknowledged. */
export function refreshSites(db: Db, author: Author, wanted: Wanted) {
  return refresh(db, author, wanted, async (tx) => {
    if ('urls' in wanted) return partsOfUrls(tx, author.scope, wanted.type, wanted.urls);
    const parts = await partsOfSites(tx, author.scope, wanted.site_ids, (index) =>
      invalid(`site_ids.${index}`, 'does_not_exist'),
    );
    if (wanted.type === 'clean_site') return parts;
    const tags = [...new Set(wanted.tags)];
    return parts.map((part) => ({ ...part, targets: tags }));
  });
}

export const refreshSite = (db: Db, author: Author, siteId: number) =>
  refresh(db, author, { type: 'clean_site', mode: 'delete' }, (tx) =>
    partsOfSites(tx, author.scope, [siteId], notFound),
  );

function refresh(
  db: Db,
  { session }: Author,
  kind: RefreshKind,
  partsIn: (tx: Transaction) => Promise<RefreshPart[]>,
) {
  const { type, mode } = kind;
  return db.transaction(async (tx) => {
    const customer = clientIdOf(session);
    const quota = customer === null ? null : await holdQuota(tx, customer, quotaOf(type));
    const parts = await partsIn(tx);
    if (quota) await useQuota(tx, quota, countOf(parts), fieldOf[type]);
    const ids = await insertParts(tx, kind, parts, { authorType: session.kind, createdBy: session.name });
    await recordEvents(
      tx,
      parts.map(({ siteId, clientId, name, targets }) => ({
        kind: 'cache_refreshed',
        subject: { kind: 'site', id: siteId, name },
        clientId,
        actor: session,
        data: { facts: { type, mode, count: Math.max(1, targets.length) } },
      })),
    );
    const task = await publishParts(tx, kind, { parts, ids, task: taskOf(parts, ids[0]!, session.name) });
    return { ids, task_id: task && 'id' in task ? task.id : null };
  });
}

interface Publishing {
  parts: readonly RefreshPart[];
  /** Their rows. */
  ids: readonly number[];
  task?: NewTask | { id: number };
}

async function publishParts(tx: Transaction, kind: RefreshKind, { parts, ids, task }: Publishing) {
  let followedTask = task;
  for (const [index, part] of parts.entries()) {
    const { taskId } = await publishDocument(tx, {
      kind: 'refresh',
      key: String(ids[index]),
      lineGroupIds: [part.lineGroupId],
      body: documentOf(ids[index]!, kind, part),
      task: followedTask,
    });
    if (followedTask) followedTask = followed(taskId, followedTask);
  }
  return followedTask;
}

/** URLs that were found, as part of a task that is not theirs. */
export async function refreshFound(
  tx: Transaction,
  mode: SiteRefreshMode,
  urls: readonly string[],
  by: RefreshedBy,
): Promise<void> {
  const kind = { type: 'clean_url', mode } as const;
  const parts = await partsOfUrls(tx, everything, 'clean_url', urls);
  await publishParts(tx, kind, { parts, ids: await insertParts(tx, kind, parts, by) });
}

const quotaOf = (type: SiteRefreshType) =>
  type === 'clean_url' ? 'refresh_urls_per_day' : 'refresh_folders_per_day';
const fieldOf = {
  clean_url: 'urls',
  clean_dir: 'urls',
  clean_tag: 'tags',
  clean_site: 'site_ids',
} satisfies Record<SiteRefreshType, string>;

/** A whole site is one. */
const countOf = (parts: readonly RefreshPart[]): number =>
  parts.reduce((sum, { targets }) => sum + Math.max(1, targets.length), 0);

async function insertParts(
  tx: Transaction,
  kind: RefreshKind,
  parts: readonly RefreshPart[],
  { authorType, createdBy }: RefreshedBy,
): Promise<number[]> {
  const rows = await tx
    .insert(siteRefresh)
    .values(
      parts.map(({ siteId, clientId, targets }) => ({
        ...kind,
        siteId,
        clientId,
        targets,
        authorType,
        createdBy,
      })),
    )
    .returning({ id: siteRefresh.id });
  return rows.map((row) => row.id);
}

function taskOf(parts: readonly RefreshPart[], firstId: number, createdBy: string): NewTask {
  const [first] = parts;
  const count = countOf(parts);
  const title = first!.targets[0] ?? first!.name;
  return {
    type: 'site_refresh',
    title: count === 1 ? title : `${title} (+${count - 1})`,
    objectKind: 'site_refresh',
    objectId: firstId,
    ...(parts.every(({ clientId }) => clientId === first!.clientId) ? { clientId: first!.clientId } : {}),
    createdBy,
  };
}

/** Documents that one transaction withdraws: whoever publishes waits for it. */
const perTransaction = 200;
/** So long a node learns that it need not keep one; after that, when it next lists everything. */
const tombstoneDays = 7;
/**
 * So many are kept for nodes that were away, however many there were in a day: each node holds the hashes of all, and one that lacks
 * so many begins anew sooner than it would have done them.
 */
const refreshesKept = 100_000;
/** Others follow with the next run. */
const runMilliseconds = 30_000;

/**
 * Withdraws what nodes had a day to take, and what is more than is kept, the oldest first; how far they came is kept. A node that was away
 * for longer is told so, and serves nothing any more of what it had stored.
 */
export async function settleRefreshes(db: Db, kept = refreshesKept): Promise<number> {
  await pruneRefreshUse(db);
  await db.execute(
    sql`DELETE FROM edge_document WHERE kind = 'refresh' AND deleted AND updated_at < now() - make_interval(days => ${tombstoneDays})`,
  );
  const until = performance.now() + runMilliseconds;
  let count = 0;
  for (let withdrawn = perTransaction; withdrawn === perTransaction && performance.now() < until;) {
    withdrawn = await db.transaction((tx) => withdrawSome(tx, kept));
    count += withdrawn;
  }
  return count;
}

async function withdrawSome(tx: Transaction, kept: number): Promise<number> {
  const due = await rowsOf<{ key: string }>(
    tx,
    sql`SELECT key FROM edge_document WHERE kind = 'refresh' AND NOT deleted
          AND (updated_at < now() - make_interval(hours => ${refreshHours}) OR revision <= (
            SELECT revision FROM edge_document WHERE kind = 'refresh' AND NOT deleted ORDER BY revision DESC OFFSET ${kept} LIMIT 1))
        GROUP BY key ORDER BY min(revision) LIMIT ${perTransaction}`,
  );
  const keys = due.map(({ key }) => key);
  if (keys.length === 0) return 0;
  // Before any row of a refresh: whoever removes a site holds the counter, and takes its refreshes with it.
  await lockCounter(tx);
  const deliveries = await summariseDeliveries(tx, 'refresh', keys);
  const states = keys.map((key) => ({ id: Number(key), ...deliveries.get(key)! }));
  await tx.execute(
    sql`UPDATE site_refresh r SET nodes_applied = s.nodes_applied, nodes_total = s.nodes_total
        FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS s (id integer, nodes_applied integer, nodes_total integer)
        WHERE r.id = s.id`,
  );
  await tx.execute(
    sql`UPDATE delivery_counter SET refreshes_gone = greatest(refreshes_gone, (
          SELECT max(revision) FROM edge_document WHERE kind = 'refresh' AND NOT deleted AND key = ANY(${texts(keys)})))
        WHERE id = 1`,
  );
  for (const key of keys) await removeDocument(tx, { kind: 'refresh', key });
  return keys.length;
}
