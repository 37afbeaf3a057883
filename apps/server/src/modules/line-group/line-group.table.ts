import type { ShieldMode } from '@breakwater/contract';
import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';

export const lineGroup = pgTable('line_group', {
  id: id(),
  name: text().notNull().unique('line_group_name_unique'),
  description: text().notNull().default(''),
  l2Enable: boolean().notNull().default(false),
  l2Mode: text().$type<ShieldMode>().notNull().default('cache'),
  filingRequired: boolean().notNull().default(false),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
