import type { BanDocument } from '@breakwater/contract';
import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { banSegment, lineGroup, siteReject } from '../../db/schema.ts';
import { followed, type Following } from '../../delivery/edge-use.ts';
import { extendDocument, publishDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { lockCounter } from '../../delivery/revisions.ts';
import type { NewTask } from '../../delivery/tasks.ts';

/**
 * How nodes hear of bans. Each stands in one document among others, its segment: a new ban costs the writing of one segment of
 * some hundred, however many there are, and a node that was away gets what was written since. All nodes have all of them: a customer's
 * sites may come to any line group tomorrow. What ends by its time is not told again.
 */

/** Of one segment; 45 kB. */
const bansPerSegment = 500;

/** Gives bans that have no segment yet a place, and tells nodes. The counter is locked. */
export async function placeBans(
  tx: Transaction,
  ids: readonly number[],
  touched: ReadonlySet<number>,
  task?: NewTask,
): Promise<number | null> {
  const segments = new Set(touched);
  let left = [...ids];
  let [open] = await tx.select().from(banSegment).orderBy(desc(banSegment.id)).limit(1);
  while (left.length > 0) {
    if (!open || open.placed >= bansPerSegment)
      [open] = await tx.insert(banSegment).values({ placed: 0 }).returning();
    const { id, placed }: { id: number; placed: number } = open!;
    const some = left.slice(0, bansPerSegment - placed);
    await tx.update(siteReject).set({ segmentId: id }).where(inArray(siteReject.id, some));
    await tx
      .update(banSegment)
      .set({ placed: placed + some.length })
      .where(eq(banSegment.id, id));
    open = { id, placed: placed + some.length };
    segments.add(id);
    left = left.slice(some.length);
  }
  return publishSegments(tx, [...segments], task);
}

/** Writes segments as they are to be; one in which nothing stands any more goes. Answers the task. The counter is locked. */
export async function publishSegments(
  tx: Transaction,
  ids: readonly number[],
  task?: NewTask,
): Promise<number | null> {
  const lineGroupIds = await allGroups(tx);
  let following: Following | undefined = task;
  for (const id of ids.toSorted((one, other) => one - other)) {
    const bans = await standingIn(tx, id);
    const body: BanDocument = { segment_id: id, bans };
    const { taskId } = await publishDocument(tx, {
      kind: 'ban',
      key: String(id),
      lineGroupIds: bans.length === 0 ? [] : lineGroupIds,
      body,
      task: following,
    });
    if (following !== undefined) following = followed(taskId, following);
  }
  return following !== undefined && 'id' in following ? following.id : null;
}

/** None is added to them while the counter is locked. */
export async function allGroups(tx: Transaction): Promise<number[]> {
  const rows = await tx.select({ id: lineGroup.id }).from(lineGroup).orderBy(asc(lineGroup.id));
  return rows.map(({ id }) => id);
}

async function standingIn(tx: Transaction, segmentId: number): Promise<BanDocument['bans']> {
  const rows = await tx
    .select()
    .from(siteReject)
    .where(
      and(
        eq(siteReject.segmentId, segmentId),
        isNull(siteReject.releasedAt),
        gt(siteReject.expiresAt, new Date()),
      ),
    )
    .orderBy(asc(siteReject.id));
  return rows.map((row) => ({
    id: row.id,
    address: row.remoteAddr,
    ...(row.scope === 'site' ? { site_id: row.siteId! } : {}),
    ...(row.scope === 'client' ? { client_id: row.clientId! } : {}),
    until: Math.ceil(row.expiresAt.getTime() / 1000),
    ...(row.kernel ? { kernel: true as const } : {}),
  }));
}

/** To be called in the transaction that makes a line group: its nodes have what all others have. */
export async function extendBans(tx: Transaction, lineGroupId: number): Promise<void> {
  await lockCounter(tx);
  const documents = await rowsOf<{ kind: 'ban' | 'ban_setting'; key: string }>(
    tx,
    sql`SELECT DISTINCT kind, key FROM edge_document WHERE kind IN ('ban', 'ban_setting') AND NOT deleted ORDER BY kind DESC, key`,
  );
  for (const document of documents) await extendDocument(tx, document, [lineGroupId]);
}

const documentsPerPage = 20;

interface TextRow {
  name: string;
  kind: 'ban' | 'ban_setting';
  key: string;
  revision: string;
  hash: string;
  body: string;
}

/** A page of what a node that is about to start has to know before it serves, by key. Nothing counts as delivered by that. */
export async function listBanDocuments(db: Db, nodeId: number, after: string) {
  const rows = await rowsOf<TextRow>(
    db,
    sql`SELECT DISTINCT ON (name) d.kind || '/' || d.key AS name, d.kind, d.key, d.revision, d.hash, d.body
        FROM edge_document d JOIN node_line_group l ON l.line_group_id = d.line_group_id AND l.node_id = ${nodeId}
        WHERE d.kind IN ('ban', 'ban_setting') AND NOT d.deleted AND d.kind || '/' || d.key > ${after}
        ORDER BY name, d.revision DESC LIMIT ${documentsPerPage + 1}`,
  );
  const page = rows.slice(0, documentsPerPage);
  return {
    documents: page.map(({ kind, key, revision, hash, body }) => ({
      kind,
      key,
      revision: Number(revision),
      deleted: false,
      hash,
      body,
    })),
    has_more: rows.length > page.length,
  };
}

interface Filling {
  id: number;
  standing: number;
}

/** Segments that one run merges, and documents whose last mark one run takes away. */
const perRun = 20;

/**
 * Takes away segments in which nothing stands any more, and moves the bans of those with few together: there are never many
 * more than the bans need. A node takes the new segment before the old ones go.
 */
export async function compactBans(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    await lockCounter(tx);
    const filled = await rowsOf<Filling>(
      tx,
      sql`SELECT d.key::int AS id, (SELECT count(*)::int FROM site_reject r
            WHERE r.segment_id = d.key::int AND r.released_at IS NULL AND r.expires_at > now()) AS standing
          FROM (SELECT DISTINCT key FROM edge_document WHERE kind = 'ban' AND NOT deleted) d ORDER BY 2, 1`,
    );
    const empty = filled.filter(({ standing }) => standing === 0).map(({ id }) => id);
    if (empty.length > 0) await publishSegments(tx, empty.slice(0, perRun));
    const few = fewEnough(filled.filter(({ standing }) => standing > 0));
    if (few.length > 1) {
      const moved = await tx
        .select({ id: siteReject.id })
        .from(siteReject)
        .where(
          and(
            inArray(siteReject.segmentId, few),
            isNull(siteReject.releasedAt),
            gt(siteReject.expiresAt, new Date()),
          ),
        );
      await tx.insert(banSegment).values({ placed: 0 });
      await placeBans(
        tx,
        moved.map(({ id }) => id),
        new Set(),
      );
      await publishSegments(tx, few);
    }
    await forgetSegments(tx);
    return empty.length + few.length;
  });
}

/** The emptiest that fit into one; not the newest, which is still being filled. */
function fewEnough(filled: readonly Filling[]): number[] {
  const newest = Math.max(...filled.map(({ id }) => id));
  const few: number[] = [];
  let sum = 0;
  for (const { id, standing } of filled) {
    if (id === newest || standing > bansPerSegment / 2) continue;
    if (sum + standing > bansPerSegment || few.length === perRun) break;
    sum += standing;
    few.push(id);
  }
  return few;
}

/**
 * That a segment is gone has to be told for as long as a node that was away could still hold a ban of it: until the last would
 * have ended by itself.
 */
async function forgetSegments(tx: Transaction): Promise<void> {
  await tx.execute(
    sql`DELETE FROM edge_document d WHERE kind = 'ban' AND deleted AND updated_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM site_reject r WHERE r.segment_id = d.key::int AND r.expires_at > now())`,
  );
}
