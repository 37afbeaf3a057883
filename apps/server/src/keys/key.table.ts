import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '../db/columns.ts';

/**
 * The keys that this database needs, by their ids: for values, every one that may have sealed any; for sessions, the one that
 * signs them.
 */
export const installationKey = pgTable('installation_key', {
  id: text().primaryKey(),
  purpose: text().$type<'encryption' | 'session'>().notNull(),
  createdAt: createdAt(),
});

/** How far the values of one column are sealed with one key: all up to a row, or all. */
export const sealProgress = pgTable(
  'seal_progress',
  {
    keyId: text().notNull(),
    /** `certificate.private_key`. */
    place: text().notNull(),
    /** The primary key of the last row, as JSON; empty before the first. */
    position: text().notNull().default(''),
    rowsSealed: integer().notNull().default(0),
    done: boolean().notNull().default(false),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.place] })],
);
