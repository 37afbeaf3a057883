import * as z from 'zod';
import { dateTime, id, idParams, listOf, listQuery, nothing } from './common.ts';
import { defineRoutes, type RouteSpec } from './define.ts';
import { fileAnswer } from './file.ts';
import { accessLogFilters } from './access-log-record.ts';

/** `csv` opens in a spreadsheet, in Chinese too; `jsonl` has one JSON object a line. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportStatuses = ['pending', 'running', 'done', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof exportStatuses)[number];
/** Spec §9. */
export const exportRecordsMax = 10_000;
/** Days after which an export is removed. */
export const exportDays = 7;
export const exportsMax = 100;

const { time_sort: _, ...filters } = accessLogFilters;

export const dataExportInput = z.strictObject({
  format: z.enum(exportFormats).default('csv'),
  /** So many records, the newest of those that are found. */
  count: z.int().min(1).max(exportRecordsMax).default(exportRecordsMax),
  /** As a search of the access logs has them in its address. */
  filters: z.strictObject(filters).prefault({}),
});
export type DataExportInput = z.output<typeof dataExportInput>;

const { refused: _refused, ...attackFilters } = filters;
const attackExportInput = dataExportInput.extend({ filters: z.strictObject(attackFilters).prefault({}) });
export type AttackExportInput = z.output<typeof attackExportInput>;

/** The same export by the names of what is exported; the file is listed and fetched with the others. */
const exportRoute = <const Path extends RouteSpec['path'], Input extends z.core.$ZodType>(
  path: Path,
  summary: string,
  body: Input,
) =>
  ({
    method: 'POST',
    path,
    cost: 'expensive',
    summary,
    access: { kind: 'admin', permission: 'data_export.write' },
    body,
    bodyBytesMax: 64 * 1024,
    response: z.strictObject({ id, records_total: z.int() }),
  }) as const;

export const dataExport = z.strictObject({
  id,
  format: z.enum(exportFormats),
  status: z.enum(exportStatuses),
  filters: z.strictObject(filters),
  records_total: z.int(),
  records_done: z.int(),
  size_bytes: z.int(),
  created_by: z.string(),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
  /** When it is removed. */
  expires_at: dateTime,
});
export type DataExport = z.infer<typeof dataExport>;

export const dataExportRoutes = defineRoutes({
  listDataExports: {
    method: 'GET',
    path: '/prod-api/data_export',
    summary: 'List exports of access logs, newest first.',
    access: { kind: 'admin', permission: 'data_export.read' },
    query: listQuery({ status: z.enum(exportStatuses).optional() }),
    response: listOf(dataExport),
  },
  createDataExport: exportRoute(
    '/prod-api/data_export',
    'Write the records that a search finds to a file; refused when it finds none.',
    dataExportInput,
  ),
  exportAccessLogs: exportRoute(
    '/prod-api/log_analyzer/site_access/export',
    'Start an export of access logs: the same as a data export.',
    dataExportInput,
  ),
  exportRefusedRequests: exportRoute(
    '/prod-api/log_analyzer/waf_attack/export',
    'Start an export of the requests that a rule kept from their site.',
    attackExportInput,
  ),
  exportAttackStats: exportRoute(
    '/api/waf/attack/stats/export',
    'Start an export of the requests that the attack statistics count.',
    attackExportInput,
  ),
  downloadDataExport: {
    method: 'GET',
    path: '/prod-api/data_export/{id}/download',
    cost: 'expensive',
    summary: 'Download the file of a finished export.',
    access: { kind: 'admin', permission: 'data_export.write' },
    params: idParams,
    transport: 'file',
    response: fileAnswer('text/csv', 'application/jsonl'),
  },
  removeDataExport: {
    method: 'DELETE',
    path: '/prod-api/data_export/{id}',
    summary: 'Delete an export and its file. A running export is stopped.',
    access: { kind: 'admin', permission: 'data_export.write' },
    params: idParams,
    response: nothing,
  },
});
