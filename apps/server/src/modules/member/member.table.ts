import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** Somebody who signs in to a customer's account. */
export const member = pgTable(
  'member',
  {
    id: id(),
    clientId: integer()
      .notNull()
      .references(() => client.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** No customer has it either (`assertEmailFree`). */
    email: text().notNull().unique('member_email_unique'),
    passwordHash: text().notNull(),
    /** Of the contract's catalogue; what that no longer has is passed over. */
    permissions: text().array().notNull().default([]),
    /** No references: with their last site they are to lose all, not to gain all. */
    siteIds: integer().array().notNull().default([]),
    enabled: boolean().notNull().default(true),
    lastLoginIp: text().notNull().default(''),
    lastLoginAt: moment(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.clientId)],
);
