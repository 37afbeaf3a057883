import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, sealed } from '../db/columns.ts';

/** The one authority that nodes know each other by. It is made when the first node asks, and stays. */
export const edgeAuthority = pgTable(
  'edge_authority',
  {
    id: integer().primaryKey().default(1),
    /** In PEM. */
    certificate: text().notNull(),
    privateKey: sealed().notNull(),
    createdAt: createdAt(),
  },
  (table) => [check('edge_authority_single', sql`${table.id} = 1`)],
);
