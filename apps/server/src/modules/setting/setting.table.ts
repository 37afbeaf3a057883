import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { sealedJson, updatedAt } from '../../db/columns.ts';

export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: sealedJson().notNull(),
  /** Grows with every change; a save names the one it was built on. */
  version: integer().notNull().default(1),
  updatedAt: updatedAt(),
});
