import type { SiteBatchInput, SiteBatchKind, SiteBatchLineStatus } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from '../../db/columns.ts';
import { client } from '../client/client.table.ts';

/** One piece of work on many sites. Its state follows from its lines. */
export const siteBatch = pgTable(
  'site_batch',
  {
    id: id(),
    /** Whose it is; null for the platform's. */
    clientId: integer().references(() => client.id, { onDelete: 'cascade' }),
    kind: text().$type<SiteBatchKind>().notNull(),
    input: jsonb().$type<SiteBatchInput>().notNull(),
    authorType: text().$type<'admin' | 'client'>().notNull(),
    authorId: integer().notNull(),
    authorName: text().notNull(),
    createdAt: createdAt(),
    /** Null while lines wait. */
    finishedAt: moment(),
  },
  (table) => [
    index().on(table.clientId),
    index()
      .on(table.id)
      .where(sql`${table.finishedAt} IS NULL`),
  ],
);

/** One line: a site to make, or a site to change. The site may be gone by the time it is read. */
export const siteBatchLine = pgTable(
  'site_batch_line',
  {
    id: id(),
    batchId: integer()
      .notNull()
      .references(() => siteBatch.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** The line as it was entered, or the first domain of the site. */
    text: text().notNull(),
    siteId: integer(),
    status: text().$type<SiteBatchLineStatus>().notNull().default('pending'),
    /** Why it failed: an error of the contract and the fields that caused it. */
    error: jsonb().$type<{ error: string; fields: { path: string; issue: string; detail?: string }[] }>(),
    finishedAt: moment(),
  },
  (table) => [
    uniqueIndex().on(table.batchId, table.position),
    index().on(table.batchId, table.status, table.position),
  ],
);
