import type { addressListSources } from '@breakwater/contract';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

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
    /** Packed by `packages/policy/src/address/address-set.ts`, in base64: what nodes get. */
    v4: text().notNull().default(''),
    v6: text().notNull().default(''),
    fetchedAt: moment(),
    triedAt: moment(),
    lastError: text().notNull().default(''),
    /** Null for inline lists. */
    nextFetchAt: moment(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('address_list_client_name_unique').on(table.clientId, table.name).nullsNotDistinct(),
    index().on(table.nextFetchAt),
  ],
);
