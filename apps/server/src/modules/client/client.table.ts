import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';

export const client = pgTable('client', {
  id: id(),
  name: text().notNull(),
  email: text().notNull().unique('client_email_unique'),
  phone: text().notNull().default(''),
  remark: text().notNull().default(''),
  passwordHash: text().notNull(),
  status: text().$type<'active' | 'disabled'>().notNull().default('active'),
  lastLoginIp: text().notNull().default(''),
  lastLoginAt: moment(),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
