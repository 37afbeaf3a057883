import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../db/columns.ts';
import { addressList } from './address-list.table.ts';

/** Whom rules put on a list, and until when. */
export const addressListEntry = pgTable(
  'address_list_entry',
  {
    listId: integer()
      .notNull()
      .references(() => addressList.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    /** The rule, and the request that it met. */
    decision: text().notNull(),
    requestId: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.listId, table.address] }), index().on(table.expiresAt)],
);
