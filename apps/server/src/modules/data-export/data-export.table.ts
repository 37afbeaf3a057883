import type { DataExportInput, ExportFormat } from '@breakwater/contract';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes } from '../../db/columns.ts';
import { operation } from '../../jobs/operation.table.ts';

/** Exports with their files: any server can write one, and any other hand it out. */
export const dataExport = pgTable('data_export', {
  operationId: integer()
    .primaryKey()
    .references(() => operation.id, { onDelete: 'cascade' }),
  format: text().$type<ExportFormat>().notNull(),
  filters: jsonb().$type<DataExportInput['filters']>().notNull(),
  sizeBytes: integer().notNull().default(0),
  /** Packed by gzip; absent until it is done. */
  content: bytes(),
});
