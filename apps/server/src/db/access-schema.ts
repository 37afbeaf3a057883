import type { addressListSources, IpDataPart, IpFileReport } from '@breakwater/contract';
import { index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, moment, updatedAt } from './columns.ts';
import { siteLevel } from './level-schema.ts';
import { client, site } from './schema.ts';

/** Tables of who may come in. */

export const addressList = pgTable(
  'address_list',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id),
    name: text().notNull(),
    description: text().notNull().default(''),
    source: text().$type<(typeof addressListSources)[number]>().notNull(),
    /** As it was written, or as it was last fetched well. */
    content: text().notNull().default(''),
    url: text().notNull().default(''),
    intervalSeconds: integer().notNull(),
    entryCount: integer().notNull().default(0),
    /** Packed by `packages/policy/src/address-set.ts`, in base64: what nodes get. */
    v4: text().notNull().default(''),
    v6: text().notNull().default(''),
    fetchedAt: moment(),
    triedAt: moment(),
    lastError: text().notNull().default(''),
    /** Null for inline lists. */
    nextFetchAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('address_list_client_name_unique').on(table.clientId, table.name).nullsNotDistinct(),
    index().on(table.nextFetchAt),
  ],
);

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

export const siteAddressList = pgTable(
  'site_address_list',
  {
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    addressListId: integer()
      .notNull()
      .references(() => addressList.id),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.addressListId] }), index().on(table.addressListId)],
);

export const levelAddressList = pgTable(
  'level_address_list',
  {
    levelId: integer()
      .notNull()
      .references(() => siteLevel.id, { onDelete: 'cascade' }),
    addressListId: integer()
      .notNull()
      .references(() => addressList.id),
  },
  (table) => [primaryKey({ columns: [table.levelId, table.addressListId] }), index().on(table.addressListId)],
);
