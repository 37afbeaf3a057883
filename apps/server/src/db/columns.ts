import type { SiteSnapshot } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { bigint, customType, integer, text, timestamp, type PgColumn } from 'drizzle-orm/pg-core';
import { assertSealed } from '../secret-values.ts';
import { isSealed, type Sealed } from '../secrets.ts';
import { levelValuesOf, siteSecrets, snapshotOf, storedForm, type LevelValues } from '../site-values.ts';

/** Columns that many tables have. */

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const moment = () => timestamp({ withTimezone: true, precision: 3 });
export const createdAt = () => moment().notNull().defaultNow();
export const updatedAt = () =>
  moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date());
/** Grows with every change; a save names the one it was built on. */
export const version = () => integer().notNull().default(1);
/** Hexadecimal digits, 32 at most. */
export const randomText = (length: number) =>
  sql.raw(`substr(replace(gen_random_uuid()::text, '-', ''), 1, ${length})`);
/** Who did what `createdBy` names. Null in rows from before it was kept, and where nobody by hand did it. */
export const authorType = () => text().$type<'admin' | 'client' | 'member'>();
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
const siteConfigType = {
  dataType: () => 'jsonb',
  toDriver: (value: SiteSnapshot) => {
    assertSealed(value, siteSecrets);
    return JSON.stringify(storedForm(value));
  },
  fromDriver: (stored: string) => snapshotOf(stored as unknown as Record<string, unknown>),
};
export const siteConfig = customType<{ data: SiteSnapshot; driverData: string }>(siteConfigType);

/** What a level sets, kept in the same way. */
export const levelValues = customType<{ data: LevelValues; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(storedForm(value)),
  fromDriver: (stored) => levelValuesOf(stored as unknown as Record<string, unknown>),
});

const sealedType = {
  dataType: () => 'text',
  toDriver: (value: Sealed) => {
    if (!isSealed(value)) throw new Error('a secret would be stored in clear');
    return value;
  },
};
/** A secret. */
export const sealed = customType<{ data: Sealed; driverData: string }>(sealedType);

const sealedTextType = { dataType: () => 'text' };
/** A text that is sealed where it holds secrets. */
export const sealedText = customType<{ data: string; driverData: string }>(sealedTextType);

const sealedJsonType = { dataType: () => 'jsonb', toDriver: (value: unknown) => JSON.stringify(value) };
/** JSON with sealed values in it. */
export const sealedJson = customType<{ data: unknown; driverData: string }>(sealedJsonType);

/** Of an account at a provider (`provider-account.ts`), beside its id, its owner and its times. */
export const accountColumns = <Code extends string>() => ({
  name: text().notNull(),
  provider: text().$type<Code>().notNull(),
  /** Of the shape that its provider describes. */
  params: sealedJson().$type<Record<string, unknown>>().notNull(),
  version: version(),
  checkedAt: moment(),
  lastError: text().notNull().default(''),
});

const forms = new Map<unknown, 'text' | 'json'>([
  [sealedType, 'text'],
  [sealedTextType, 'text'],
  [sealedJsonType, 'json'],
  [siteConfigType, 'json'],
]);

/** How a column holds sealed values; undefined where it holds none. */
export function sealedFormOf(column: PgColumn): 'text' | 'json' | undefined {
  // Which custom type a column is of, drizzle knows and does not declare.
  const { config } = column as unknown as { config: { customTypeParams?: unknown } };
  return forms.get(config.customTypeParams);
}
