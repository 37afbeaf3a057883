import type { RefreshQuota } from '@breakwater/contract';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** What customers refreshed and prefetched within a day, by call: it stays when the site or the refresh itself is removed. */
export const refreshUse = pgTable(
  'refresh_use',
  {
    id: id(),
    clientId: integer()
      .notNull()
      .references(() => client.id, { onDelete: 'cascade' }),
    quota: text().$type<RefreshQuota>().notNull(),
    used: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.clientId, table.quota, table.createdAt), index().on(table.createdAt)],
);
