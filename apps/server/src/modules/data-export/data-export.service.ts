import type { DataExportInput } from '@breakwater/contract';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ApiError, notFound } from '../../api-error.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { ranged } from '../statistics/asked-range.service.ts';
import { findRecords } from '../statistics/log-search.service.ts';
import { contentTypes, fileHead, fileLine } from './data-export-file.ts';
import { createDataExport, markDataExport, readDataExport } from './data-export.store.ts';

const all: Scope = { all: true };
const recordsPerStep = 1000;

/** Counts first: of nothing there is no export. */
export async function startDataExport(services: Services, input: DataExportInput, createdBy: string) {
  // What is logged from now on would move the pages while they are read.
  const end_time = input.filters.end_time ?? new Date().toISOString();
  const filters = { ...input.filters, end_time };
  const { total } = await ranged(services, 'record_days', filters, () =>
    findRecords(services, all, filters, { current_page: 1, page_size: 1 }),
  ).catch((error: unknown) => {
    throw error instanceof ApiError ? underFilters(error) : error;
  });
  if (total === 0) throw new ApiError('nothing_to_export');
  const recordsTotal = Math.min(total, input.count);
  const id = await services.db.transaction(async (tx) => {
    const created = await createDataExport(tx, { format: input.format, filters, recordsTotal, createdBy });
    await services.jobs.send(tx, 'data-export', { export_id: created });
    return created;
  });
  return { id, records_total: recordsTotal };
}

/** In the body the filters have a name of their own. */
const underFilters = ({ error, fields }: ApiError): ApiError =>
  new ApiError(
    error,
    fields.map((field) => ({ ...field, path: `filters.${field.path}` })),
  );

/** The job. One that was removed meanwhile ends; one that is stopped is written anew by another server. */
export async function writeDataExport(services: Services, id: number, stopping: AbortSignal): Promise<void> {
  const row = await readDataExport(services.db, id).catch(() => undefined);
  if (!row || row.status === 'done') return;
  try {
    const text = await collect(services, row, stopping);
    if (text === undefined) return;
    const content = (await promisify(gzip)(text)).toString('base64');
    const sizeBytes = Buffer.byteLength(text);
    await markDataExport(services.db, id, { status: 'done', content, sizeBytes, finishedAt: new Date() });
  } catch (error) {
    if (stopping.aborted) throw error;
    services.log.error({ err: error, exportId: id }, 'an export of access logs');
    await markDataExport(services.db, id, { status: 'failed', finishedAt: new Date() });
  }
}

type Row = Awaited<ReturnType<typeof readDataExport>>;

async function collect(services: Services, row: Row, stopping: AbortSignal): Promise<string | undefined> {
  const lines = new Map<string, string>();
  for (let current_page = 1; lines.size < row.recordsTotal; current_page++) {
    const page = { current_page, page_size: recordsPerStep };
    const { list } = await findRecords(services, all, row.filters, page, stopping);
    // Retention may have taken some since they were counted.
    if (list.length === 0) break;
    // Lines that nodes ship in the meantime move the pages: what stood at the end of one comes again in the next.
    for (const record of list)
      if (lines.size < row.recordsTotal) lines.set(record.request_id, fileLine(row.format, record));
    const there = await markDataExport(services.db, row.id, { status: 'running', recordsDone: lines.size });
    if (!there) return undefined;
  }
  return [fileHead(row.format), ...lines.values()].join('');
}

export async function readDataExportFile({ db }: Services, id: number) {
  const row = await readDataExport(db, id);
  if (row.status !== 'done') throw notFound();
  const content = (await promisify(gunzip)(Buffer.from(row.content, 'base64'))).toString('utf8');
  const time = row.createdAt.toISOString().replace(/\D/g, '').slice(0, 14);
  return { name: `access-log-${time}-${id}.${row.format}`, content_type: contentTypes[row.format], content };
}
