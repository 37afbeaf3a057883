import type { DataExportInput, FileAnswer } from '@breakwater/contract';
import { createGunzip } from 'node:zlib';
import { ApiError, notFound } from '../../api-error.ts';
import { everything } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { ranged } from '../statistics/asked-range.service.ts';
import { findRecords } from '../statistics/log-search.service.ts';
import { contentTypes } from './data-export-file.ts';
import { createDataExport, readDataExport } from './data-export.store.ts';

/** Counts first: of nothing there is no export. */
export async function startDataExport(services: Services, input: DataExportInput, createdBy: string) {
  // What is logged from now on would move the pages while they are read.
  const end_time = input.filters.end_time ?? new Date().toISOString();
  const filters = { ...input.filters, end_time };
  const { total } = await ranged(services, 'record_days', filters, () =>
    findRecords(services, everything, filters, { current_page: 1, page_size: 1 }),
  ).catch((error: unknown) => {
    throw error instanceof ApiError ? underFilters(error) : error;
  });
  if (total === 0) throw new ApiError('nothing_to_export');
  const recordsTotal = Math.min(total, input.count);
  const id = await services.db.transaction((tx) =>
    createDataExport(tx, { format: input.format, filters, recordsTotal, createdBy }),
  );
  return { id, records_total: recordsTotal };
}

/** In the body the filters have a name of their own. */
const underFilters = ({ error, fields }: ApiError): ApiError =>
  new ApiError(
    error,
    fields.map((field) => ({ ...field, path: `filters.${field.path}` })),
  );

export async function readDataExportFile({ db }: Services, id: number): Promise<FileAnswer> {
  const row = await readDataExport(db, id);
  if (row.state !== 'done' || !row.content) throw notFound();
  const time = row.createdAt.toISOString().replace(/\D/g, '').slice(0, 14);
  const name = `access-log-${time}-${id}.${row.format}`;
  return { name, content_type: contentTypes[row.format], content: unpacked(row.content) };
}

function unpacked(packed: Uint8Array): AsyncIterable<Uint8Array> {
  const content = createGunzip();
  content.end(packed);
  return content;
}
