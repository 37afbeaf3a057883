import { bigint, integer, timestamp } from 'drizzle-orm/pg-core';

/** Columns that many tables have. */

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const moment = () => timestamp({ withTimezone: true, precision: 3 });
export const createdAt = () => moment().notNull().defaultNow();
export const updatedAt = () =>
  moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date());
/** Revisions of edge documents: one sequence for all, allocated by `delivery_counter`. */
export const revision = () => bigint({ mode: 'number' });
