import { createHash } from 'node:crypto';
import type { DocumentKind } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { notify } from './notifications.ts';
import { integers, rowsOf, type Queryable } from './queryable.ts';
import { addSubTasks, createTask, type NewTask } from './tasks.ts';

export interface Publication {
  kind: DocumentKind;
  key: string;
  /** The line groups whose nodes are to have it; none removes it everywhere. */
  lineGroupIds: readonly number[];
  /** The document, without nulls. */
  body: object;
  /** The task that follows it to the nodes: a new one, made only if something changes, or one made before. */
  task?: NewTask | { id: number };
  /** Send it again under a new revision although nothing changed. */
  force?: boolean;
  /** For documents that hold secrets: how the text is kept in the database. */
  encrypt?: (text: string) => string;
}

export interface Published {
  /** The newest revision allocated; null when nothing changed. */
  revision: number | null;
  taskId: number | null;
}

interface StoredDocument {
  line_group_id: number;
  hash: string;
  deleted: boolean;
}

/**
 * Writes an edge document in the caller's transaction, best as its last step: from here to the commit other writers of
 * documents wait. Groups it leaves get a tombstone, with a lower revision than the live rows. The cost is that of one
 * document, however many there are.
 */
export async function publishDocument(tx: Queryable, publication: Publication): Promise<Published> {
  const { kind, key } = publication;
  const lineGroupIds = [...new Set(publication.lineGroupIds)];
  const text = documentText(publication.body);
  const hash = createHash('sha256').update(text).digest('hex');

  await lockCounter(tx);
  const stored = await rowsOf<StoredDocument>(
    tx,
    sql`SELECT line_group_id, hash, deleted FROM edge_document WHERE kind = ${kind} AND key = ${key}`,
  );
  const live = stored.filter((row) => !row.deleted);
  const left = live.map((row) => row.line_group_id).filter((id) => !lineGroupIds.includes(id));
  const same =
    live.length === lineGroupIds.length && left.length === 0 && live.every((row) => row.hash === hash);
  if (same && !(publication.force && live.length > 0))
    return { revision: null, taskId: existingTask(publication) };

  const taskId = await taskOf(tx, publication);
  let revision = 0;
  if (left.length > 0) {
    revision = await allocateRevision(tx);
    await buryDocument(tx, kind, key, left, revision);
    if (taskId !== null) await addSubTasks(tx, taskId, { kind, key, revision }, left, lineGroupIds);
  }
  if (lineGroupIds.length > 0) {
    revision = await allocateRevision(tx);
    const body = publication.encrypt?.(text) ?? text;
    await tx.execute(
      sql`INSERT INTO edge_document (kind, key, line_group_id, revision, hash, body, deleted, updated_at)
          SELECT ${kind}, ${key}, unnest(${integers(lineGroupIds)}), ${revision}, ${hash}, ${body}, false, now()
          ON CONFLICT (kind, key, line_group_id) DO UPDATE SET revision = excluded.revision, hash = excluded.hash,
            body = excluded.body, deleted = false, format = excluded.format, updated_at = excluded.updated_at`,
    );
    if (taskId !== null) await addSubTasks(tx, taskId, { kind, key, revision }, lineGroupIds);
  }
  await notify(tx, { type: 'revision', revision, lineGroupIds: [...left, ...lineGroupIds] });
  return { revision, taskId };
}

/** Removes a document from every node that has it. */
export function removeDocument(
  tx: Queryable,
  removal: Omit<Publication, 'lineGroupIds' | 'body' | 'force'>,
): Promise<Published> {
  return publishDocument(tx, { ...removal, lineGroupIds: [], body: {} });
}

/** The JSON text that is hashed and travels. Lua has no null inside tables, so none may get that far. */
function documentText(body: object): string {
  return JSON.stringify(body, (name, value: unknown) => {
    if (value === null) throw new Error(`edge documents carry no null, but ${name} is null`);
    return value;
  });
}

/** Every writer takes this lock first, so two that publish several documents cannot wait for each other. */
async function lockCounter(tx: Queryable): Promise<void> {
  await tx.execute(sql`INSERT INTO delivery_counter (id) VALUES (1) ON CONFLICT (id) DO NOTHING`);
  await tx.execute(sql`SELECT revision FROM delivery_counter WHERE id = 1 FOR UPDATE`);
}

async function allocateRevision(tx: Queryable): Promise<number> {
  const [row] = await rowsOf<{ revision: string }>(
    tx,
    sql`UPDATE delivery_counter SET revision = revision + 1 WHERE id = 1 RETURNING revision`,
  );
  return Number(row!.revision);
}

async function buryDocument(
  tx: Queryable,
  kind: string,
  key: string,
  lineGroupIds: number[],
  revision: number,
): Promise<void> {
  await tx.execute(
    sql`UPDATE edge_document SET deleted = true, revision = ${revision}, hash = '', body = '', updated_at = now()
        WHERE kind = ${kind} AND key = ${key} AND line_group_id = ANY(${integers(lineGroupIds)})`,
  );
}

function existingTask({ task }: Publication): number | null {
  return task && 'id' in task ? task.id : null;
}

async function taskOf(tx: Queryable, publication: Publication): Promise<number | null> {
  const { task } = publication;
  if (task === undefined) return null;
  return 'id' in task ? task.id : createTask(tx, task);
}
