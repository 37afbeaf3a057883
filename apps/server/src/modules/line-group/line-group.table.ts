import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';

export const lineGroup = pgTable('line_group', {
  id: id(),
  name: text().notNull().unique('line_group_name_unique'),
  description: text().notNull().default(''),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
