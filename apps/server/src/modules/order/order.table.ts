import type { Cycle } from '@breakwater/contract';
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';
import { lineGroup } from '../line-group/line-group.table.ts';
import { product } from '../product/product.table.ts';

export const order = pgTable(
  'order',
  {
    id: id(),
    orderNo: text().notNull().unique(),
    clientId: integer()
      .notNull()
      .references(() => client.id),
    productId: integer()
      .notNull()
      .references(() => product.id),
    lineGroupId: integer()
      .notNull()
      .references(() => lineGroup.id),
    anotherName: text().notNull().default(''),
    notes: text().notNull().default(''),
    cycle: text().$type<Cycle>().notNull(),
    price: bigint({ mode: 'number' }).notNull(),
    /** `expired` is not stored: it follows from `end_at`, which is in the year 9999 where there is no end. */
    status: text().$type<'active' | 'suspended' | 'cancelled'>().notNull().default('active'),
    startAt: moment().notNull(),
    endAt: moment().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index().on(table.clientId), index().on(table.productId), index().on(table.lineGroupId)],
);
