import type { IpDataPart, IpFileReport } from '@breakwater/contract';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, moment } from '../../db/columns.ts';

/** One row: the table of places as it goes to nodes. */
export const ipData = pgTable('ip_data', {
  id: integer().primaryKey(),
  body: text().notNull(),
  /** Which files it was built from. */
  stamp: text().notNull(),
  builtAt: createdAt(),
});

/** Files of the operator's that were checked; those that no part uses go after a day. */
export const ipFile = pgTable('ip_file', {
  id: id(),
  name: text().notNull(),
  content: bytes().notNull(),
  report: jsonb().$type<IpFileReport>().notNull(),
  createdAt: createdAt(),
});

/** A part that the operator's own file stands for; of what has no row here, what is shipped is used. */
export const ipSource = pgTable('ip_source', {
  part: text().$type<IpDataPart>().primaryKey(),
  fileId: integer()
    .notNull()
    .references(() => ipFile.id),
  attribution: text().notNull(),
  /** Empty: it was handed in. */
  url: text().notNull(),
  intervalSeconds: integer().notNull(),
  fetchedAt: moment(),
  triedAt: moment(),
  lastError: text().notNull().default(''),
  /** Null for what was handed in. */
  nextFetchAt: moment(),
});
