import type { ViolationKind, ViolationSource, ViolationState } from '@breakwater/contract';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, randomText, version } from '../../db/columns.ts';
import { node } from '../node/node.table.ts';
import { site } from '../site/site.table.ts';

const siteId = () =>
  integer()
    .notNull()
    .references(() => site.id, { onDelete: 'cascade' });

const nodeId = () => integer().references(() => node.id, { onDelete: 'set null' });

/** Pages in which something was found that the operator looks for, or to which visitors sent it: once for each page and what was found. */
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
    source: text().$type<ViolationSource>().notNull().default('delivered'),
    kind: text().$type<ViolationKind>().notNull().default('word'),
    category: text().notNull().default(''),
    contentHash: text().notNull().default(''),
    /** Of page, kind, category and word, and that it was submitted: what is found again is the same violation. */
    digest: text().notNull().default(randomText(32)),
    /** `blocked`: the page is offline at the nodes. */
    action: text().$type<'recorded' | 'blocked'>().notNull(),
    state: text().$type<ViolationState>().notNull().default('open'),
    note: text().notNull().default(''),
    decidedBy: text().notNull().default(''),
    decidedAt: moment(),
    appeal: text().notNull().default(''),
    appealedAt: moment(),
    /** Grows with decisions, appeals and what becomes of the page; not when the same is found again. */
    version: version(),
    createdAt: createdAt(),
    seenAt: createdAt(),
  },
  (table) => [
    index().on(table.siteId, table.createdAt),
    index().on(table.createdAt),
    index().on(table.seenAt),
    unique('site_violation_digest_unique').on(table.siteId, table.digest),
  ],
);

/** When the pages of a site are looked at next, and what came of it last. */
export const siteVisit = pgTable(
  'site_visit',
  {
    siteId: integer()
      .primaryKey()
      .references(() => site.id, { onDelete: 'cascade' }),
    nextAt: createdAt(),
    lastAt: moment(),
    /** Pages that were read. */
    pages: integer().notNull().default(0),
  },
  (table) => [index().on(table.nextAt)],
);
