import type { NodeCommandKind } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, revision, sealedText, updatedAt } from '../db/columns.ts';
import { lineGroup } from '../modules/line-group/line-group.table.ts';
import { node } from '../modules/node/node.table.ts';

/** Tables of the delivery: documents, what the nodes have of them, and commands to nodes. */

/**
 * The one row that hands out revisions. Updating it locks it until the transaction ends, so revisions become visible
 * in the order of their numbers, and an agent that asks for "since N" never misses one.
 */
export const deliveryCounter = pgTable(
  'delivery_counter',
  { id: integer().primaryKey().default(1), revision: revision().notNull().default(0) },
  (table) => [check('delivery_counter_single', sql`${table.id} = 1`)],
);

export const edgeDocument = pgTable(
  'edge_document',
  {
    kind: text().notNull(),
    key: text().notNull(),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id, { onDelete: 'cascade' }),
    revision: revision().notNull(),
    hash: text().notNull().default(''),
    /** JSON text, kept as text so that the hash is over the same bytes everywhere; empty when deleted. */
    body: sealedText().notNull().default(''),
    deleted: boolean().notNull().default(false),
    /** Of the body: 0 was before sites inherited from levels. */
    format: integer().notNull().default(1),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key, table.lineGroupId] }),
    index()
      .on(table.key)
      .where(sql`${table.format} = 0`),
    index().on(table.lineGroupId, table.revision),
  ],
);

/** What each node has acknowledged. */
export const nodeDocument = pgTable(
  'node_document',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    key: text().notNull(),
    /** In service on the node; null while none was ever applied. */
    activeRevision: revision(),
    /** The newest the node has judged. */
    seenRevision: revision().notNull(),
    status: text().$type<'applied' | 'refused'>().notNull(),
    error: text(),
    ackedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.nodeId, table.kind, table.key] }),
    index().on(table.kind, table.key),
  ],
);

/** A command to one node, until whoever asked has read the answer. */
export const nodeCommand = pgTable(
  'node_command',
  {
    id: text().primaryKey(),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    kind: text().$type<NodeCommandKind>().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    /** Null while there is none. */
    answer: jsonb().$type<unknown>(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.createdAt)],
);
