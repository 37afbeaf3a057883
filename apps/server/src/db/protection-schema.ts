import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns.ts';
import { node, site } from './schema.ts';

/** What the protection of sites finds and decides beyond single requests. */

const siteId = () =>
  integer()
    .notNull()
    .references(() => site.id, { onDelete: 'cascade' });
const nodeId = () => integer().references(() => node.id, { onDelete: 'set null' });

/** Addresses that a site turns away for a time, whatever they ask. */
export const siteReject = pgTable(
  'site_reject',
  {
    id: id(),
    siteId: siteId(),
    remoteAddr: text().notNull(),
    /** The section, and its rule, that had the address turned away, as a log record's `decision`. */
    decision: text().notNull(),
    /** Where it began. */
    nodeId: nodeId(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    /** Ended before its time. */
    releasedAt: moment(),
    releasedBy: text(),
  },
  (table) => [index().on(table.siteId, table.createdAt), index().on(table.createdAt)],
);

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
