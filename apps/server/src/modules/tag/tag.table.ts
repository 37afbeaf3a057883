import type { TagColour } from '@breakwater/contract';
import { index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { site } from '../site/site.table.ts';

export const tag = pgTable(
  'tag',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    color: text().$type<TagColour>().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('tag_client_name_unique').on(table.clientId, table.name).nullsNotDistinct()],
);

export const siteTag = pgTable(
  'site_tag',
  {
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    tagId: integer()
      .notNull()
      .references(() => tag.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.tagId] }), index().on(table.tagId)],
);
