import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, siteConfig } from '../../db/columns.ts';
import { site } from '../site/site.table.ts';

export const siteRevision = pgTable(
  'site_revision',
  {
    id: id(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    section: text().notNull(),
    authorType: text().$type<'admin' | 'client' | 'member' | 'system'>().notNull(),
    authorId: integer(),
    authorName: text().notNull(),
    snapshot: siteConfig().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.siteId, table.version), index().on(table.createdAt)],
);
