import {
  exportDays,
  exportsMax,
  type DataExport,
  type DataExportInput,
  type ExportStatus,
} from '@breakwater/contract';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { dataExport, operation } from '../../db/schema.ts';
import { iso, isoOrNull, listPage, pageOf } from '../../db/page.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';

const dayMs = 24 * 3_600_000;

const columns = {
  id: operation.id,
  format: dataExport.format,
  state: operation.state,
  filters: dataExport.filters,
  recordsTotal: operation.total,
  recordsDone: operation.progress,
  sizeBytes: dataExport.sizeBytes,
  createdBy: operation.createdBy,
  createdAt: operation.createdAt,
  finishedAt: operation.finishedAt,
};
const ofOperation = eq(operation.id, dataExport.operationId);

export async function listDataExports(
  db: Db,
  query: { current_page: number; page_size: number; status?: ExportStatus | undefined },
) {
  const where = query.status && eq(operation.state, query.status);
  const { limit, offset } = pageOf(query);
  const [rows, [counted]] = await Promise.all([
    db
      .select(columns)
      .from(dataExport)
      .innerJoin(operation, ofOperation)
      .where(where)
      .orderBy(desc(operation.id))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(dataExport)
      .innerJoin(operation, ofOperation)
      .where(where),
  ]);
  const list = rows.map((row): DataExport => ({
    id: row.id,
    format: row.format,
    status: row.state,
    filters: row.filters,
    records_total: row.recordsTotal ?? 0,
    records_done: row.recordsDone ?? 0,
    size_bytes: row.sizeBytes,
    created_by: row.createdBy,
    created_at: iso(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
    expires_at: iso(new Date(row.createdAt.getTime() + exportDays * dayMs)),
  }));
  return listPage(query, list, counted?.total ?? 0);
}

/** Leaves it to the workers. Fails with `too_many` while as many are kept as may be. */
export async function createDataExport(
  tx: Transaction,
  input: Pick<DataExportInput, 'format' | 'filters'> & { recordsTotal: number; createdBy: string },
): Promise<number> {
  const { format, filters, recordsTotal, createdBy } = input;
  // One at a time, so that two do not both find room for one.
  await tx.execute(sql`LOCK TABLE ${dataExport} IN SHARE ROW EXCLUSIVE MODE`);
  if ((await tx.$count(dataExport)) >= exportsMax) throw new ApiError('too_many');
  const operationId = await createOperation(tx, {
    kind: 'data_export',
    title: `access-log.${format}`,
    subjectKind: 'access_log',
    total: recordsTotal,
    createdBy,
  });
  await tx.insert(dataExport).values({ operationId, format, filters });
  await addItems(tx, operationId, [{ kind: 'access_log' }]);
  return operationId;
}

export async function readDataExport(db: Db, id: number) {
  const [row] = await db
    .select({
      format: dataExport.format,
      filters: dataExport.filters,
      content: dataExport.content,
      state: operation.state,
      createdAt: operation.createdAt,
    })
    .from(dataExport)
    .innerJoin(operation, ofOperation)
    .where(eq(operation.id, id));
  if (!row) throw notFound();
  return row;
}

export async function storeFile(
  tx: Transaction,
  id: number,
  file: { content: Uint8Array; sizeBytes: number },
): Promise<void> {
  await tx.update(dataExport).set(file).where(eq(dataExport.operationId, id));
}

/** With its file. What writes it finds nothing to write to any more. */
export async function removeDataExport(db: Db, id: number): Promise<void> {
  const rows = await db
    .delete(operation)
    .where(and(eq(operation.id, id), eq(operation.kind, 'data_export')))
    .returning({ id: operation.id });
  if (rows.length === 0) throw notFound();
}

export async function removeOldDataExports(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - exportDays * dayMs);
  const rows = await db
    .delete(operation)
    .where(and(eq(operation.kind, 'data_export'), lt(operation.createdAt, before)))
    .returning({ id: operation.id });
  return rows.length;
}
