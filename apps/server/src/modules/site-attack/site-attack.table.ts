import { integer, pgTable } from 'drizzle-orm/pg-core';
import { moment } from '../../db/columns.ts';
import { site } from '../site/site.table.ts';

/** Sites that are attacked now, as it was told of them; gone when it is over. */
export const siteAttack = pgTable('site_attack', {
  siteId: integer()
    .primaryKey()
    .references(() => site.id, { onDelete: 'cascade' }),
  startedAt: moment().notNull(),
  /** When there was last as much as an attack has. */
  seenAt: moment().notNull(),
  toldAt: moment().notNull(),
  /** The most requests in a window. */
  peak: integer().notNull(),
});
