import { createHash } from 'node:crypto';
import { documentBytesMax, type DocumentKind } from '@breakwater/contract';
import { sql, type SQL } from 'drizzle-orm';
import { ApiError } from '../api-error.ts';
import { notify } from './notifications.ts';
import { isPushed } from './pushed.ts';
import { integers, rowsOf, type Queryable } from './queryable.ts';
import { allocateRevision, keepFormer, lockCounter } from './revisions.ts';
import { addSubTasks, createTask, type NewTask } from './tasks.ts';

export interface Publication {
  kind: DocumentKind;
  key: string;
  /** The line groups whose nodes are to have it; none removes it everywhere. */
  lineGroupIds: readonly number[];
  /** The document, without nulls; or where its text lies in the database already. */
  body: object | StoredText;
  /** The task that follows it to the nodes: a new one, made only if something changes, or one made before. */
  task?: NewTask | { id: number } | undefined;
  /** Send it again under a new revision although nothing changed. */
  force?: boolean;
  /** For documents that hold secrets: how the text is kept in the database. */
  encrypt?: (text: string) => string;
}

/** A document that lies in the database already: its bytes do not come through the server to be published. */
export class StoredText {
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
  /** A scalar subquery. */
  readonly text: SQL;
  constructor(hash: string, text: SQL) {
    this.hash = hash;
    this.text = text;
  }
}

/** By a scalar subquery; nothing where that finds nothing. Before the counter is locked, for it reads the whole text. */
export async function storedText(tx: Queryable, text: SQL): Promise<StoredText | undefined> {
  const [row] = await rowsOf<{ hash: string | null; bytes: number | null }>(
    tx,
    sql`SELECT encode(sha256(convert_to(d.body, 'UTF8')), 'hex') AS hash, octet_length(d.body) AS bytes
        FROM (SELECT ${text} AS body) d`,
  );
  if (!row || row.hash === null) return undefined;
  checkSize(row.bytes ?? 0);
  return new StoredText(row.hash, text);
}

/** What a node takes, and a page that holds this document alone can carry. */
function checkSize(bytes: number): void {
  if (bytes > documentBytesMax) throw new ApiError('document_too_large');
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
 * documents wait (`revisions.ts` says in which order locks are taken). Groups it leaves get a tombstone, with a lower
 * revision than the live rows. The cost is that of one document, however many there are.
 */
export async function publishDocument(tx: Queryable, publication: Publication): Promise<Published> {
  const { body, kind, key } = publication;
  const lineGroupIds = [...new Set(publication.lineGroupIds)];
  const { hash, text } = body instanceof StoredText ? body : written(body, publication.encrypt);

  await lockCounter(tx);
  const stored = await storedGroups(tx, publication);
  const live = stored.filter((row) => !row.deleted);
  const left = live.map((row) => row.line_group_id).filter((id) => !lineGroupIds.includes(id));
  const same =
    live.length === lineGroupIds.length && left.length === 0 && live.every((row) => row.hash === hash);
  if (same && !(publication.force && live.length > 0))
    return { revision: null, taskId: existingTask(publication) };
  return change(tx, publication, left, lineGroupIds, (revision) => {
    return tx.execute(
      sql`INSERT INTO edge_document (kind, key, line_group_id, revision, first_revision, hash, body, deleted, updated_at)
          SELECT ${kind}, ${key}, unnest(${integers(lineGroupIds)}), ${revision}, ${revision}, ${hash}, ${text}, false, now()
          ${replacing}`,
    );
  });
}

const replacing = sql`ON CONFLICT (kind, key, line_group_id) DO UPDATE SET ${keepFormer}, revision = excluded.revision,
  hash = excluded.hash, body = excluded.body, deleted = false, format = excluded.format, updated_at = excluded.updated_at`;

type Followed = Pick<Publication, 'kind' | 'key' | 'task'>;

/**
 * Sends a document as it is to line groups that lack it too; those that have it are left alone. False where none has it,
 * so that it has to be published whole. The counter is locked.
 */
export async function extendDocument(
  tx: Queryable,
  publication: Followed,
  lineGroupIds: readonly number[],
): Promise<Published | false> {
  const { kind, key } = publication;
  const live = (await storedGroups(tx, publication)).filter((row) => !row.deleted);
  const from = live[0]?.line_group_id;
  if (from === undefined) return false;
  const missing = lineGroupIds.filter((id) => !live.some((row) => row.line_group_id === id));
  return change(tx, publication, [], missing, (revision) =>
    tx.execute(
      sql`INSERT INTO edge_document (kind, key, line_group_id, revision, first_revision, hash, body, deleted, format, updated_at)
          SELECT kind, key, g.id, ${revision}, ${revision}, hash, body, false, format, now()
          FROM edge_document, unnest(${integers(missing)}) AS g (id)
          WHERE kind = ${kind} AND key = ${key} AND line_group_id = ${from}
          ${replacing}`,
    ),
  );
}

/** Takes a document from the nodes of some line groups that have it; those of others keep it. The counter is locked. */
export function withdrawDocument(
  tx: Queryable,
  publication: Followed,
  lineGroupIds: readonly number[],
): Promise<Published> {
  return change(tx, publication, lineGroupIds, [], () => Promise.resolve());
}

/** Buries, then writes, each under a revision of its own, and tells of both. */
async function change(
  tx: Queryable,
  { kind, key, task }: Followed,
  left: readonly number[],
  taken: readonly number[],
  write: (revision: number) => PromiseLike<unknown>,
): Promise<Published> {
  if (left.length + taken.length === 0) return { revision: null, taskId: existingTask({ task }) };
  const taskId = await taskOf(tx, task);
  let revision = 0;
  if (left.length > 0) {
    revision = await allocateRevision(tx);
    await buryDocument(tx, kind, key, left, revision);
    if (taskId !== null) {
      const kept = await groupsThatHave(tx, { kind, key });
      await addSubTasks(tx, taskId, { kind, key, revision }, left, [...kept, ...taken]);
    }
  }
  if (taken.length > 0) {
    revision = await allocateRevision(tx);
    await write(revision);
    if (taskId !== null) await addSubTasks(tx, taskId, { kind, key, revision }, taken);
  }
  const pushed = isPushed(kind) && left.length === 0;
  await notify(tx, {
    type: 'revision',
    revision,
    lineGroupIds: [...left, ...taken],
    ...(pushed ? { pushed } : {}),
  });
  return { revision, taskId };
}

const storedGroups = (tx: Queryable, { kind, key }: Followed): Promise<StoredDocument[]> =>
  rowsOf<StoredDocument>(
    tx,
    sql`SELECT line_group_id, hash, deleted FROM edge_document WHERE kind = ${kind} AND key = ${key} ORDER BY line_group_id`,
  );

export async function groupsThatHave(tx: Queryable, document: Followed): Promise<number[]> {
  const stored = await storedGroups(tx, document);
  return stored.filter((row) => !row.deleted).map((row) => row.line_group_id);
}

/** Removes a document from every node that has it. */
export function removeDocument(
  tx: Queryable,
  removal: Omit<Publication, 'lineGroupIds' | 'body' | 'force'>,
): Promise<Published> {
  return publishDocument(tx, { ...removal, lineGroupIds: [], body: {} });
}

function written(body: object, encrypt: Publication['encrypt']): { hash: string; text: SQL } {
  const text = documentText(body);
  checkSize(Buffer.byteLength(text));
  return {
    hash: createHash('sha256').update(text).digest('hex'),
    text: sql`${encrypt?.(text) ?? text}`,
  };
}

/** The JSON text that is hashed and travels. Lua has no null inside tables, so none may get that far. */
function documentText(body: object): string {
  return JSON.stringify(body, (name, value: unknown) => {
    if (value === null) throw new Error(`edge documents carry no null, but ${name} is null`);
    return value;
  });
}

async function buryDocument(
  tx: Queryable,
  kind: string,
  key: string,
  lineGroupIds: readonly number[],
  revision: number,
): Promise<void> {
  await tx.execute(
    sql`UPDATE edge_document SET ${keepFormer}, deleted = true, revision = ${revision}, hash = '', body = '', updated_at = now()
        WHERE kind = ${kind} AND key = ${key} AND line_group_id = ANY(${integers(lineGroupIds)})`,
  );
}

function existingTask({ task }: Pick<Followed, 'task'>): number | null {
  return task && 'id' in task ? task.id : null;
}

async function taskOf(tx: Queryable, task: Followed['task']): Promise<number | null> {
  if (task === undefined) return null;
  return 'id' in task ? task.id : createTask(tx, task);
}
