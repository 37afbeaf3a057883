import type { FilingReason, FilingState } from '@breakwater/contract';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** Filing numbers of registrable domains, of each customer by itself. */
export const filing = pgTable(
  'filing',
  {
    id: id(),
    clientId: integer()
      .notNull()
      .references(() => client.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    number: text().notNull(),
    state: text().$type<FilingState>().notNull().default('pending'),
    reason: text().$type<FilingReason>().notNull().default('none'),
    holder: text().notNull().default(''),
    foundNumber: text().notNull().default(''),
    note: text().notNull().default(''),
    decidedBy: text().notNull().default(''),
    decidedAt: moment(),
    checkedAt: moment(),
    lastError: text().notNull().default(''),
    /** When the provider is asked by itself; null: not at all, for an operator has decided. */
    nextCheckAt: moment().defaultNow(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('filing_client_name_unique').on(table.clientId, table.name),
    index().on(table.nextCheckAt),
  ],
);
