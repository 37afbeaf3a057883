import type { AdminGroup } from '@breakwater/contract';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt } from '../../db/columns.ts';

export const adminUser = pgTable('admin_user', {
  id: id(),
  username: text().notNull().unique(),
  name: text().notNull().default(''),
  email: text().notNull().default(''),
  passwordHash: text().notNull(),
  group: text().$type<AdminGroup>().notNull(),
  enabled: boolean().notNull().default(true),
  /** Tokens of an earlier epoch are refused: raising it ends every session. */
  sessionEpoch: integer().notNull().default(1),
  lastLoginIp: text().notNull().default(''),
  lastLoginAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Failed sign-ins by account or address, in a window that starts with the first. */
export const signInAttempt = pgTable('sign_in_attempt', {
  key: text().primaryKey(),
  failed: integer().notNull(),
  windowStart: moment().notNull(),
});
