import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, sealed, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

export const certificate = pgTable(
  'certificate',
  {
    id: id(),
    /** Null: the platform's own, for its consoles. */
    clientId: integer().references(() => client.id),
    name: text().notNull(),
    /** By which its owner sorts them; empty: in none. */
    groupName: text().notNull().default(''),
    domains: text().array().notNull(),
    issuer: text().notNull(),
    fingerprint: text().notNull(),
    notBefore: moment().notNull(),
    notAfter: moment().notNull(),
    certificate: text().notNull(),
    privateKey: sealed().notNull(),
    /** When it is next told of that it ends; null once it has ended and that was told. */
    noticeAt: moment(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.clientId), index().on(table.notAfter), index().on(table.noticeAt)],
);
