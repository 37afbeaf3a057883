import type { DataExportInput, ExportFormat, ExportStatus } from '@breakwater/contract';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from '../../db/columns.ts';

/** Exports with their files: any server can write one, and any other hand it out. */
export const dataExport = pgTable(
  'data_export',
  {
    id: id(),
    format: text().$type<ExportFormat>().notNull(),
    status: text().$type<ExportStatus>().notNull().default('pending'),
    filters: jsonb().$type<DataExportInput['filters']>().notNull(),
    recordsTotal: integer().notNull(),
    recordsDone: integer().notNull().default(0),
    sizeBytes: integer().notNull().default(0),
    /** Gzip in base64; empty until it is done. */
    content: text().notNull().default(''),
    createdBy: text().notNull(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (table) => [index().on(table.createdAt)],
);
