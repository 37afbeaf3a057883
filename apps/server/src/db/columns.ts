import type { SiteSnapshot } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { bigint, customType, integer, timestamp } from 'drizzle-orm/pg-core';
import { levelValuesOf, snapshotOf, storedForm, type LevelValues } from '../site-values.ts';

/** Columns that many tables have. */

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const moment = () => timestamp({ withTimezone: true, precision: 3 });
export const createdAt = () => moment().notNull().defaultNow();
export const updatedAt = () =>
  moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date());
/** Hexadecimal digits, 32 at most. */
export const randomText = (length: number) =>
  sql.raw(`substr(replace(gen_random_uuid()::text, '-', ''), 1, ${length})`);
/** A file. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.length),
});
/** Revisions of edge documents: one sequence for all, allocated by `delivery_counter`. */
export const revision = () => bigint({ mode: 'number' });

/**
 * The configuration of a site: what it sets itself. Fields that it inherits, and those that came after it was stored, get
 * their defaults as it is read, so that the rest of the server knows one shape only.
 */
export const siteConfig = customType<{ data: SiteSnapshot; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(storedForm(value)),
  fromDriver: (stored) => snapshotOf(stored as unknown as Record<string, unknown>),
});

/** What a level sets, kept in the same way. */
export const levelValues = customType<{ data: LevelValues; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(storedForm(value)),
  fromDriver: (stored) => levelValuesOf(stored as unknown as Record<string, unknown>),
});
