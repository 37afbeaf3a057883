import type { ServedProblem } from '@breakwater/contract';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { id, moment } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

/** Sites with certificates: when it is next looked at what nodes serve of them. */
export const servedCheck = pgTable(
  'served_check',
  {
    siteId: integer()
      .primaryKey()
      .references(() => site.id, { onDelete: 'cascade' }),
    dueAt: moment().notNull(),
    checkedAt: moment(),
    /** When the first of the good OCSP answers ends that were seen then. */
    stapleUntil: moment(),
  },
  (table) => [index().on(table.dueAt)],
);

/** What was found to be served otherwise, until it is found to be right. */
export const servedFault = pgTable(
  'served_fault',
  {
    id: id(),
    siteId: integer()
      .notNull()
      .references(() => site.id, { onDelete: 'cascade' }),
    nodeId: integer()
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    domain: text().notNull(),
    problem: text().$type<ServedProblem>().notNull(),
    expectedSerial: text().notNull(),
    servedSerial: text().notNull().default(''),
    servedIssuer: text().notNull().default(''),
    servedNotAfter: moment(),
    error: text().notNull().default(''),
    stapleFrom: moment(),
    stapleUntil: moment(),
    since: moment().notNull().defaultNow(),
  },
  (table) => [
    unique('served_fault_name_unique').on(table.siteId, table.nodeId, table.domain),
    index().on(table.nodeId),
  ],
);
