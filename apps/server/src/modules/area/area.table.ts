import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt, version } from '../../db/columns.ts';

export const area = pgTable('area', {
  id: id(),
  name: text().notNull().unique('area_name_unique'),
  description: text().notNull().default(''),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
