import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '../../db/columns.ts';

export const operationLog = pgTable(
  'operation_log',
  {
    id: id(),
    requestId: text().notNull(),
    userType: text().$type<'admin' | 'client' | 'member' | 'unknown'>().notNull(),
    userId: integer(),
    userName: text().notNull().default(''),
    /** The name of its API token, which may be gone. */
    program: text().notNull().default(''),
    ip: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    status: integer().notNull(),
    query: text().notNull().default(''),
    requestBody: text().notNull().default(''),
    responseBody: text().notNull().default(''),
    durationMs: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.createdAt),
    index().on(table.userType, table.userId),
    index().on(table.requestId),
  ],
);
