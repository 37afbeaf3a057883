import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { CallCost } from '@breakwater/contract';
import { moment } from '../db/columns.ts';

/** What accounts asked for in the window that is open, for all servers. */
export const accountUsage = pgTable(
  'account_usage',
  {
    /** `admin:1`, `client:1`. */
    account: text().notNull(),
    cost: text().$type<CallCost>().notNull(),
    used: integer().notNull(),
    endsAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.cost] }), index().on(table.endsAt)],
);
