import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, sealed } from '../../db/columns.ts';

/** Calls that carried an `Idempotency-Key`, with what was answered. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    /** Who called: `admin:1`, `client:1`. */
    account: text().notNull(),
    key: text().notNull(),
    /** HMAC-SHA256 of method, target and body. */
    callHash: text().notNull(),
    /** Sealed, for some answers hold a secret that is shown once; null until the call has ended. */
    answer: sealed(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.account, table.key] }), index().on(table.createdAt)],
);
