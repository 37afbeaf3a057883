import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

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
