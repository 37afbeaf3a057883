import type { TaskStatus, TaskType, ScheduleName, SubTaskStatus } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { authorType, createdAt, id, moment, revision } from '../db/columns.ts';
import { client } from '../modules/client/client.table.ts';
import { node } from '../modules/node/node.table.ts';

/** Work that outlasts a request, its parts, and work by the clock: `docs/decisions/0025-…` says how it is done. */

/** Its state follows from its items. What one kind alone needs stands in a table of that kind, keyed by `operation_id`. */
export const operation = pgTable(
  'operation',
  {
    id: id(),
    kind: text().$type<TaskType>().notNull(),
    /** What it is about, for people. */
    title: text().notNull(),
    subjectKind: text().notNull(),
    /** Null where it is about no single object. */
    subjectId: integer(),
    /** Whose it is; null for the platform's. */
    clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
    state: text().$type<TaskStatus>().notNull().default('pending'),
    /** What the work counts by where that is not its items, and how far it is. */
    total: integer(),
    progress: integer(),
    /** Of a delivery: parts that nodes have still to acknowledge, and those that they refused. An acknowledgement counts them on. */
    partsAwaited: integer().notNull().default(0),
    partsRefused: integer().notNull().default(0),
    /** When a worker should look at it; null where none has anything to do. */
    nextAt: moment(),
    cancelRequestedAt: moment(),
    /** Under whose name it is done; null for what asks for no permission as it is done. */
    authorType: authorType(),
    authorId: integer(),
    createdBy: text().notNull(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (table) => [
    index().on(table.subjectKind, table.subjectId),
    index().on(table.state),
    index().on(table.finishedAt),
    index().on(table.clientId),
    index()
      .on(table.nextAt)
      .where(sql`${table.nextAt} IS NOT NULL`),
  ],
);

/** What went wrong: a node's own words, or an error of the contract with the fields that caused it. */
export type ItemError =
  | { text: string }
  | { error: string; fields: { path: string; issue: string; detail?: string }[] };

export const operationItem = pgTable(
  'operation_item',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    operationId: integer()
      .notNull()
      .references(() => operation.id, { onDelete: 'cascade' }),
    /** The line of what was sent, from 1; null where there were none. */
    position: integer(),
    /** What it is about, for people; null where kind and key say it. */
    title: text(),
    /** Whose acknowledgement ends it; null of what a worker does. */
    nodeId: integer().references(() => node.id, { onDelete: 'cascade' }),
    /** The document, or the object; no key while that is still to be made. */
    kind: text().notNull(),
    key: text().notNull().default(''),
    revision: revision(),
    state: text().$type<SubTaskStatus>().notNull().default('pending'),
    /** How often a worker has begun it. */
    attempt: smallint().notNull().default(0),
    /** When a worker may take it; of one that is taken, the end of the lease. Null for what no worker is to do. */
    nextAt: moment(),
    /** Who has it: a worker that finds another's here, or none, has lost it and may not write what came of it. */
    claim: uuid(),
    error: jsonb().$type<ItemError>(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (table) => [
    index().on(table.operationId, table.state),
    index().on(table.nodeId, table.kind, table.key, table.state),
    index()
      .on(table.operationId, table.id)
      .where(sql`${table.nextAt} IS NOT NULL`),
    index()
      .on(table.claim)
      .where(sql`${table.claim} IS NOT NULL`),
  ],
);

export const schedule = pgTable('schedule', {
  name: text().$type<ScheduleName>().primaryKey(),
  /** When it is due; while it runs, the end of the lease. */
  nextAt: moment().notNull(),
  claim: uuid(),
  /** Something happened while it ran: it runs once more. */
  again: boolean().notNull().default(false),
  lastAt: moment(),
  lastMilliseconds: integer(),
  lastError: text(),
});
