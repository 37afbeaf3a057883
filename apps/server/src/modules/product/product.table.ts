import type { prices, productLimits } from '@breakwater/contract';
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type * as z from 'zod';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';
import { lineGroup } from '../line-group/line-group.table.ts';

export const product = pgTable('product', {
  id: id(),
  name: text().notNull().unique('product_name_unique'),
  description: text().notNull().default(''),
  lineGroupId: integer()
    .notNull()
    .references(() => lineGroup.id),
  prices: jsonb().$type<z.infer<typeof prices>>().notNull(),
  limits: jsonb().$type<z.infer<typeof productLimits>>().notNull(),
  stock: integer(),
  delisted: boolean().notNull().default(false),
  prompts: text().notNull().default(''),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
