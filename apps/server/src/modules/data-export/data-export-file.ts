import { accessLogRecord, type AccessLogRecord, type ExportFormat } from '@breakwater/contract';

/** Access-log records as files. CSV is RFC 4180, with the byte order mark by which Excel knows UTF-8. */

const fields = Object.keys(accessLogRecord.shape) as (keyof AccessLogRecord)[];

/** A visitor chooses much of a record: what a spreadsheet would run as a formula is shown as text instead. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const guarded = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

export function fileHead(format: ExportFormat): string {
  return format === 'csv' ? `\uFEFF${csvLine(fields)}` : '';
}

export function fileLine(format: ExportFormat, record: AccessLogRecord): string {
  if (format === 'jsonl') return `${JSON.stringify(record)}\n`;
  return csvLine(fields.map((field) => record[field]));
}

export const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;
