import type { CaptchaProviderCode } from '@breakwater/contract';
import { integer, pgTable, unique } from 'drizzle-orm/pg-core';
import { accountColumns, createdAt, id, updatedAt } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** Accounts at vendors of challenges. */
export const captchaAccount = pgTable(
  'captcha_account',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id),
    ...accountColumns<CaptchaProviderCode>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('captcha_account_client_name_unique').on(table.clientId, table.name).nullsNotDistinct()],
);
