import type { DnsProviderCode } from '@breakwater/contract';
import { integer, pgTable, unique } from 'drizzle-orm/pg-core';
import { accountColumns, createdAt, id, updatedAt } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** Accounts at DNS hosts. */
export const dnsAccount = pgTable(
  'dns_account',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id),
    ...accountColumns<DnsProviderCode>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('dns_account_client_name_unique').on(table.clientId, table.name).nullsNotDistinct()],
);
