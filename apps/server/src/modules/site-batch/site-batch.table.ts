import type { SiteBatchInput, SiteBatchKind } from '@breakwater/contract';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { sealedJson } from '../../db/columns.ts';
import { operation } from '../../jobs/operation.table.ts';

/** What an operation does to many sites. Its lines are the items of the operation: a site to make, or a site to change. */
export const siteBatch = pgTable('site_batch', {
  operationId: integer()
    .primaryKey()
    .references(() => operation.id, { onDelete: 'cascade' }),
  kind: text().$type<SiteBatchKind>().notNull(),
  /** The secrets of a section that is copied go along. */
  input: sealedJson().$type<SiteBatchInput>().notNull(),
});
