import type { MatcherRule, WafClass } from '@breakwater/contract';
import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

export const wafMatcher = pgTable(
  'waf_matcher',
  {
    id: id(),
    /** Null: the platform's. */
    clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    classType: text().$type<WafClass>().notNull(),
    rules: jsonb().$type<MatcherRule[]>().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('waf_matcher_client_name_unique').on(table.clientId, table.name).nullsNotDistinct()],
);
