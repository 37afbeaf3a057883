import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../db/columns.ts';
import { addressList } from '../address-list/address-list.table.ts';
import { site } from '../site/site.table.ts';

/** Whom rules put on a list, and until when. */
export const addressListEntry = pgTable(
  'address_list_entry',
  {
    listId: integer()
      .notNull()
      .references(() => addressList.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    /** Where the visitor was; null: a site that is gone. */
    siteId: integer().references(() => site.id, { onDelete: 'set null' }),
    decision: text().notNull(),
    requestId: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.listId, table.address] }),
    index().on(table.expiresAt),
    index().on(table.siteId),
  ],
);

/** When it was last told that a rule fitted at a site. */
export const ruleNotice = pgTable(
  'rule_notice',
  {
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    /** Of the level, and what the rule is: `global 1234`. */
    rule: text().notNull(),
    toldAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.rule] }), index().on(table.toldAt)],
);
