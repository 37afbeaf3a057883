import type { CaptchaProviderCode } from '@breakwater/contract';
import { integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, sealedJson, updatedAt } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** Accounts at vendors of challenges. */
export const captchaAccount = pgTable(
  'captcha_account',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id),
    name: text().notNull(),
    provider: text().$type<CaptchaProviderCode>().notNull(),
    /** Of the shape that its provider describes. */
    params: sealedJson().$type<Record<string, unknown>>().notNull(),
    version: integer().notNull().default(1),
    checkedAt: moment(),
    lastError: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('captcha_account_client_name_unique').on(table.clientId, table.name).nullsNotDistinct()],
);
