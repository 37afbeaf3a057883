import type { NodeCommandKind } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
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
  {
    id: integer().primaryKey().default(1),
    revision: revision().notNull().default(0),
    /** The newest revision of refreshes that were withdrawn: a node that has not come so far may have missed some. */
    refreshesGone: revision().notNull().default(0),
  },
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
    /** The first it ever had in this group: a node that has not come so far never had the document. */
    firstRevision: revision().notNull().default(0),
    /** Those before this one, the newest 32: which of them a node has follows from how far it has come. */
    former: bigint({ mode: 'number' })
      .array()
      .notNull()
      .default(sql`'{}'`),
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

/**
 * How far each node has judged the documents of each of its line groups: what stands there up to these revisions is in service on
 * the node, or gone from it, unless a row of `node_document` says otherwise.
 */
export const nodeWatermark = pgTable(
  'node_watermark',
  {
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id, { onDelete: 'cascade' }),
    /** Of documents that are there. */
    liveRevision: revision().notNull().default(0),
    /** Of those that are deleted: a list that starts from nothing does not name them, so it proves them gone by its end only. */
    deletedRevision: revision().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.nodeId, table.lineGroupId] })],
);

/** The page of documents that a node was given last. */
export const nodePage = pgTable('node_page', {
  nodeId: integer()
    .primaryKey()
    .references(() => node.id, { onDelete: 'cascade' }),
  generation: integer().notNull().default(0),
  /** It holds what is newer than this, up to `until`. */
  since: revision().notNull().default(0),
  until: revision().notNull().default(0),
  isLast: boolean().notNull().default(true),
  /** It is of a list that started from nothing, and the node has not yet asked for what comes after its end. */
  isFromNothing: boolean().notNull().default(false),
});

/** Where a node differs from its watermark: documents that it refused, and those it judged before others that are older. */
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
    index()
      .on(table.nodeId, table.seenRevision)
      .where(sql`${table.status} = 'applied'`),
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
