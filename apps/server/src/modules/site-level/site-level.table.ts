import type { LevelName, LevelSection } from '@breakwater/contract';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, levelValues, updatedAt } from '../../db/columns.ts';

/** What sites inherit, one row for the platform, a product or a customer that sets anything. */
export const siteLevel = pgTable(
  'site_level',
  {
    id: id(),
    level: text().$type<LevelName>().notNull(),
    /** The product or the customer; 0 for the platform. */
    targetId: integer().notNull().default(0),
    version: integer().notNull().default(0),
    values: levelValues().notNull(),
    /** The fields that are set: `security.rate`. */
    own: text().array().notNull().default([]),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex().on(table.level, table.targetId),
    index('site_level_own_index').using('gin', table.own),
  ],
);

export const siteLevelRevision = pgTable(
  'site_level_revision',
  {
    id: id(),
    levelId: integer()
      .notNull()
      .references(() => siteLevel.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    section: text().$type<LevelSection | 'rollback'>().notNull(),
    authorId: integer(),
    authorName: text().notNull(),
    values: levelValues().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.levelId, table.version)],
);
