import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../../db/columns.ts';
import { site } from '../site/site.table.ts';

/** When it was last told that a rule fitted at a site. */
export const ruleNotice = pgTable(
  'rule_notice',
  {
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    /** Of the level, and what the rule is: `global 1234`. */
    rule: text().notNull(),
    toldAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.rule] }), index().on(table.toldAt)],
);
