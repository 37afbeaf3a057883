import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

const siteId = () =>
  integer()
    .notNull()
    .references(() => site.id, { onDelete: 'cascade' });

const nodeId = () => integer().references(() => node.id, { onDelete: 'set null' });

/** Pages in which a word was found that the operator looks for. */
export const siteViolation = pgTable(
  'site_violation',
  {
    id: id(),
    siteId: siteId(),
    nodeId: nodeId(),
    host: text().notNull(),
    requestUri: text().notNull(),
    word: text().notNull(),
    /** What stands around it. */
    excerpt: text().notNull(),
    action: text().$type<'recorded' | 'blocked'>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.siteId, table.createdAt), index().on(table.createdAt)],
);
