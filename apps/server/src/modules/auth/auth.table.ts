import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../../db/columns.ts';

/** Failed sign-ins by account or address, in a window that starts with the first. */
export const signInAttempt = pgTable('sign_in_attempt', {
  key: text().primaryKey(),
  failed: integer().notNull(),
  windowStart: moment().notNull(),
});
