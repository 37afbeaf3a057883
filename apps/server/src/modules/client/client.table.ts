import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt } from '../../db/columns.ts';

export const client = pgTable('client', {
  id: id(),
  name: text().notNull(),
  email: text().notNull().unique('client_email_unique'),
  phone: text().notNull().default(''),
  remark: text().notNull().default(''),
  passwordHash: text().notNull(),
  status: text().$type<'active' | 'disabled'>().notNull().default('active'),
  sessionEpoch: integer().notNull().default(1),
  lastLoginIp: text().notNull().default(''),
  lastLoginAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
