import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../db/columns.ts';

/** Callbacks from strangers that took effect, with what they were answered. */
export const callbackSeen = pgTable(
  'callback_seen',
  {
    /** Method and path of the route. */
    route: text().notNull(),
    /** What its handler knows this one by. */
    key: text().notNull(),
    answer: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.route, table.key] }), index().on(table.createdAt)],
);
