import { sql, type SQL } from 'drizzle-orm';
import { ApiError } from '../api-error.ts';
import type { UsedKind, UserKind } from '../db/schema.ts';
import {
  extendDocument,
  groupsThatHave,
  publishDocument,
  withdrawDocument,
  type Publication,
} from './publish.ts';
import { rowsOf, texts, type Queryable } from './queryable.ts';
import { lockCounter } from './revisions.ts';
import type { NewTask } from './tasks.ts';

/**
 * Who needs which document at the edge besides their own. A document that is used is with the nodes that serve one of its
 * users, and with no other: whoever publishes a user notes its uses, sends what its nodes lack, publishes the user, and then
 * takes away what nobody needs there any more.
 */

export interface EdgeUser {
  kind: UserKind;
  id: number;
}
export interface UsedDocument {
  kind: UsedKind;
  key: string;
}
export type Following = NewTask | { id: number };

/**
 * Notes what a user needs from now on, and keeps others from changing that until the transaction ends: that one publishes
 * what the other withdraws. Before the counter is locked; everything of a transaction in one call. `also` is what is
 * published with the user without being its own. Answers what it needs no longer.
 */
export async function replaceUses(
  tx: Queryable,
  user: EdgeUser,
  documents: readonly UsedDocument[],
  {
    also = [],
    mayWithdraw = [],
  }: { also?: readonly UsedDocument[]; mayWithdraw?: readonly UsedDocument[] } = {},
): Promise<UsedDocument[]> {
  const stored = await usesOfUser(tx, user);
  const isNamed = (among: readonly UsedDocument[], { kind, key }: UsedDocument) =>
    among.some((one) => one.kind === kind && one.key === key);
  const former = stored.filter((one) => !isNamed(documents, one));
  const added = documents.filter((one) => !isNamed(stored, one));
  await lockUses(tx, [...documents, ...also], [...former, ...mayWithdraw]);
  const ofUser = sql`user_kind = ${user.kind} AND user_id = ${user.id}`;
  if (former.length > 0)
    await tx.execute(
      sql`DELETE FROM edge_use WHERE ${ofUser} AND (dep_kind, dep_key) IN (SELECT * FROM ${rowsFrom(former)})`,
    );
  if (added.length > 0)
    await tx.execute(
      sql`INSERT INTO edge_use (user_kind, user_id, dep_kind, dep_key)
          SELECT ${user.kind}, ${user.id}, u.kind, u.key FROM ${rowsFrom(added)} AS u (kind, key) ON CONFLICT DO NOTHING`,
    );
  return former;
}

export function usesOfUser(tx: Queryable, user: EdgeUser): Promise<UsedDocument[]> {
  return rowsOf<UsedDocument>(
    tx,
    sql`SELECT dep_kind AS kind, dep_key AS key FROM edge_use
        WHERE user_kind = ${user.kind} AND user_id = ${user.id} ORDER BY dep_kind, dep_key`,
  );
}

/** Of users that come (`shared`) many at once, of one that goes none beside it; in one order, so that none waits in a circle. */
async function lockUses(
  tx: Queryable,
  shared: readonly UsedDocument[],
  exclusive: readonly UsedDocument[],
): Promise<void> {
  const nameOf = ({ kind, key }: UsedDocument) => `${kind}/${key}`;
  const goes = new Set(exclusive.map(nameOf));
  const names = [...new Set([...goes, ...shared.map(nameOf)])].toSorted();
  if (names.length === 0) return;
  const flags = sql`${sql.param(names.map((name) => goes.has(name)))}::boolean[]`;
  await tx.execute(
    sql`SELECT CASE WHEN goes THEN pg_advisory_xact_lock(${usesLock}, key)::text
          ELSE pg_advisory_xact_lock_shared(${usesLock}, key)::text END
        FROM (SELECT hashtext(name) AS key, bool_or(goes) AS goes
          FROM unnest(${texts(names)}, ${flags}) AS n (name, goes) GROUP BY 1 ORDER BY 1 OFFSET 0) n`,
  );
}
const usesLock = 728_141_904;

/** Sends a document to those of these line groups that lack it, as it is with the others; `body` where none has it. */
export async function supplyDocument(
  tx: Queryable,
  document: UsedDocument,
  lineGroupIds: readonly number[],
  task: Following,
  body: () => Promise<Pick<Publication, 'body' | 'encrypt'>>,
): Promise<Following> {
  const has = await groupsThatHave(tx, document);
  if (lineGroupIds.every((id) => has.includes(id))) return task;
  // What it takes to make it is read before others have to wait.
  const made = has.length === 0 ? await body() : undefined;
  await lockCounter(tx);
  const extended = await extendDocument(tx, { ...document, task }, lineGroupIds);
  if (extended !== false) return followed(extended.taskId, task);
  const published = await publishDocument(tx, {
    ...document,
    ...(made ?? (await body())),
    lineGroupIds,
    task,
  });
  return followed(published.taskId, task);
}

export const followed = (taskId: number | null, task: Following): Following =>
  taskId === null ? task : { id: taskId };

/** Takes documents from the nodes on which nothing needs them any more. */
export async function withdrawUnused(
  tx: Queryable,
  documents: readonly UsedDocument[],
  task?: Following,
): Promise<void> {
  let following = task;
  for (const document of documents) {
    const rows = await rowsOf<{ id: number }>(
      tx,
      sql`SELECT d.line_group_id AS id FROM edge_document d
          WHERE d.kind = ${document.kind} AND d.key = ${document.key} AND NOT d.deleted
            AND NOT ${isUsedIn(document, sql`d.line_group_id`)} ORDER BY 1`,
    );
    if (rows.length === 0) continue;
    await lockCounter(tx);
    const left = rows.map(({ id }) => id);
    const { taskId } = await withdrawDocument(tx, { ...document, task: following }, left);
    if (following !== undefined) following = followed(taskId, following);
  }
}

/** What a document says has changed: it goes wherever something needs it. Returns the task. */
export async function publishToUsers(
  tx: Queryable,
  publication: Omit<Publication, 'lineGroupIds' | 'kind'> & { kind: UsedKind },
): Promise<number | null> {
  // From here on no group comes to have it unseen.
  await lockCounter(tx);
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`SELECT g.id FROM line_group g WHERE ${isUsedIn(publication, sql`g.id`)} ORDER BY g.id`,
  );
  const { taskId } = await publishDocument(tx, { ...publication, lineGroupIds: rows.map(({ id }) => id) });
  return taskId;
}

/** The line groups whose nodes serve a user: of a level those of its sites, of the platform's all. */
export async function groupsOfUser(tx: Queryable, { kind, id }: EdgeUser): Promise<number[]> {
  const user = sql`(SELECT ${kind}::text AS user_kind, ${id}::integer AS user_id)`;
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`SELECT g.id FROM line_group g WHERE ${servesOne(user, sql`g.id`)} ORDER BY g.id`,
  );
  return rows.map((row) => row.id);
}

const isUsedIn = ({ kind, key }: UsedDocument, group: SQL): SQL =>
  servesOne(sql`(SELECT * FROM edge_use WHERE dep_kind = ${kind} AND dep_key = ${key})`, group);

/** Whether a line group serves one of these users. */
const servesOne = (users: SQL, group: SQL): SQL => sql`(
  EXISTS (SELECT FROM ${users} u JOIN site s ON u.user_kind = 'site' AND s.id = u.user_id
    WHERE s.line_group_id = ${group})
  OR EXISTS (SELECT FROM ${users} u JOIN site_level l ON u.user_kind = 'level' AND l.id = u.user_id
    WHERE l.level = 'global' OR EXISTS (SELECT FROM "order" o JOIN site s ON s.order_id = o.id
      WHERE s.line_group_id = ${group}
        AND (l.level = 'product' AND o.product_id = l.target_id OR l.level = 'client' AND o.client_id = l.target_id))))`;

/** How many users of a kind need a document; a scalar subquery. */
export const countUsers = (kind: UserKind, document: { kind: UsedKind; id: SQL }): SQL<number> =>
  sql<number>`(SELECT count(*)::int FROM edge_use
    WHERE user_kind = ${kind} AND dep_kind = ${document.kind} AND dep_key = ${document.id}::text)`;

/**
 * To be called in the transaction that deletes what is used, with its row locked: users lock it as well before they note
 * their use. Throws `in_use`.
 */
export async function assertUnused(tx: Queryable, { kind, key }: UsedDocument): Promise<void> {
  const rows = await rowsOf(
    tx,
    sql`SELECT FROM edge_use WHERE dep_kind = ${kind} AND dep_key = ${key} LIMIT 1`,
  );
  if (rows.length > 0) throw new ApiError('in_use');
}

const rowsFrom = (documents: readonly UsedDocument[]): SQL =>
  sql`unnest(${texts(documents.map(({ kind }) => kind))}, ${texts(documents.map(({ key }) => key))})`;

/** Lists of ids as documents of one kind. */
export const documentsOf = (kind: UsedKind, ids: readonly number[]): UsedDocument[] =>
  ids.map((id) => ({ kind, key: String(id) }));
