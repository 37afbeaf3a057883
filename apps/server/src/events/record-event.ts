import type { EventKind, EventSubject } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../delivery/queryable.ts';
import { jobsChannel } from '../jobs/operation.store.ts';
import { diffJson, type DiffEntry } from '@breakwater/contract/json-diff';
import { isField, isSecretField, mask } from '../plugins/operation-log-mask.ts';
import type { Session } from '../plugins/session.ts';
import type { EventData } from './event-data.ts';

/** Who does something: a person (`session` of a route), a node, or the platform itself. */
export type Actor =
  | Pick<Session, 'kind' | 'id' | 'name' | 'token'>
  | { kind: 'node'; id: number; name: string }
  | typeof systemActor;
export const systemActor = { kind: 'system', id: null, name: 'system' } as const;

export interface NewEvent {
  kind: EventKind;
  /** What it happened to; `name` is what people call it. */
  subject: { kind: EventSubject; id?: number; name?: string };
  /** Whose the subject is; absent for the platform's. */
  clientId?: number | null | undefined;
  actor: Actor;
  /** Changes (`changesOf`) and other facts, without secrets. */
  data?: EventData;
}

/** Writes an event, in the transaction of what it tells. */
export const recordEvent = (transaction: Queryable, event: NewEvent): Promise<void> =>
  recordEvents(transaction, [event]);

/** The same for many at once: one statement. */
export async function recordEvents(transaction: Queryable, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await transaction.execute(
    sql`WITH written AS (
          INSERT INTO event (kind, subject_kind, subject_id, subject_name, client_id, actor_type, actor_id, actor_name, program, data)
          SELECT kind, subject_kind, subject_id, subject_name, client_id, actor_type, actor_id, actor_name, program, data
          FROM jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb) AS e (
            kind text, subject_kind text, subject_id integer, subject_name text, client_id integer,
            actor_type text, actor_id integer, actor_name text, program text, data jsonb))
        SELECT pg_notify(${jobsChannel}, 'events')`,
  );
}

const rowOf = ({ kind, subject, clientId, actor, data = {} }: NewEvent) => ({
  kind,
  subject_kind: subject.kind,
  subject_id: subject.id ?? null,
  subject_name: subject.name ?? '',
  client_id: clientId ?? null,
  actor_type: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  program: ('token' in actor && actor.token?.name) || '',
  data: data.changes === undefined ? data : { ...data, ...bounded(data.changes) },
});

/**
 * What differs between two values, with wire names: of nothing (`undefined`) and a value, all of it. Secrets are hidden: the
 * values of fields that the contract marks, or does not know.
 */
export const changesOf = (before: unknown, after: unknown): DiffEntry[] =>
  diffJson(before ?? {}, after ?? {}).map(withoutSecrets);

const hidden = '••••••';

function withoutSecrets(entry: DiffEntry): DiffEntry {
  const names = entry.path.split('.').filter((part) => !/^\d*$/.test(part));
  const isShown = names.every((name) => isField(name) && !isSecretField(name));
  const shown = (value: unknown) => (isShown || value === null || value === '' ? mask(value) : hidden);
  return {
    ...entry,
    ...(entry.before === undefined ? {} : { before: shown(entry.before) }),
    ...(entry.after === undefined ? {} : { after: shown(entry.after) }),
    ...(entry.of === undefined ? {} : { of: mask(entry.of) }),
  } as DiffEntry;
}

const changesMax = 100;
const changesBytesMax = 16 * 1024;

/** A list of 100,000 addresses is not repeated in an event: what finds no room is counted. */
function bounded(changes: readonly DiffEntry[]): EventData {
  let bytes = 0;
  let room = 0;
  for (const change of changes.slice(0, changesMax)) {
    bytes += Buffer.byteLength(JSON.stringify(change));
    if (bytes > changesBytesMax) break;
    room += 1;
  }
  return room === changes.length
    ? { changes: [...changes] }
    : { changes: changes.slice(0, room), more: changes.length - room };
}
