import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { defineJob, doubling, type ItemWork } from '../../jobs/define-job.ts';
import { everything } from '../../scope.ts';
import { findRecords } from '../statistics/log-search.service.ts';
import { fileHead, fileLine } from './data-export-file.ts';
import { readDataExport, storeFile } from './data-export.store.ts';

const recordsPerStep = 1000;

/** An export is written from its start each time: one that was broken off leaves nothing. */
export const dataExportJob = defineJob({
  kind: 'data_export',
  attempts: 3,
  backoffSeconds: doubling(60),
  timeoutSeconds: 3600,
  run: async (work) => {
    const text = await collect(work);
    const content = await promisify(gzip)(text);
    return work.transact(async (tx) => {
      await storeFile(tx, work.operation.id, { content, sizeBytes: Buffer.byteLength(text) });
      return { state: 'done' };
    });
  },
  permission: async () => 'data_export.write',
});

async function collect({ services, operation, signal, report }: ItemWork): Promise<string> {
  const { format, filters } = await readDataExport(services.db, operation.id);
  const total = operation.total ?? 0;
  const lines = new Map<string, string>();
  for (let current_page = 1; lines.size < total; current_page++) {
    const page = { current_page, page_size: recordsPerStep };
    const { list } = await findRecords(services, everything, filters, page, signal);
    // Retention may have taken some since they were counted.
    if (list.length === 0) break;
    // Lines that nodes ship in the meantime move the pages: what stood at the end of one comes again in the next.
    for (const record of list) if (lines.size < total) lines.set(record.request_id, fileLine(format, record));
    await report(lines.size);
  }
  return [fileHead(format), ...lines.values()].join('');
}
