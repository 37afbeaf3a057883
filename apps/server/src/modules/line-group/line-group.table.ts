import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from '../../db/columns.ts';

export const lineGroup = pgTable('line_group', {
  id: id(),
  name: text().notNull().unique('line_group_name_unique'),
  description: text().notNull().default(''),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
