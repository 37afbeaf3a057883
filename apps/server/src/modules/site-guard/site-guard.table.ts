import type { GuardReason } from '@breakwater/contract';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

const siteId = () =>
  integer()
    .notNull()
    .references(() => site.id, { onDelete: 'cascade' });
const nodeId = () =>
  integer()
    .notNull()
    .references(() => node.id, { onDelete: 'cascade' });

const measured = {
  level: integer().notNull(),
  reason: text().$type<GuardReason>().notNull(),
  value: integer().notNull(),
  /** What it crossed. */
  threshold: integer().notNull(),
};

/** Where CC guard has stepped up by itself: an URL of a site at a node, or (an empty path) the whole site. */
export const guardPlace = pgTable(
  'guard_place',
  {
    siteId: siteId(),
    nodeId: nodeId(),
    path: text().notNull(),
    /** Which run of nginx says so: another one knows nothing of it. */
    instanceId: text().notNull(),
    ...measured,
    since: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.nodeId, table.path] }), index().on(table.nodeId)],
);

/** Each step, up or down. */
export const guardStep = pgTable(
  'guard_step',
  {
    id: id(),
    siteId: siteId(),
    nodeId: nodeId(),
    path: text().notNull(),
    instanceId: text().notNull(),
    ...measured,
    fromLevel: integer().notNull(),
    at: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // What a node tells twice is one.
    uniqueIndex('guard_step_once').on(
      table.nodeId,
      table.instanceId,
      table.siteId,
      table.path,
      table.at,
      table.fromLevel,
      table.level,
    ),
    index().on(table.siteId, table.id),
    index().on(table.createdAt),
  ],
);
