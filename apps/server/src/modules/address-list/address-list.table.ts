import type { addressListSources } from '@breakwater/contract';
import { index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { siteLevel } from '../site-level/site-level.table.ts';
import { site } from '../site/site.table.ts';

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
