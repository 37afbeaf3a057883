import type { BuiltinGroup } from '@breakwater/contract';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt } from '../../db/columns.ts';

/** A group of administrators and what it holds. */
export const adminGroup = pgTable('admin_group', {
  id: id(),
  /** Of the shipped ones; what it says is not bound to it. */
  builtin: text().$type<BuiltinGroup>().unique(),
  /** Null in a shipped group until somebody changes it: its text is then in the reader's language. */
  name: text().unique('admin_group_name_unique'),
  description: text(),
  /** Of the contract's catalogue; what that no longer has is passed over. */
  permissions: text().array().notNull().default([]),
  version: integer().notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const adminUser = pgTable(
  'admin_user',
  {
    id: id(),
    username: text().notNull().unique(),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    passwordHash: text().notNull(),
    groupId: integer()
      .notNull()
      .references(() => adminGroup.id),
    enabled: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    lastLoginIp: text().notNull().default(''),
    lastLoginAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.groupId)],
);

/** The permissions that this installation has been given to hand out: what the catalogue has beyond them is new. */
export const knownPermission = pgTable('known_permission', {
  name: text().primaryKey(),
  createdAt: createdAt(),
});
