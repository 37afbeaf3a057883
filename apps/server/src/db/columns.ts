import { siteSnapshot, type SiteSnapshot } from '@breakwater/contract';
import { bigint, customType, integer, timestamp } from 'drizzle-orm/pg-core';

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

/**
 * The configuration of a site. Fields that came after it was stored get their defaults as it is read, so that the rest of
 * the server knows one shape only. One that today's rules would refuse is given as it is: it can still be seen and mended.
 */
export const siteConfig = customType<{ data: SiteSnapshot; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (stored) => siteSnapshot.safeParse(stored).data ?? (stored as unknown as SiteSnapshot),
});
